#include "scenarios/world/network/queueing.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/peer/limit_exceeded.hpp"
#include "core/peer/packet.hpp"

namespace rhizome::scenarios {

namespace {

// The messages of one peer for a task: request, task, forwarding and result, of about this many
// bytes beside their data.
constexpr double messages_of_a_task = 4;
constexpr double bytes_of_a_message = 64 + core::header_bytes;

// 0: without limit.
double slowest_bytes_per_second(const WorldSections& sections) {
  const auto lines = slowest_lines(sections.network, sections.peers);
  const auto slowest = std::ranges::min_element(lines);
  return slowest == lines.end() ? 0 : static_cast<double>(slowest->bits_per_second) / 8;
}

// The bytes that a transfer has under way at a time.
double ahead(std::uint64_t size, const FilesSection& files) {
  return static_cast<double>(
      std::min(size, std::uint64_t{agents::files::widest_window} * files.chunk));
}

}  // namespace

// A file of the run goes to every peer once.
Backlog::Backlog(const WorldSections& sections) : sections_(sections) {
  bytes_per_second_ = slowest_bytes_per_second(sections);
  for (const FileInputSection& input : sections.files.inputs)
    if (input.per == FilePer::run)
      bytes_ += sections.peers.count * ahead(input.size, sections.files);
  most_ = bytes_;
}

double Backlog::bytes_of(const agents::Job& job) const {
  const WorkloadSection& work = sections_.workload;
  const FilesSection& files = sections_.files;
  const auto tasks = static_cast<double>(job.portions.size());
  double bytes_of_a_task = messages_of_a_task * bytes_of_a_message +
                           static_cast<double>(work.payload + work.result_payload) +
                           ahead(files.output, files);
  double bytes = 0;
  for (const FileInputSection& input : files.inputs) {
    if (input.per == FilePer::task) bytes_of_a_task += ahead(input.size, files);
    if (input.per == FilePer::job)
      bytes += std::min<double>(tasks, sections_.peers.count) * ahead(input.size, files);
  }
  for (const agents::Dependency& edge : job.dependencies) bytes += static_cast<double>(edge.bytes);
  return bytes + tasks * bytes_of_a_task;
}

void Backlog::add(const agents::Job& job) {
  if (bytes_per_second_ == 0) return;
  const double passed = core::seconds(job.arrival - arrival_) * bytes_per_second_;
  arrival_ = job.arrival;
  bytes_ = std::max(0.0, bytes_ - passed) + bytes_of(job);
  most_ = std::max(most_, bytes_);
}

core::Duration Backlog::longest() const {
  return bytes_per_second_ == 0 ? core::Duration::zero()
                                : core::from_seconds(most_ / bytes_per_second_);
}

double seconds_on_line(const WorldSections& sections, const agents::Profile& profile) {
  const double rate = slowest_bytes_per_second(sections);
  if (rate == 0) return 0;
  const WorkloadSection& work = sections.workload;
  double bytes_of_a_task = messages_of_a_task * bytes_of_a_message +
                           static_cast<double>(work.payload + work.result_payload) +
                           static_cast<double>(sections.files.output);
  double bytes = static_cast<double>(profile.graphs.bytes);
  for (const FileInputSection& input : sections.files.inputs) {
    const auto size = static_cast<double>(input.size);
    const double peers = sections.peers.count;
    if (input.per == FilePer::task) bytes_of_a_task += size;
    if (input.per == FilePer::job)
      bytes +=
          static_cast<double>(profile.jobs) * std::min<double>(peers, profile.largest_job) * size;
    if (input.per == FilePer::run) bytes += peers * size;
  }
  return (bytes + static_cast<double>(profile.tasks) * bytes_of_a_task) / rate;
}

std::optional<agents::Job> MeteredArrivals::next() {
  std::optional<agents::Job> job = all_.next();
  if (!job) return job;
  backlog_.add(*job);
  seen_ += job->portions.size() * (1 + inputs_);
  if (seen_ > most_)
    throw core::LimitExceeded(
        fmt::format("the jobs have more than {} tasks{}, and each of them is made: take fewer",
                    most_, inputs_ > 0 ? " and inputs of tasks" : ""));
  return job;
}

}  // namespace rhizome::scenarios
