// Peers that do one piece of work each, for tests of how long work takes beside other work.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/peer/env.hpp"
#include "test/support/engines.hpp"

namespace rhizome::test {

// When the work of a peer ended, and how much of it had been done at full rate.
struct Toil {
  core::Time ended{};
  core::Duration served{0};
};
struct Toils {
  std::mutex mutex;
  std::map<core::PeerId, Toil> of;
};

// Peer i works for i + 1 seconds; the last one takes a break from .5 to 1 s, where it is to.
class Toiler {
 public:
  struct BreakDue {
    double rate = 0;
  };
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<BreakDue>>;
  static constexpr std::string_view name = "toiler";

  Toiler(std::shared_ptr<Toils> toils, bool pauses) : toils_(std::move(toils)), pauses_(pauses) {}

  void start(Env& env) {
    work_ = env.work({.duration = std::chrono::seconds(env.self().value + 1)});
    if (!pauses_) return;
    env.after(std::chrono::milliseconds(500), BreakDue{0});
    env.after(std::chrono::milliseconds(1000), BreakDue{1});
  }
  void on(Env& env, const BreakDue& due) { env.pace(work_, due.rate); }
  void on(Env& env, const core::WorkDone& done) {
    const std::scoped_lock lock(toils_->mutex);
    toils_->of[env.self()] = {env.now(), done.served};
    env.finish();
  }

 private:
  std::shared_ptr<Toils> toils_;
  bool pauses_;
  core::WorkId work_{};
};

// Three of them on two processors.
inline core::EngineSetup crowded(const std::shared_ptr<Toils>& toils, bool pauses = false) {
  core::EngineSetup setup =
      setup_of(3, std::chrono::seconds(20), [toils, pauses](core::Peer& peer) {
        peer.add<Toiler>(toils, pauses && peer.id().value == 2);
      });
  setup.groups = {{.peers = {core::PeerId{0}, core::PeerId{1}, core::PeerId{2}}, .cores = 2}};
  return setup;
}

}  // namespace rhizome::test
