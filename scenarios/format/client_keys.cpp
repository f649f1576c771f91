#include "scenarios/format/client_keys.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "agents/program/protocols.hpp"

namespace rhizome::scenarios {

namespace {

using core::Settings;

// "files.input#0" is within "files".
std::string_view outermost(std::string_view section) {
  return section.substr(0, section.find_first_of(".#"));
}

// The keys of clients that replace keys of jobs.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> counterparts{
    {{"jobs", "operations"},
     {"spacing", "rate"},
     {"portion_time", "operation_time"},
     {"arrivals", "arrivals"}}};

std::string remedy(const Entry& entry) {
  if (outermost(entry.section) == "client")
    return "without [[protocol]]: clients ask programs that stand in [[protocol]]";
  const auto known =
      std::ranges::find_if(counterparts, [&](const auto& pair) { return pair.first == entry.key; });
  const bool has = entry.section == "workload" && known != counterparts.end();
  return "beside [[protocol]]: [client] says what clients ask" +
         (has ? ", with the key \"" + std::string(known->second) + "\"" : std::string());
}

}  // namespace

std::vector<Section> client_sections() {
  using S = ClientSection;
  return {
      {.name = "client",
       .about = "What clients ask of a [[protocol]], in place of jobs.",
       .settings =
           Settings<S>{}
               .add("workload", &S::workload,
                    {"echo", "unique-ids", "broadcast", "g-counter", "lin-kv", "peer-sampling"},
                    {"What clients ask, and which answers are right; a scenario with [[protocol]] "
                     "must say it. An open run judges each answer by itself, and not what peers "
                     "know at its end. Built-in overlays serve peer-sampling.",
                     "Maelstrom, doc/workloads.md"})
               .add("rate", &S::rate,
                    {"Operations per second that all clients together begin.", "our choice", 1e-3,
                     1e6})
               .add("arrivals", &S::arrivals, {"constant", "exponential"},
                    {"How the times between operations are distributed.", "our choice"})
               .add("operations", &S::operations, {"How many.", "our choice", 1, 10'000'000})
               .add("operation_time", &S::operation_time,
                    {"How long an operation takes a processor of its peer, at speed 1.",
                     "our choice", 1e-6, 1e6})
               .add("timeout", &S::timeout,
                    {"How long a client waits for an answer. More lets slow services answer; "
                     "without one, the operation may or may not have taken effect.",
                     "Maelstrom: 5 s", 0.001, 1e6})
               .add("settle", &S::settle,
                    {"How long clients are quiet before they ask every peer what it knows at the "
                     "end. Less demands that news spreads faster.",
                     "Maelstrom: 10 s", 0, 1e6})
               .list(),
       .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario.client; }}};
}

bool is_dormant(const std::string& section, bool protocols) {
  const std::string_view table = outermost(section);
  return protocols ? table == "workload" || table == "files" : table == "client";
}

void object_to_mixture(const Document& document, Objections& objections) {
  const bool protocols = document.count("protocol") > 0;
  for (const WrittenTable& table : document.tables)
    objections.attempt([&] {
      if (protocols && table.name == "scheduler")
        refuse(table.at(),
               "[[scheduler]] cannot stand beside [[protocol]]: clients ask protocols, and a "
               "scheduler gets jobs");
    });
  for (const Entry& entry : document.entries)
    objections.attempt([&] {
      if (is_dormant(entry.section, protocols))
        refuse(entry.at, "\"" + entry.key + "\" has no effect " + remedy(entry));
    });
}

void object_to_client_key(const Entry& entry, bool protocols) {
  const std::string& key = entry.key;
  const std::string as = key == "clients" ? "workload" : key == "client_timeout" ? "timeout" : key;
  const std::vector<Section> sections = client_sections();
  if (sections.front().find(as) == nullptr) return;
  const std::string table = protocols ? "" : "write [[protocol]] in place of [[scheduler]], and ";
  refuse(entry.at,
         "\"" + key + "\" is no option of a program: " + table + "say \"" + as + "\" in [client]");
}

void apply_client(Scenario& scenario) {
  if (!scenario.protocols) return;
  const ClientSection& client = scenario.client;
  scenario.workload = {};
  scenario.workload.jobs = client.operations;
  scenario.workload.portions = 1;
  scenario.workload.portion_time = client.operation_time;
  scenario.workload.arrivals = client.arrivals;
  scenario.workload.spacing = core::from_seconds(1 / client.rate);
  for (SchedulerChoice& choice : scenario.schedulers)
    agents::program::ask(choice.options, {client.workload, client.timeout, client.settle});
}

}  // namespace rhizome::scenarios
