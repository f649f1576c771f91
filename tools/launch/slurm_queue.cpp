#include "tools/launch/slurm_queue.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/child/dialogue.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::tools {

namespace {

// One shell for both commands, so that their answers are of nearly one moment. The last line tells
// a complete answer from one that breaks off.
constexpr const char* questions =
    "export SLURM_TIME_FORMAT=%s; "
    "sinfo --noheader --Node --format='node %N %T' || exit; "
    "jobs=$(squeue --noheader --states=PENDING --sort=-p,i "
    "--Format='JobID:32,NumNodes:12,UserName:64,EligibleTime:24,Reason:64,Name:64') || exit; "
    "printf '%s\\n' \"$jobs\" | sed -n 's/^./job &/p'; "
    "date '+end %s'";

[[noreturn]] void refuse_line(const std::string& line) {
  throw NoSlurm("a line of sinfo or squeue cannot be read: \"" + line + "\"");
}

// Nodes without jobs. Slurm adds a sign to the state. It plans nodes for a job on top of the queue,
// which are idle until that job begins; nodes that are powered off to save energy are idle too.
// Nodes that do not answer, or are under maintenance, are not.
bool is_idle(std::string_view state) {
  constexpr std::array<std::string_view, 6> idle{"idle",  "idle~",   "idle#",
                                                 "idle-", "planned", "planned~"};
  return std::ranges::find(idle, state) != idle.end();
}

bool waits_for_nodes(std::string_view reason) {
  return reason == "Resources" || reason == "Priority" || reason == "None";
}

bool is_ours(const std::string& name, const std::string& ours) {
  return !ours.empty() && name.starts_with(ours + "-");
}

struct WaitingJob {
  std::string number;
  std::string user;
  std::uint32_t nodes = 0;
  std::int64_t eligible = 0;
};

// Nothing for a job that does not wait for nodes: it may have no time.
std::optional<WaitingJob> job_in(std::istream& words, const std::string& line,
                                 const std::string& ours) {
  std::string number;
  std::string nodes;
  std::string user;
  std::string eligible;
  std::string reason;
  if (!(words >> number >> nodes >> user >> eligible >> reason)) refuse_line(line);
  std::string name;
  words >> name;
  if (!waits_for_nodes(reason) || is_ours(name, ours)) return {};
  const auto count = core::parse_number<std::int64_t>(nodes);
  const auto since = core::parse_number<std::int64_t>(eligible);
  if (!count || *count < 1 || *count > std::numeric_limits<std::uint32_t>::max() || !since)
    refuse_line(line);
  return WaitingJob{number, user, static_cast<std::uint32_t>(*count), *since};
}

std::vector<std::string> ask() {
  constexpr core::Duration longest = std::chrono::seconds(30);
  core::Dialogue shell({.words = {"/bin/sh", "-c", questions}});
  std::vector<std::string> lines;
  while (lines.empty() || !lines.back().starts_with("end ")) {
    const auto line = shell.line(longest);
    if (!line) throw NoSlurm("sinfo and squeue do not answer within 30 s");
    lines.emplace_back(*line);
  }
  return lines;
}

}  // namespace

SlurmQueue parse_slurm_queue(std::span<const std::string> lines, const std::string& ours) {
  SlurmQueue queue;
  std::set<std::string> nodes;  // a node stands there once for each of its partitions
  std::optional<WaitingJob> top;
  std::optional<std::int64_t> now;
  for (const std::string& line : lines) {
    std::istringstream words(line);
    std::string kind;
    std::string first;
    words >> kind;
    if (kind == "job") {
      const auto job = job_in(words, line, ours);
      if (!top) top = job;
    } else if (std::string state; kind == "node" && words >> first >> state) {
      if (nodes.insert(first).second && is_idle(state)) ++queue.state.idle;
    } else if (kind == "end" && words >> first) {
      now = core::parse_number<std::int64_t>(first);
    } else {
      refuse_line(line);
    }
  }
  if (!now) throw NoSlurm("the answer of sinfo and squeue is not complete");
  queue.nodes = static_cast<std::uint32_t>(nodes.size());
  if (!top) return queue;
  queue.top = top->number;
  queue.user = top->user;
  queue.state.required = top->nodes;
  queue.state.waited = std::chrono::seconds(std::max<std::int64_t>(0, *now - top->eligible));
  return queue;
}

SlurmQueue read_slurm_queue(const std::string& ours) {
  try {
    return parse_slurm_queue(ask(), ours);
  } catch (const core::DialogueError& error) {
    throw NoSlurm(std::string("Slurm cannot be asked: ") + error.what());
  }
}

}  // namespace rhizome::tools
