#include "tools/commands/guiding/hosts_report.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/core.h>

#include "core/peer/tagged.hpp"

namespace rhizome::tools {

namespace {

using Told = core::OneOf<HostFindings>;

std::string micro(core::Duration time) {
  return fmt::format("{:.0f} us", core::seconds(time) * 1e6);
}

// How far the clock of a host is ahead. Clocks count from an arbitrary start of their machine.
std::string clock_text(const HostFindings& found) {
  return fmt::format("{:+.3f} s, within {}", core::seconds(found.clock_offset),
                     micro(found.clock_bound));
}

std::string line_of(const HostFindings& found) {
  const std::string tightest =
      found.limits.empty()
          ? "-"
          : fmt::format("{} peers ({})", found.limits.front().peers, found.limits.front().name);
  return fmt::format("  {:>3}  {:<16} {:>3} of {:<3} {:<42} {:>10}  {}\n", found.process,
                     found.host, found.cores, found.host_cores, tightest,
                     found.process == 0 ? "-" : micro(found.round_trip),
                     found.process == 0 ? "-" : clock_text(found));
}

// The values by host, as in "2 on h1, 1 on h2", if they differ by more than the tolerated share;
// else empty. Free resources are never exactly equal, so they need a tolerance.
template <class Value>
std::string differing(const std::vector<HostFindings>& all, double tolerated, Value value) {
  std::string text;
  std::uint64_t least = value(all.front());
  std::uint64_t most = least;
  for (const HostFindings& each : all) {
    least = std::min<std::uint64_t>(least, value(each));
    most = std::max<std::uint64_t>(most, value(each));
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", value(each), each.host);
  }
  return static_cast<double>(most - least) > tolerated * static_cast<double>(most) ? text : "";
}

std::string differences(const std::vector<HostFindings>& all) {
  std::string text;
  const auto add = [&text](const std::string& what, const std::string& values) {
    if (!values.empty()) text += fmt::format("  {}: {}\n", what, values);
  };
  add("cores to be used", differing(all, 0, [](const HostFindings& each) { return each.cores; }));
  add("cores", differing(all, 0, [](const HostFindings& each) { return each.host_cores; }));
  for (const LimitFound& limit : all.front().limits)
    add(limit.name, differing(all, 0.1, [&limit](const HostFindings& each) -> std::uint64_t {
          const auto found = std::ranges::find_if(
              each.limits, [&](const LimitFound& other) { return other.name == limit.name; });
          return found == each.limits.end() ? 0 : found->value;
        }));
  return text;
}

}  // namespace

HostFindings findings_here(const core::Mesh& mesh) {
  const core::ProcessIdentity& identity = mesh.process(mesh.rank());
  const core::ClockOffset clock = mesh.clock();
  HostFindings found{.process = mesh.rank(),
                     .host = identity.host,
                     .cores = identity.cores,
                     .host_cores = identity.host_cores,
                     .round_trip = clock.best_round_trip(),
                     .clock_offset = clock.offset(),
                     .clock_bound = clock.bound()};
  core::raise_limits();
  for (const core::Limit& limit : core::machine_limits())
    found.limits.push_back({limit.name, limit.value, limit.peers});
  return found;
}

void send_findings(core::Mesh& mesh) {
  mesh.send(0, core::encode_tagged(Told(findings_here(mesh))));
}

std::vector<HostFindings> gather_findings(core::Mesh& mesh) {
  std::vector<std::optional<HostFindings>> found(mesh.size());
  found[0] = findings_here(mesh);
  for (std::uint32_t process = 1; process < mesh.size();) {
    if (found[process]) {
      ++process;
      continue;
    }
    if (const auto loss = mesh.loss_of(process))
      throw core::Unreachable(mesh.name_of(process) + " is lost: " + loss->why);
    const auto parcel = mesh.receive(std::chrono::milliseconds(500));
    if (!parcel) continue;
    const auto told = core::decode_tagged<Told>(parcel->bytes);
    if (!told)
      throw core::Unreachable("what " + mesh.name_of(parcel->from) + " says cannot be read");
    found[parcel->from] = std::get<HostFindings>(*told);
    found[parcel->from]->process = parcel->from;
  }
  std::vector<HostFindings> all;
  for (auto& each : found) all.push_back(std::move(*each));
  return all;
}

std::string text_of(const std::vector<HostFindings>& all) {
  std::string text = fmt::format("  {:>3}  {:<16} {:<10} {:<42} {:>10}  {}\n", "", "host", "cores",
                                 "the tightest limit", "round trip", "clock ahead");
  std::uint64_t peers = 0;
  std::uint64_t cores = 0;
  for (const HostFindings& each : all) {
    text += line_of(each);
    cores += each.cores;
    if (!each.limits.empty()) peers += each.limits.front().peers;
  }
  const std::string differ = differences(all);
  text += differ.empty() ? "All have the same cores and limits.\n" : "What differs:\n" + differ;
  text += fmt::format(
      "Together {} cores, and peers by their limits: {} if each has a host to itself.\n", cores,
      peers);
  return text;
}

}  // namespace rhizome::tools
