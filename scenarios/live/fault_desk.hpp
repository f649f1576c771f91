// The fault desk: takes the faults that monitors ask for, passes them to the runs that accept
// faults, and keeps track of the monitors that wait for an answer.
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

// The faults of a run until now, except peers that were cut off by hand. `partings` are the planned
// ones.
[[nodiscard]] FaultCounts befallen(const core::Board& board,
                                   const std::vector<core::Parting>& partings);

// Used by one thread at a time.
class FaultDesk {
 public:
  // Accepts faults for that run from now on, until it is closed.
  void open(std::uint32_t run, core::Steering& steering);
  // Closes the run: it takes no more faults. Returns how many faults were caused by hand in the
  // run.
  std::uint32_t close(std::uint32_t run);
  [[nodiscard]] std::uint32_t count(std::uint32_t run) const;
  // How many of these faults cut peers off.
  [[nodiscard]] std::uint32_t cuts(std::uint32_t run) const;

  // Posts the command. Returns the answer if it is known at once; else answers() gives it later.
  [[nodiscard]] std::optional<Answer> take(const std::string& client, std::uint32_t run,
                                           core::OperatorCommand operator_command);
  [[nodiscard]] bool is_awaited() const { return !awaited_.empty(); }
  // The answers that have come, each with the client that it is for.
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
