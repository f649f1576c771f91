#include "test/bench/report.hpp"

#include <sys/resource.h>

#include <cstdarg>
#include <cstdio>

#include "scenarios/store/record.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::bench {

namespace {

template <class... A>
std::string format(const char* pattern, A... arguments) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, arguments...);
  return line;
}

std::string machine() {
  const scenarios::MachineRecord host = scenarios::this_host();
  return format("%s, %u cores, %.1f GiB, %s, g++ %s", host.processor.c_str(), host.cores,
                static_cast<double>(host.memory_bytes) / (1 << 30), host.kernel.c_str(),
                __VERSION__);
}

scenarios::Json json_of(const Row& row) {
  return {{"part", row.part},
          {"peers", row.peers},
          {"system", row.system},
          {"per_second", row.rate},
          {"slowest", row.slowest},
          {"fastest", row.fastest},
          {"startup_seconds", row.startup},
          {"seconds", row.seconds},
          {"bytes_per_peer", row.bytes_per_peer}};
}

scenarios::Json json_of(const Goal& goal) {
  return {{"goal", goal.text},
          {goal.words(), goal.limit},
          {"measured", goal.measured},
          {"met", goal.met()}};
}

}  // namespace

std::string render_table(const Report& report) {
  std::string text = machine() + "\n";
  text += format(
      "Medians of %u runs of %.2f s, each in a process of its own. Counted are messages of gossip "
      "(peers/2\ntokens of 100 bytes), of overlays shuffles.\n\n",
      report.repetitions, report.seconds_per_run);
  text += format("%-8s %7s  %-34s %10s %9s  %-19s %9s %9s\n", "part", "peers", "system",
                 "per second", "ns each", "slowest .. fastest", "start-up", "KiB/peer");
  for (const Row& row : report.rows)
    text += format("%-8s %7u  %-34s %10.0f %9.0f  %8.0f..%-9.0f %7.3f s %9.2f\n", row.part.c_str(),
                   row.peers, row.system.c_str(), row.rate, 1e9 / row.rate, row.slowest,
                   row.fastest, row.startup, row.bytes_per_peer / 1024);
  text += "\n";
  for (const Goal& goal : report.goals)
    text += format("%-6s %11.2f, %s %.2f: %s\n", goal.met() ? "met" : "MISSED", goal.measured,
                   goal.words(), goal.limit, goal.text.c_str());
  for (const std::string& remark : report.remarks) text += remark + "\n";
  return text;
}

std::string render_json(const Report& report) {
  scenarios::Json json{{"machine", machine()},
                       {"repetitions", report.repetitions},
                       {"seconds_per_run", report.seconds_per_run}};
  for (const Row& row : report.rows) json["rows"].push_back(json_of(row));
  for (const Goal& goal : report.goals) json["goals"].push_back(json_of(goal));
  json["remarks"] = report.remarks;
  return scenarios::text_of(json);
}

}  // namespace rhizome::bench
