// How an engine and the engines of the other shares of a run begin together and end together.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "core/engine/control_messages.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::core {

// Another share has failed, or cannot be reached: this share has no result.
class ShareFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What an engine sees of its share at a moment.
struct Sight {
  Time now{};
  Tally tally{};
  bool stop = false;      // whether a user asked for it
  std::string failure{};  // why the share cannot go on; empty: it can
};

// Used by the one thread that supervises a share, in the order of these functions.
class Control : public Interface {
 public:
  using RealTime = std::chrono::steady_clock::time_point;

  // The peers of this share have been built, or `failure` says why not. Waits for all other shares.
  // Returns when time is zero; nothing if it never will be, and look() says why.
  [[nodiscard]] virtual std::optional<RealTime> start(const std::string& failure) = 0;
  // The clock of this share compared with that of share 0, as far as is known now.
  struct ClockState {
    std::chrono::nanoseconds gained{0};  // since time zero, more than the clock of share 0
    std::chrono::nanoseconds bound{0};   // largest error of the offset to the clock of share 0
  };
  [[nodiscard]] virtual ClockState clock() const { return {}; }
  // How the run has ended for all shares, once it has. Called again and again until then.
  [[nodiscard]] virtual std::optional<End> look(const Sight& sight) = 0;
  // Whether the last look may have seen the end, if the other shares agree: no fault may be handed
  // out.
  [[nodiscard]] virtual bool may_have_ended() const = 0;
  // Says that this share puts nothing more into its gateway; `handed_over` counts what it has put
  // there, by receiving share. Waits until each other share has said the same, and returns how much
  // comes in from all of them; a lost share counts with what had come from it. Throws ShareFailed
  // if a share does not say so. May be called again, because the sum is less if a share is lost
  // meanwhile.
  [[nodiscard]] virtual std::uint64_t close(std::span<const std::uint64_t> handed_over) = 0;
  // Instead of close() where the run has failed: says the same to all shares that can be reached,
  // and waits for none.
  virtual void abandon(std::span<const std::uint64_t> handed_over) = 0;
};

// When a run is given up if the first peer finished at that time, and not all do.
[[nodiscard]] Time deadline_of(const EngineSetup& setup, std::optional<Time> first_finish);

// The rules by which a run ends unless all peers have finished or a user asked for its end.
[[nodiscard]] std::optional<Ending> ended_by_time(const EngineSetup& setup, Time now,
                                                  std::optional<Time> first_finish);

// The control of an engine that runs all peers.
class LoneControl final : public Control {
 public:
  // The setup outlives it.
  explicit LoneControl(const EngineSetup& setup) : setup_(setup) {}
  [[nodiscard]] std::optional<RealTime> start(const std::string& failure) override;
  [[nodiscard]] std::optional<End> look(const Sight& sight) override;
  [[nodiscard]] bool may_have_ended() const override { return false; }  // no share to agree with
  [[nodiscard]] std::uint64_t close(std::span<const std::uint64_t>) override { return 0; }
  void abandon(std::span<const std::uint64_t>) override {}

 private:
  const EngineSetup& setup_;
};

}  // namespace rhizome::core
