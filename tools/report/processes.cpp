#include "tools/report/parts.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rhizome::tools {

using scenarios::ProcessRecord;

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;  // by the head of their column

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.0f} us", seconds * 1e6)
                        : fmt::format("{:.2f} ms", seconds * 1e3);
}

std::string crossed_text(const ProcessRecord& process) {
  std::uint64_t messages = 0;
  for (const core::Burden& burden : process.crossed) messages += burden.messages;
  return std::to_string(messages);
}

// The clock of process 0 is the reference.
Cells cells_of(const ProcessRecord& process, bool is_first) {
  return {{"cores", fmt::format("{} of {}", process.cores, process.host_cores)},
          {"peers", std::to_string(process.peers)},
          {"runs", std::to_string(process.runs)},
          {"round trip", is_first ? "-" : time_text(process.round_trip)},
          {"clock within", is_first ? "-" : time_text(process.clock_bound)},
          {"sent to others", crossed_text(process)},
          {"lost", process.lost.empty() ? "no" : process.lost}};
}

void add_row(Element body, const std::string& name, const Cells& cells) {
  Element row = body.add("tr");
  row.add("th", {{"scope", "row"}, {"class", "whole"}}).text(name);
  for (const auto& [head, text] : cells) row.add("td", {{"data-of", head}}).text(text);
  body.end_line();
}

}  // namespace

void add_processes(Element page, const scenarios::RunRecord& record, Outline& outline) {
  const std::vector<ProcessRecord>& processes = record.processes;
  if (processes.empty()) return;
  outline.add(page, "Processes");
  Element table = page.add("div", {{"class", "scroll"}}).add("table", {{"class", "stack"}});
  table.add("caption").text(
      "Who did these runs together" +
      (record.launch ? ", begun by " + record.launch->launcher : "") +
      ". Round trips are the shortest to process 0 and back that were "
      "measured; clocks are known to be no further from its clock than that. Peers and messages "
      "are those of the last run.");
  Element head = table.add("thead").add("tr");
  head.add("th", {{"scope", "col"}}).text("process");
  for (const auto& [name, text] : cells_of(processes.front(), true))
    head.add("th", {{"scope", "col"}}).text(name);
  Element body = table.add("tbody");
  for (std::size_t i = 0; i < processes.size(); ++i)
    add_row(body, fmt::format("{} on {}", i, processes[i].host), cells_of(processes[i], i == 0));
  page.end_line();
}

}  // namespace rhizome::tools
