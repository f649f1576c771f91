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

// One shell for all commands, so that their answers are of nearly one moment. The last line tells
// a complete answer from one that breaks off. Names of jobs may have line ends, so that only the
// user's own jobs are asked for them, after the queue: each of these that waited in it has a name
// then, even if it has begun or ended meanwhile.
constexpr const char* questions =
    "export SLURM_TIME_FORMAT=%s; "
    "sinfo --noheader --Node --format='node %N %T' || exit; "
    "jobs=$(squeue --noheader --states=PENDING --sort=-p,i "
    "--Format='JobID:32,NumNodes:12,UserName:64,EligibleTime:24,Reason:64') || exit; "
    "names=$(squeue --noheader --states=all --user=\"$(id -u)\" --Format='JobID:32,Name:64') || "
    "exit; "
    "printf '%s\\n' \"$names\" | sed -n 's/^./own &/p'; "
    "printf '%s\\n' \"$jobs\" | sed -n 's/^./job &/p'; "
    "date '+end %s'";

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

struct WaitingJob {
  std::string number;
  std::string user;
  std::uint32_t nodes = 0;
  std::int64_t eligible = 0;
};

// Takes the lines in their order.
class QueueReader {
 public:
  explicit QueueReader(const std::string& ours) : ours_(ours) {}

  void read(const std::string& line) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    const bool known = (kind == "node" && read_node(words)) || (kind == "own" && read_own(words)) ||
                       (kind == "job" && read_job(words)) || (kind == "end" && read_end(words));
    if (!known && queue_.warning.empty())
      queue_.warning = "a line of sinfo or squeue cannot be read: \"" + line + "\"";
  }

  [[nodiscard]] SlurmQueue result() {
    if (!now_) throw NoSlurm("the answer of sinfo and squeue is not complete");
    queue_.nodes = static_cast<std::uint32_t>(nodes_.size());
    if (!top_) return queue_;
    queue_.top = top_->number;
    queue_.user = top_->user;
    queue_.state.required = top_->nodes;
    queue_.state.waited = std::chrono::seconds(std::max<std::int64_t>(0, *now_ - top_->eligible));
    return queue_;
  }

 private:
  bool read_node(std::istream& words) {
    std::string name;
    std::string state;
    if (!(words >> name >> state)) return false;
    if (nodes_.insert(name).second && is_idle(state)) ++queue_.state.idle;
    return true;
  }

  bool read_own(std::istream& words) {
    std::string number;
    std::string name;
    words >> number >> name;
    if (!ours_.empty() && name.starts_with(ours_ + "-")) own_.insert(number);
    return true;
  }

  // A job that does not wait for nodes may have no time.
  bool read_job(std::istream& words) {
    WaitingJob job;
    std::string nodes;
    std::string eligible;
    std::string reason;
    if (!(words >> job.number >> nodes >> job.user >> eligible >> reason)) return false;
    if (!waits_for_nodes(reason) || own_.contains(job.number)) return true;
    const auto count = core::parse_number<std::int64_t>(nodes);
    const auto since = core::parse_number<std::int64_t>(eligible);
    if (!count || *count < 1 || *count > std::numeric_limits<std::uint32_t>::max() || !since)
      return false;
    job.nodes = static_cast<std::uint32_t>(*count);
    job.eligible = *since;
    if (!top_) top_ = job;
    return true;
  }

  bool read_end(std::istream& words) {
    std::string time;
    words >> time;
    now_ = core::parse_number<std::int64_t>(time);
    return true;
  }

  const std::string& ours_;
  SlurmQueue queue_;
  std::set<std::string> nodes_;  // a node stands there once for each of its partitions
  std::set<std::string> own_;    // jobs of our nodes
  std::optional<WaitingJob> top_;
  std::optional<std::int64_t> now_;
};

std::vector<std::string> ask() {
  constexpr std::size_t most = std::size_t{32} << 20U;  // bytes: some 100,000 jobs
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  core::Dialogue shell({.words = {"/bin/sh", "-c", questions}});
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  while (lines.empty() || !lines.back().starts_with("end ")) {
    const auto line = shell.line(
        std::max(core::Duration::zero(), core::Duration(until - std::chrono::steady_clock::now())));
    if (!line) throw NoSlurm("sinfo and squeue do not answer within 30 s");
    bytes += line->size() + sizeof(std::string);
    if (bytes > most) throw NoSlurm("the answer of sinfo and squeue is longer than 32 MiB");
    lines.emplace_back(*line);
  }
  return lines;
}

}  // namespace

SlurmQueue parse_slurm_queue(std::span<const std::string> lines, const std::string& ours) {
  QueueReader reader(ours);
  for (const std::string& line : lines) reader.read(line);
  return reader.result();
}

SlurmQueue read_slurm_queue(const std::string& ours) {
  try {
    return parse_slurm_queue(ask(), ours);
  } catch (const NoSlurm&) {
    throw;
  } catch (const std::runtime_error& error) {  // no answer, or no process to ask in
    throw NoSlurm(std::string("Slurm cannot be asked: ") + error.what());
  }
}

}  // namespace rhizome::tools
