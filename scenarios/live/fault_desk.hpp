// The desk at which monitors ask for faults: it hands them to the runs that take any, and knows who
// waits to hear what came of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/foreseen.hpp"
#include "core/engine/steering.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/messages.hpp"

namespace rhizome::scenarios::live {

// What has befallen a run until now, but for whom somebody cut off by hand. The partings are those
// that were planned.
[[nodiscard]] FaultCounts befallen(const core::Board& board,
                                   const std::vector<core::Parting>& partings);

// Used by one thread at a time.
class FaultDesk {
 public:
  // From now on that run takes faults, until it is closed.
  void open(std::uint32_t run, core::Steering& steering);
  // How many have been caused in it.
  std::uint32_t close(std::uint32_t run);
  [[nodiscard]] std::uint32_t count(std::uint32_t run) const;
  // Of these, how often peers have been cut off.
  [[nodiscard]] std::uint32_t cuts(std::uint32_t run) const;

  // The answer, unless it is to be awaited.
  [[nodiscard]] std::optional<Answer> take(const std::string& client, std::uint32_t run,
                                           core::OperatorCommand operator_command);
  [[nodiscard]] bool is_awaited() const { return !awaited_.empty(); }
  // The answers that have come, each with whom it is for.
  [[nodiscard]] std::vector<std::pair<std::string, Answer>> answers();

 private:
  struct Awaited {
    std::string client;
    std::uint32_t run = 0;
    core::Steering::Number number = 0;
    std::optional<Answer> answer{};  // once the run has ended
  };
  [[nodiscard]] std::optional<Answer> answer_to(const Awaited& awaited);

  std::map<std::uint32_t, core::Steering*> runs_;
  std::vector<Awaited> awaited_;
};

}  // namespace rhizome::scenarios::live
