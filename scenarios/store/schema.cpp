#include "scenarios/store/schema.hpp"

#include <stdexcept>

#include "scenarios/store/columns.hpp"

namespace rhizome::scenarios {

namespace {

TableText text_of(const Table& table) {
  TableText text{.name = std::string(table.name),
                 .meaning = std::string(table.meaning),
                 .key = std::string(table.key),
                 .columns = {}};
  for (const ColumnText& column : table.columns)
    text.columns.push_back({.name = std::string(column.name),
                            .type = std::string(column.type),
                            .meaning = std::string(column.meaning)});
  return text;
}

// A seed is text because SQLite has no unsigned 64-bit integers.
constexpr ColumnText runs_columns[] = {
    {"scenario", "TEXT NOT NULL", "the name of the scenario"},
    {"scheduler", "TEXT NOT NULL", "its name in the catalogue"},
    {"label", "TEXT NOT NULL", "its name in the scenario"},
    {"engine", "TEXT NOT NULL", "threads or virtual"},
    {"time_scale", "REAL NOT NULL", "emulated seconds for each real one, on threads"},
    {"seed", "TEXT NOT NULL", "from which all its chance derives; a text, for it has 64 bits"},
    {"repetition", "INTEGER NOT NULL", "from 1"},
    {"ending", "TEXT NOT NULL",
     "finished, limit (time ran out), interrupted or open (its time was over)"},
    {"failure", "TEXT NOT NULL", "why peers gave it up; empty: nobody did"},
    {"at_least_once", "INTEGER NOT NULL", "1: the scheduler may run a task twice"},
    {"most_hops", "INTEGER NOT NULL",
     "of a task to its executor, that it promises at most; 0: nothing"},
    {"in_time_ns", "INTEGER NOT NULL",
     "by when it promises the last result without faults; 0: it does not"},
    {"notice_ns", "INTEGER NOT NULL", "until its peers notice that one is gone"},
    {"mend_ns", "INTEGER NOT NULL", "from then on, until its structure is mended"},
    {"longest_delay_ns", "INTEGER NOT NULL", "of the network, one way"},
    {"queueing", "INTEGER NOT NULL", "1: messages wait for lines or processors"},
    {"unseen", "INTEGER NOT NULL", "tasks of the workload that nobody was ever handed"},
    {"open_for_ns", "INTEGER NOT NULL", "how long it was to take; 0: until all was done"},
    {"ended_ns", "INTEGER NOT NULL", "when it ended, since its start"},
    {"events", "INTEGER NOT NULL", "events that its peers handled"},
    {"working", "INTEGER NOT NULL", "executions under way at the end"},
    {"validity", "TEXT NOT NULL", "of the emulation: valid, suspect or invalid"},
    {"reason", "TEXT NOT NULL", "why it is not valid"},
    {"remedy", "TEXT NOT NULL", "what to change then"},
    {"worst_lag_ns", "INTEGER NOT NULL", "the largest 99th percentile of how late events were"},
    {"tolerance_ns", "INTEGER NOT NULL", "the lag that is still valid"}};
constexpr ColumnText cells_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"key", "TEXT NOT NULL", "the key of the scenario that was swept"},
    {"value", "TEXT NOT NULL", "what it was in this run"}};
constexpr ColumnText metrics_columns[] = {
    {"metric", "TEXT NOT NULL", "its name: see rhizome list"},
    {"value", "REAL", "in the unit of the metric; NULL: it has none here"}};
constexpr ColumnText kinds_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"service_index", "INTEGER NOT NULL", "which protocol of its peer, from 0"},
    {"type", "INTEGER NOT NULL", "which of its protocol's messages, from 0"},
    {"service", "TEXT NOT NULL", "the name of the protocol"},
    {"name", "TEXT NOT NULL", "of the message"},
    {"class", "TEXT NOT NULL", "what the messages carry: job, result or information"}};
constexpr ColumnText peers_columns[] = {
    {"peer", "INTEGER NOT NULL", "its number, from 0"},
    {"speed", "REAL NOT NULL",
     "a task takes its duration divided by this, while all peers of its group are at work"},
    {"slots", "INTEGER NOT NULL", "tasks that it runs at once"},
    {"share", "REAL NOT NULL",
     "of a processor that it shares, which is in its speed; 1: it shares none"},
    {"restarts", "INTEGER NOT NULL", "lives begun after the start of the run"},
    {"alive", "INTEGER NOT NULL", "1: at the end"},
    {"finished", "INTEGER NOT NULL", "1: it said that all was done"},
    {"armed", "TEXT NOT NULL",
     "its timers that were armed after the end, though they were to be at rest"},
    {"busy_ns", "INTEGER NOT NULL", "of its slots within the makespan, on executions that ended"},
    {"sent", "INTEGER NOT NULL", "packets"},
    {"received", "INTEGER NOT NULL", "packets that it handled"},
    {"duplicated", "INTEGER NOT NULL", "packets to it that the network doubled"},
    {"in_flight", "INTEGER NOT NULL", "packets to it that were under way at the end"}};
constexpr ColumnText burdens_columns[] = {
    {"peer", "INTEGER NOT NULL", "at which peer, from 0; NULL: at none"},
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"service_index", "INTEGER NOT NULL", "which protocol of its peer, from 0"},
    {"type", "INTEGER NOT NULL", "which of its protocol's messages, from 0"},
    {"class", "TEXT NOT NULL", "what the messages carry: job, result or information"},
    {"cause", "TEXT NOT NULL", "what they were sent for"},
    {"sent_messages", "INTEGER NOT NULL", "messages"},
    {"sent_bytes", "INTEGER NOT NULL", "with 40 for each header"},
    {"sent_units", "INTEGER NOT NULL", "tasks or results that these messages move"},
    {"received_messages", "INTEGER NOT NULL", "messages"},
    {"received_bytes", "INTEGER NOT NULL", "with 40 for each header"},
    {"received_units", "INTEGER NOT NULL", "tasks or results that these messages move"}};
constexpr ColumnText drops_columns[] = {
    {"peer", "INTEGER NOT NULL", "at which peer, from 0; NULL: at none"},
    {"reason", "TEXT NOT NULL",
     "lost and partitioned: by a link; down: its receiver had crashed; ..."},
    {"packets", "INTEGER NOT NULL", "how many packets"}};
constexpr ColumnText lines_columns[] = {
    {"peer", "INTEGER NOT NULL", "at which peer, from 0; NULL: at none"},
    {"direction", "TEXT NOT NULL", "up or down"},
    {"packets", "INTEGER NOT NULL", "how many packets"},
    {"busy_ns", "INTEGER NOT NULL", "in which something passed"},
    {"waited_ns", "INTEGER NOT NULL", "that packets waited for those before them, all added up"},
    {"longest_ns", "INTEGER NOT NULL", "that a packet waited"}};
constexpr ColumnText tasks_columns[] = {
    {"job", "INTEGER NOT NULL", "which job, from 0"},
    {"portion", "INTEGER NOT NULL", "which task of its job, from 0"},
    {"duration_ns", "INTEGER NOT NULL", "on a peer of speed 1"},
    {"submitted_ns", "INTEGER", "when it was handed in and might run; NULL: never"},
    {"started_ns", "INTEGER", "when it was first begun; NULL: never"},
    {"completed_ns", "INTEGER", "when its source had the result; NULL: never"},
    {"executor", "INTEGER", "whose result came first; NULL: none came"},
    {"starts", "INTEGER NOT NULL", "executions that began"},
    {"executions", "INTEGER NOT NULL", "executions that ended"},
    {"completions", "INTEGER NOT NULL", "times that its source took a result for the first"},
    {"duplicates", "INTEGER NOT NULL", "results beyond the first"},
    {"reissues", "INTEGER NOT NULL", "times that it was handed out again"}};
constexpr ColumnText needs_columns[] = {
    {"job", "INTEGER NOT NULL", "which job, from 0"},
    {"portion", "INTEGER NOT NULL", "which task of its job, from 0"},
    {"needs", "INTEGER NOT NULL", "the portion of the other"}};
constexpr ColumnText jobs_columns[] = {
    {"job", "INTEGER NOT NULL", "which job, from 0"},
    {"arrived_ns", "INTEGER NOT NULL", "when it was handed in"},
    {"completed_ns", "INTEGER", "when its last task was; NULL: never"},
    {"portions", "INTEGER NOT NULL", "how many tasks it has"},
    {"work_ns", "INTEGER NOT NULL", "of all its tasks at speed 1"},
    {"longest_ns", "INTEGER NOT NULL", "of its tasks at speed 1"}};
constexpr ColumnText faults_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"at_ns", "INTEGER NOT NULL", "when, since the start of the run"},
    {"peer", "INTEGER", "at which peer, from 0; NULL: at none"},
    {"kind", "TEXT NOT NULL", "crash, restart, leave or join"}};
constexpr ColumnText samples_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"from_ns", "INTEGER NOT NULL", "when it began, since the start of the run"},
    {"information", "INTEGER NOT NULL", "messages of this class that all peers sent"},
    {"job", "INTEGER NOT NULL", "messages of this class that all peers sent"},
    {"result", "INTEGER NOT NULL", "messages of this class that all peers sent"},
    {"completed", "INTEGER NOT NULL", "tasks"}};
constexpr ColumnText messages_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"sent_ns", "INTEGER NOT NULL", "when it was sent"},
    {"received_ns", "INTEGER NOT NULL", "when it was handled"},
    {"sender", "INTEGER NOT NULL", "which peer"},
    {"receiver", "INTEGER NOT NULL", "which peer"},
    {"service_index", "INTEGER NOT NULL", "which protocol of its peer, from 0"},
    {"type", "INTEGER NOT NULL", "which of its protocol's messages, from 0"},
    {"cause", "TEXT NOT NULL", "what they were sent for"},
    {"units", "INTEGER NOT NULL", "tasks or results that it moves"},
    {"bytes", "INTEGER NOT NULL", "with 40 for the header"}};
constexpr ColumnText histograms_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"name", "TEXT NOT NULL", "its name"}};
constexpr ColumnText buckets_columns[] = {
    {"histogram", "INTEGER NOT NULL", "its position in the table histograms"},
    {"upper", "INTEGER NOT NULL", "the largest value that is counted here"},
    {"count", "INTEGER NOT NULL", "how many values"}};
constexpr ColumnText violations_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"invariant", "TEXT NOT NULL", "which rule"},
    {"peer", "INTEGER", "at which peer, from 0; NULL: at none"},
    {"at_ns", "INTEGER NOT NULL", "when, since the start of the run"},
    {"text", "TEXT NOT NULL", "what was broken, and the facts that led there"}};
constexpr ColumnText judged_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"invariant", "TEXT NOT NULL", "which rule"},
    {"judged_ns", "INTEGER NOT NULL",
     "of this time, all peers added up, a mistake would have been told"},
    {"whole_ns", "INTEGER NOT NULL", "all time of peers in the structure"}};
constexpr ColumnText cuts_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"from_ns", "INTEGER NOT NULL", "when it began, since the start of the run"},
    {"until_ns", "INTEGER NOT NULL", "when it ended, since the start of the run"}};
constexpr ColumnText stalls_columns[] = {
    {"position", "INTEGER NOT NULL", "in the order in which they are listed, from 0"},
    {"peer", "INTEGER NOT NULL", "at which peer, from 0; NULL: at none"},
    {"from_ns", "INTEGER NOT NULL", "when it began, since the start of the run"},
    {"until_ns", "INTEGER NOT NULL", "when it ended, since the start of the run"}};

constexpr Table tables[] = {
    {"runs", "One line per run; all other tables refer to it.", "", runs_columns},
    {"cells", "What a sweep chose for the run.", "position", cells_columns},
    {"metrics",
     "Repeats what the other tables imply, for those who query or export; it is not read back.",
     "metric", metrics_columns},
    {"kinds", "The types of messages that peers can send.", "position", kinds_columns},
    {"peers", "How each peer ended.", "peer", peers_columns},
    {"burdens", "What each peer sent and received, by type and cause.", "peer, position",
     burdens_columns},
    {"drops",
     "Packets of a peer that ended without being handled; reasons for which there are none have no "
     "row.",
     "peer, reason", drops_columns},
    {"lines", "What passed the access line of a peer, where a bandwidth limits it.",
     "peer, direction", lines_columns},
    {"tasks", "One line per task.", "job, portion", tasks_columns},
    {"needs", "Tasks of graphs, and those that must be done before them.", "job, portion, needs",
     needs_columns},
    {"jobs", "One line per job.", "job", jobs_columns},
    {"faults", "Who came and went, as scheduled.", "position", faults_columns},
    {"samples",
     "What all peers sent in each sampling period, by class; long runs have longer ones.",
     "position", samples_columns},
    {"messages", "Every message received, where the scenario asks for a log.", "position",
     messages_columns},
    {"histograms", "Lags, handlers and inboxes of the thread engine.", "position",
     histograms_columns},
    {"buckets", "How often each value was seen, up to an upper bound.", "histogram, upper",
     buckets_columns},
    {"violations", "Broken invariants.", "position", violations_columns},
    {"judged", "How much of each invariant of structure was judged.", "position", judged_columns},
    {"cuts", "Times in which the network was parted.", "position", cuts_columns},
    {"stalls", "Times in which the thread of a peer did not do what was due.", "position",
     stalls_columns}};

constexpr std::string_view summary = R"sql(  SELECT run, label, repetition, seed, ending, validity,
  max(value) FILTER (WHERE metric = 'makespan') AS makespan,
  max(value) FILTER (WHERE metric = 'mean_response') AS mean_response,
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
