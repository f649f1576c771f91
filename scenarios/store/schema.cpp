#include "scenarios/store/schema.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenarios/store/columns.hpp"

namespace rhizome::scenarios {

namespace {

std::vector<std::string> declarations_of(const Table& table) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < table.declarations.size();) {
    const std::size_t end = std::min(table.declarations.find(", ", at), table.declarations.size());
    list.emplace_back(table.declarations.substr(at, end - at));
    at = end + 2;
  }
  return list;
}

TableText text_of(const Table& table) {
  TableText text{.name = std::string(table.name),
                 .meaning = std::string(table.meaning),
                 .key = std::string(table.key),
                 .columns = {}};
  for (const std::string& declared : declarations_of(table)) {
    const std::size_t space = declared.find(' ');
    const bool open = declared.ends_with('?');
    const std::string type = declared.substr(space + 1, declared.size() - space - (open ? 2 : 1));
    text.columns.push_back({declared.substr(0, space), open ? type : type + " NOT NULL"});
  }
  return text;
}

// A seed is text because SQLite has no unsigned 64-bit integers.
constexpr Table tables[] = {
    {"runs", "One line per run; all other tables refer to it.", "",
     "scenario TEXT, scheduler TEXT, label TEXT, engine TEXT, time_scale REAL, seed TEXT, "
     "repetition INTEGER, ending TEXT, failure TEXT, at_least_once INTEGER, "
     "most_hops INTEGER, in_time_ns INTEGER, notice_ns INTEGER, mend_ns INTEGER, longest_delay_ns "
     "INTEGER, "
     "queueing INTEGER, unseen INTEGER, open_for_ns INTEGER, ended_ns INTEGER, events INTEGER, "
     "working INTEGER, "
     "validity TEXT, reason TEXT, remedy TEXT, worst_lag_ns INTEGER, tolerance_ns INTEGER"},
    {"cells", "What a sweep chose for the run.", "position",
     "position INTEGER, key TEXT, value TEXT"},
    {"metrics",
     "Repeats what the other tables imply, for those who query or export; it is not read back.",
     "metric", "metric TEXT, value REAL?"},
    {"kinds", "The types of messages that peers can send.", "position",
     "position INTEGER, service_index INTEGER, type INTEGER, service TEXT, name TEXT, "
     "class TEXT"},
    {"peers", "How each peer ended.", "peer",
     "peer INTEGER, speed REAL, slots INTEGER, share REAL, restarts INTEGER, alive INTEGER, "
     "finished INTEGER, armed TEXT, busy_ns INTEGER, sent INTEGER, received INTEGER, duplicated "
     "INTEGER, "
     "in_flight INTEGER"},
    {"burdens", "What each peer sent and received, by type and cause.", "peer, position",
     "peer INTEGER, position INTEGER, service_index INTEGER, type INTEGER, class TEXT, "
     "cause TEXT, sent_messages INTEGER, sent_bytes INTEGER, sent_units INTEGER, "
     "received_messages INTEGER, received_bytes INTEGER, received_units INTEGER"},
    {"drops",
     "Packets of a peer that ended without being handled; reasons for which there are none have "
     "no row.",
     "peer, reason", "peer INTEGER, reason TEXT, packets INTEGER"},
    {"lines", "What passed the access line of a peer, where a bandwidth limits it.",
     "peer, direction",
     "peer INTEGER, direction TEXT, packets INTEGER, busy_ns INTEGER, waited_ns INTEGER, "
     "longest_ns INTEGER"},
    {"tasks", "One line per task.", "job, portion",
     "job INTEGER, portion INTEGER, duration_ns INTEGER, submitted_ns INTEGER?, "
     "started_ns INTEGER?, completed_ns INTEGER?, executor INTEGER?, starts INTEGER, "
     "executions INTEGER, completions INTEGER, duplicates INTEGER, reissues INTEGER"},
    {"needs", "Tasks of graphs, and those that must be done before them.", "job, portion, needs",
     "job INTEGER, portion INTEGER, needs INTEGER"},
    {"jobs", "One line per job.", "job",
     "job INTEGER, arrived_ns INTEGER, completed_ns INTEGER?, portions INTEGER, "
     "work_ns INTEGER, longest_ns INTEGER"},
    {"faults", "Who came and went, as scheduled.", "position",
     "position INTEGER, at_ns INTEGER, peer INTEGER?, kind TEXT"},
    {"samples",
     "What all peers sent in each sampling period, by class; long runs have longer ones.",
     "position",
     "position INTEGER, from_ns INTEGER, information INTEGER, job INTEGER, result INTEGER, "
     "completed INTEGER"},
    {"messages", "Every message received, where the scenario asks for a log.", "position",
     "position INTEGER, sent_ns INTEGER, received_ns INTEGER, sender INTEGER, "
     "receiver INTEGER, service_index INTEGER, type INTEGER, cause TEXT, units INTEGER, "
     "bytes INTEGER"},
    {"histograms", "Lags, handlers and inboxes of the thread engine.", "position",
     "position INTEGER, name TEXT"},
    {"buckets", "How often each value was seen, up to an upper bound.", "histogram, upper",
     "histogram INTEGER, upper INTEGER, count INTEGER"},
    {"violations", "Broken invariants.", "position",
     "position INTEGER, invariant TEXT, peer INTEGER?, at_ns INTEGER, text TEXT"},
    {"judged", "How much of each invariant of structure was judged.", "position",
     "position INTEGER, invariant TEXT, judged_ns INTEGER, whole_ns INTEGER"},
    {"cuts", "Times in which the network was parted.", "position",
     "position INTEGER, from_ns INTEGER, until_ns INTEGER"},
    {"stalls", "Times in which the thread of a peer did not do what was due.", "position",
     "position INTEGER, peer INTEGER, from_ns INTEGER, until_ns INTEGER"}};

constexpr std::string_view summary = R"sql(  SELECT run, label, repetition, seed, ending, validity,
  max(value) FILTER (WHERE metric = 'makespan') AS makespan,
  max(value) FILTER (WHERE metric = 'mean_response') AS mean_response,
  max(value) FILTER (WHERE metric = 'p99_response') AS p99_response,
  max(value) FILTER (WHERE metric = 'mean_queueing') AS mean_queueing,
  max(value) FILTER (WHERE metric = 'job_messages') AS job_messages,
  max(value) FILTER (WHERE metric = 'result_messages') AS result_messages,
  max(value) FILTER (WHERE metric = 'information_messages') AS information_messages,
  coalesce((SELECT group_concat(choice, ' ') FROM (SELECT key || '=' || value AS choice
    FROM cells WHERE cells.run = runs.run ORDER BY position)), '') AS cell
  FROM runs JOIN metrics USING (run) GROUP BY run)sql";

constexpr std::string_view views = R"sql(;

CREATE VIEW peer_burdens AS  -- What each peer carried: sent and received together.
  SELECT run, label, peer, class,
  sum(sent_messages + received_messages) AS messages, sum(sent_bytes + received_bytes) AS bytes,
  sum(sent_units + received_units) AS units
  FROM burdens JOIN runs USING (run) GROUP BY run, peer, class;

CREATE VIEW kind_burdens AS  -- What all peers sent of each type of message, for each cause.
  SELECT run, label, service, name, burdens.class, cause,
  sum(sent_messages) AS messages, sum(sent_bytes) AS bytes, sum(sent_units) AS units
  FROM burdens JOIN runs USING (run) JOIN kinds USING (run, service_index, type)
  GROUP BY run, service_index, type, cause;
)sql";

}  // namespace

std::vector<std::string> Table::columns() const {
  std::vector<std::string> names;
  for (const std::string& declared : declarations_of(*this))
    names.push_back(declared.substr(0, declared.find(' ')));
  return names;
}

std::span<const Table> store_tables() { return tables; }

const Table& store_table(std::string_view name) {
  for (const Table& table : store_tables())
    if (table.name == name) return table;
  throw std::logic_error("the store has no table " + std::string(name));
}

std::vector<std::pair<std::string, std::string>> table_statements() {
  std::vector<std::pair<std::string, std::string>> statements;
  for (const Table& table : store_tables())
    statements.emplace_back(table.name, create_sql(text_of(table)));
  return statements;
}

std::string_view summary_select() { return summary; }

std::string schema_sql() {
  std::string sql;
  for (const auto& [name, statement] : table_statements()) sql += statement;
  return sql +
         "\nCREATE VIEW summary AS  -- One line per run with the figures most asked for, and what "
         "a "
         "sweep chose for it.\n" +
         std::string(summary) + std::string(views);
}

}  // namespace rhizome::scenarios
