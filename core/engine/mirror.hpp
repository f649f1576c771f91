// A mirror: the peers of other shares as these report them, so that an observer of share 0 sees all
// of a run. No share is asked unless an observer looks, and no thread waits for an answer.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  // A share that owes an answer for longer is silent: the known state of its peers is old. Less
  // also calls shares silent that only have much to report; more shows outdated values for longer.
  static constexpr std::chrono::seconds patience{2};
  static constexpr int most_behind = 50;  // answers

  // A share as others see it.
  struct Part {
    std::uint32_t process = 0;
    std::string host{};
    bool lost = false;
    bool silent = false;  // for now
    bool heard = false;   // it has reported all, so that the state of its peers is known
  };

  // For share 0, in a run of so many peers; one part for each share. The post outlives it, and
  // sends from any thread.
  Mirror(Post& post, Share share, std::uint32_t peers, std::vector<Part> parts, FactTypes types);
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  // A message of another share beside the run. From any thread, as the next three.
  void hear(std::uint32_t from, const Bytes& said);
  // Makes sure that operator commands to peers of other shares are done there; commands that cut
  // peers off or heal a cut are refused. The steering outlives all answers to them.
  void serve(Steering& steering);
  // No share owes an answer any more: each share that was asked has sent its last, or is lost.
  [[nodiscard]] bool has_heard_all() const;

  // Called from one thread at a time, that of the observer: takes in the reports, and asks for
  // more. `views`: where the views of overlays are shown, if they ever were wanted; `wanted`:
  // whether they are now.
  void catch_up(Views* views, bool wanted, RealTime now = std::chrono::steady_clock::now());
  // As of the last catch_up().
  [[nodiscard]] const Recorder& recorder(PeerId peer) const { return *recorders_[peer.value]; }
  [[nodiscard]] std::uint64_t faults(Fault::Kind kind) const;
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  // Whether each share that is not lost has reported all of its peers and facts up to some time:
  // before, the counts of a run lack some. After `patience` without a catch_up(), up to a time
  // after that.
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] std::uint32_t share_of(PeerId peer) const { return share_.share_of(peer); }
  [[nodiscard]] bool reflects(PeerId peer) const { return recorders_[peer.value] != nullptr; }

 private:
  // The state of the exchange between share 0 and another share.
  struct Talk {
    bool called = false;   // asked at least once
    int answers = 0;       // that left something out
    bool awaited = false;  // an answer is missing
    RealTime asked{};
    bool over = false;  // it has sent its last News, or an invalid one
    std::array<std::uint64_t, fault_kinds> faults{};
  };

  void on(std::uint32_t from, aside::News&& news);
  void on(std::uint32_t from, aside::ChargeResult&& outcome);
  template <class M>
  void on(std::uint32_t, M&&) {}  // messages that only share 0 may send

  void begin_anew();
  void lose_those_gone();
  void ask(std::uint32_t share, bool views, RealTime now);
  // False where the news is not sound.
  [[nodiscard]] bool apply(std::uint32_t from, const aside::News& news, Views* views);
  [[nodiscard]] bool is_of(std::uint32_t share, PeerId peer) const;
  // True where another share does it, or where it is refused.
  [[nodiscard]] bool take_over(Steering::Number number, const OperatorCommand& operator_command);
  void answer(Steering::Number number, Steering::Answer answer);

  Post& post_;
  const Share share_;
  const FactTypes types_;
  std::vector<Part> parts_;                           // by share
  std::optional<RealTime> looked_{};                  // the last catch_up()
  std::vector<std::unique_ptr<Recorder>> recorders_;  // by peer; null for those of share 0
  mutable std::mutex mutex_;                          // guards all that follows
  std::vector<Talk> talks_;                           // by share
  std::vector<std::pair<std::uint32_t, aside::News>> heard_;
  std::map<Steering::Number, std::uint32_t> charged_;  // the share that executes the command
  Steering* steering_ = nullptr;
};

}  // namespace rhizome::core
