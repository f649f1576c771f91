#include "scenarios/store/schema.hpp"

#include <tuple>

#include "scenarios/store/tables.hpp"

namespace rhizome::scenarios {

namespace {

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

std::vector<std::pair<std::string, std::string>> table_statements() {
  std::vector<std::pair<std::string, std::string>> statements;
  std::apply(
      [&](const auto&... table) {
        (statements.emplace_back(table.name, create_sql(text_of(table))), ...);
      },
      outcome_tables);
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
