// A mirror: the peers of other shares as these tell of them, so that whoever watches share 0 sees
// all of a run. Nobody is asked unless somebody looks, and nobody waits for an answer.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/aside.hpp"
#include "core/engine/partial_report.hpp"
#include "core/engine/share.hpp"
#include "core/engine/shared_control.hpp"

namespace rhizome::core {

class Mirror {
 public:
  using RealTime = std::chrono::steady_clock::time_point;
  // Who owes an answer for longer is silent: what is known of its peers is old. Less also calls
  // those silent that only have much to tell; more shows what has long been otherwise.
  static constexpr std::chrono::seconds patience{2};

  // A share as others see it.
  struct Part {
    std::uint32_t process = 0;
    std::string host{};
    bool lost = false;
    bool silent = false;  // for now
  };

  // Of share 0, where so many peers run; one part for each share. The post outlives it, and sends
  // from any thread.
  Mirror(Post& post, Share share, std::uint32_t peers, std::vector<Part> parts, FactTypes types);
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  // What another share has said aside. From any thread, as the next three.
  void hear(std::uint32_t from, const Bytes& said);
  // Sees to it that operator commands to peers of other shares are done there; those of everybody
  // at once are refused. The steering outlives what it is told of later.
  void serve(Steering& steering);
  // Nobody owes an answer any more: whoever was asked has told its last, or is lost.
  [[nodiscard]] bool has_heard_all() const;

  // Of one thread at a time, that of who looks: takes in what has been told, and asks for more.
  // `views`: where those of overlays are shown, if they ever were wanted; and whether they are.
  void catch_up(Views* views, bool wanted, RealTime now = std::chrono::steady_clock::now());
  // As of then.
  [[nodiscard]] const Recorder& recorder(PeerId peer) const { return *recorders_[peer.value]; }
  [[nodiscard]] std::uint64_t faults(Fault::Kind kind) const;
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] std::uint32_t share_of(PeerId peer) const { return share_.share_of(peer); }
  [[nodiscard]] bool reflects(PeerId peer) const { return recorders_[peer.value] != nullptr; }

 private:
  // How it stands between share 0 and another.
  struct Talk {
    bool called = false;   // once at least
    bool awaited = false;  // an answer, since then
    RealTime asked{};
    bool over = false;  // it has told its last, or what cannot be
    std::array<std::uint64_t, fault_kinds> faults{};
  };

  void on(std::uint32_t from, aside::News&& news);
  void on(std::uint32_t from, aside::ChargeResult&& outcome);
  template <class M>
  void on(std::uint32_t, M&&) {}  // which only share 0 may say

  void lose_those_gone();
  void ask(std::uint32_t share, bool views, RealTime now);
  // False where it is not sound.
  [[nodiscard]] bool apply(std::uint32_t from, const aside::News& news, Views* views);
  [[nodiscard]] bool is_of(std::uint32_t share, PeerId peer) const;
  // True where somebody else does it, or nobody.
  [[nodiscard]] bool take_over(Steering::Number number, const OperatorCommand& operator_command);
  void answer(Steering::Number number, Steering::Answer answer);

  Post& post_;
  const Share share_;
  const FactTypes types_;
  std::vector<Part> parts_;                           // by share
  std::vector<std::unique_ptr<Recorder>> recorders_;  // by peer; none of share 0
  mutable std::mutex mutex_;                          // of all that follows
  std::vector<Talk> talks_;                           // by share
  std::vector<std::pair<std::uint32_t, aside::News>> heard_;
  std::map<Steering::Number, std::uint32_t> charged_;  // which share
  Steering* steering_ = nullptr;
};

}  // namespace rhizome::core
