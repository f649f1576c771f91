#include "scenarios/live/fault_desk.hpp"

#include <algorithm>

namespace rhizome::scenarios::live {

FaultCounts befallen(const core::Board& board, const std::vector<core::Parting>& partings) {
  FaultCounts counts;
  for (std::size_t i = 0; i < counts.peers.size(); ++i)
    counts.peers[i] = board.faults(static_cast<core::Fault::Kind>(i));
  counts.partings = static_cast<std::uint64_t>(std::ranges::count_if(
      partings, [&](const auto& parting) { return parting.from <= board.now(); }));
  return counts;
}

void FaultDesk::open(std::uint32_t run, core::Steering& steering) {
  runs_.insert_or_assign(run, &steering);
}

std::uint32_t FaultDesk::close(std::uint32_t run) {
  const std::uint32_t operator_commands = count(run);
  for (Awaited& awaited : awaited_)
    if (awaited.run == run)
      awaited.answer = answer_to(awaited).value_or(Refused{"the run has ended"});
  runs_.erase(run);
  return operator_commands;
}

std::uint32_t FaultDesk::count(std::uint32_t run) const {
  const auto steering = runs_.find(run);
  return steering == runs_.end() ? 0 : steering->second->count();
}

std::uint32_t FaultDesk::cuts(std::uint32_t run) const {
  const auto steering = runs_.find(run);
  if (steering == runs_.end()) return 0;
  const std::vector<core::OperatorCommand> operator_commands = steering->second->done();
  const auto cut_off = [](const core::OperatorCommand& operator_command) {
    return operator_command.kind == core::OperatorCommand::Kind::cut_off;
  };
  return static_cast<std::uint32_t>(std::ranges::count_if(operator_commands, cut_off));
}

std::optional<Answer> FaultDesk::take(const std::string& client, std::uint32_t run,
                                      core::OperatorCommand operator_command) {
  const auto steering = runs_.find(run);
  if (steering == runs_.end())
    return Refused{
        "the run was begun without --control, or with [provision], whose peers no fault may "
        "strike"};
  if (operator_command.peers.size() > Steer::most_peers)
    return Refused{"at most " + std::to_string(Steer::most_peers) + " peers can be named"};
  const auto number = steering->second->post(std::move(operator_command));
  if (!number) return Refused{"too many faults wait already"};
  awaited_.push_back({client, run, *number});
  return {};
}

std::vector<std::pair<std::string, Answer>> FaultDesk::answers() {
  std::vector<std::pair<std::string, Answer>> come;
  std::erase_if(awaited_, [&](const Awaited& awaited) {
    auto answer = answer_to(awaited);
    if (answer) come.emplace_back(awaited.client, *std::move(answer));
    return answer.has_value();
  });
  return come;
}

std::optional<Answer> FaultDesk::answer_to(const Awaited& awaited) {
  if (awaited.answer) return awaited.answer;
  const auto answer = runs_.at(awaited.run)->answer(awaited.number);
  if (!answer) return {};
  if (!answer->done) return Refused{answer->reason};
  return Done{text_of(*answer->done)};
}

}  // namespace rhizome::scenarios::live
