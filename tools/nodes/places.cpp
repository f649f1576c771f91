#include "tools/nodes/places.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/child/dialogue.hpp"
#include "core/child/own_program.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/launch/slurm_queue.hpp"
#include "tools/monitor/web/door/token.hpp"

namespace rhizome::tools {

namespace {

std::string job_of(const std::string& name, std::uint32_t node) {
  return name + "-" + std::to_string(node);
}

// Waits for its end. A job that has ended needs no cancelling, and other errors of scancel cannot
// be handled.
void cancel_job(const std::string& job) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point until = Clock::now() + std::chrono::seconds(10);
  try {
    core::Dialogue scancel({.words = {"scancel", "--quiet", "--name=" + job}});
    while (scancel.line(std::max(core::Duration::zero(), until - Clock::now()))) continue;
  } catch (const std::runtime_error&) {
    return;  // its end
  }
}

void cancel_jobs(const std::string& name, std::uint32_t nodes) {
  for (std::uint32_t node = 0; node < nodes; ++node) cancel_job(job_of(name, node));
}

constexpr std::size_t name_digits = 12;  // of a name
constexpr std::uint32_t most_left = 10'000;

std::string new_name() { return job_prefix + new_token().substr(0, name_digits); }

bool is_job_name(const std::string& name) {
  const std::size_t prefix = std::string_view(job_prefix).size();
  return name.starts_with(job_prefix) && name.size() == prefix + name_digits &&
         name.find_first_not_of("0123456789abcdef", prefix) == std::string::npos;
}

// In a folder that others may write to, they could name jobs there that are no workers. A user may
// have a file of that name.
void cancel_what_is_left(const std::filesystem::path& record) {
  std::error_code error;
  if (std::filesystem::symlink_status(record, error).type() ==
      std::filesystem::file_type::not_found)
    return;
  std::istringstream text(scenarios::read_plain_file(record, 1000).value_or(""));
  std::string name;
  std::uint32_t nodes = 0;
  if (!scenarios::is_own_file(record) || !(text >> name >> nodes) || !is_job_name(name))
    throw scenarios::CannotWrite(
        record.string() +
        ": would hold the names of the server's Slurm jobs, and is no such "
        "file: move it away, or name another store");
  cancel_jobs(name, std::min(nodes, most_left));
}

}  // namespace

SlurmPlaces::SlurmPlaces(const std::filesystem::path& record, std::uint32_t nodes, Warn warn)
    : record_(record), name_(new_name()), warn_(std::move(warn)) {
  static_cast<void>(read_slurm_queue());
  cancel_what_is_left(record_);
  scenarios::write_whole(record_, name_ + " " + std::to_string(nodes) + "\n");
}

SlurmPlaces::~SlurmPlaces() {
  std::error_code ignored;  // the next start then cancels what there is no more
  std::filesystem::remove(record_, ignored);
}

// Within a job of Slurm, srun would begin a step of that job instead of a job.
std::vector<std::string> SlurmPlaces::command(std::uint32_t node) {
  return {"env",
          "-u",
          "SLURM_JOB_ID",
          "-u",
          "SLURM_JOBID",
          "srun",
          "--quiet",
          "--nodes=1",
          "--ntasks=1",
          "--exclusive",
          "--mpi=none",
          "--job-name=" + job_of(name_, node),
          core::program_file(),
          "worker"};
}

void SlurmPlaces::give_back(std::uint32_t node) { cancel_job(job_of(name_, node)); }

// A node stays idle in Slurm's answer until the job of a starting worker begins.
agents::provision::ClusterState SlurmPlaces::state(std::uint32_t starting) {
  const SlurmQueue queue = read_slurm_queue(name_);
  if (!queue.warning.empty() && !warned_.exchange(true) && warn_) warn_(queue.warning);
  agents::provision::ClusterState state = queue.state;
  state.idle -= std::min(state.idle, starting);
  return state;
}

HostPlaces::HostPlaces(const std::vector<HostShare>& hosts, std::string ssh)
    : ssh_(std::move(ssh)) {
  for (const HostShare& share : hosts) hosts_.insert(hosts_.end(), share.processes, share.host);
  free_.assign(hosts_.begin(), hosts_.end());
}

std::vector<std::string> HostPlaces::command(std::uint32_t node) {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) throw std::runtime_error("a worker runs on each of the hosts");
  const std::string& host = taken_[node] = free_.front();
  free_.pop_front();
  return ssh_words(ssh_, host,
                   shell_line({.directory = std::filesystem::current_path().string(),
                               .program = core::program_file(),
                               .words = {"worker"},
                               .settings = {}}));
}

void HostPlaces::give_back(std::uint32_t node) {
  const std::scoped_lock lock(mutex_);
  if (const auto host = taken_.extract(node)) free_.push_back(host.mapped());
}

agents::provision::ClusterState HostPlaces::state(std::uint32_t) {
  const std::scoped_lock lock(mutex_);
  return {.idle = static_cast<std::uint32_t>(free_.size())};
}

}  // namespace rhizome::tools
