#include "scenarios/store/columns.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace rhizome::scenarios {

namespace {

struct Meaning {
  std::string_view column;  // of every table, or of one: "table.column"
  std::string_view words;
};

constexpr Meaning meanings[] = {
    // Of several tables.
    {"run", "which run: see the table runs"},
    {"position", "in the order in which they are listed, from 0"},
    {"peer", "at which peer, from 0; NULL: at none"},
    {"at_ns", "when, since the start of the run"},
    {"from_ns", "when it began, since the start of the run"},
    {"until_ns", "when it ended, since the start of the run"},
    {"number", "of the facts that this peer noted"},
    {"job", "which job, from 0"},
    {"portion", "which task of its job, from 0"},
    {"class", "what the messages carry: job, result or information"},
    {"cause", "what they were sent for"},
    {"service_index", "which protocol of its peer, from 0"},
    {"type", "which of its protocol's messages, from 0"},
    {"reason", "why"},
    {"invariant", "which rule"},
    {"packets", "how many packets"},
    {"name", "its name"},
    {"executor", "which peer ran it"},

    {"runs.scenario", "the name of the scenario"},
    {"runs.scheduler", "its name in the catalogue"},
    {"runs.label", "its name in the scenario"},
    {"runs.engine", "threads or virtual"},
    {"runs.time_scale", "emulated seconds for each real one, on threads"},
    {"runs.seed", "from which all its chance derives; a text, for it has 64 bits"},
    {"runs.repetition", "from 1"},
    {"runs.ending", "finished, limit (time ran out), interrupted or open (its time was over)"},
    {"runs.failure", "why peers gave it up; empty: nobody did"},
    {"runs.at_least_once", "1: the scheduler may run a task twice"},
    {"runs.most_hops", "of a task to its executor, that it promises at most; 0: nothing"},
    {"runs.in_time_ns", "by when it promises the last result without faults; 0: it does not"},
    {"runs.notice_ns", "until its peers notice that one is gone"},
    {"runs.mend_ns", "from then on, until its structure is mended"},
    {"runs.longest_delay_ns", "of the network, one way"},
    {"runs.queueing", "1: messages wait for lines or processors"},
    {"runs.unseen", "tasks of the workload that nobody was ever handed"},
    {"runs.open_for_ns", "how long it was to take; 0: until all was done"},
    {"runs.ended_ns", "when it ended, since its start"},
    {"runs.events", "events that its peers handled"},
    {"runs.working", "executions under way at the end"},
    {"runs.validity", "of the emulation: valid, suspect or invalid"},
    {"runs.reason", "why it is not valid"},
    {"runs.remedy", "what to change then"},
    {"runs.worst_lag_ns", "the largest 99th percentile of how late events were"},
    {"runs.tolerance_ns", "the lag that is still valid"},
    {"cells.key", "the key of the scenario that was swept"},
    {"cells.value", "what it was in this run"},
    {"metrics.metric", "its name: see rhizome list"},
    {"metrics.value", "in the unit of the metric; NULL: it has none here"},
    {"kinds.service", "the name of the protocol"},
    {"kinds.name", "of the message"},
    {"peers.peer", "its number, from 0"},
    {"peers.share", "of a processor that it shares, which is in its speed; 1: it shares none"},
    {"needs.needs", "the portion of the other"},
    {"peers.speed",
     "a task takes its duration divided by this, while all peers of its group are at work"},
    {"peers.slots", "tasks that it runs at once"},
    {"peers.restarts", "lives begun after the start of the run"},
    {"peers.alive", "1: at the end"},
    {"peers.finished", "1: it said that all was done"},
    {"peers.armed", "its timers that were armed after the end, though they were to be at rest"},
    {"peers.busy_ns", "of its slots within the makespan, on executions that ended"},
    {"peers.sent", "packets"},
    {"peers.received", "packets that it handled"},
    {"peers.duplicated", "packets to it that the network doubled"},
    {"peers.in_flight", "packets to it that were under way at the end"},
    {"burdens.sent_messages", "messages"},
    {"burdens.sent_bytes", "with 40 for each header"},
    {"burdens.sent_units", "tasks or results that these messages move"},
    {"burdens.received_messages", "messages"},
    {"burdens.received_bytes", "with 40 for each header"},
    {"burdens.received_units", "tasks or results that these messages move"},
    {"drops.reason", "lost and partitioned: by a link; down: its receiver had crashed; ..."},
    {"lines.direction", "up or down"},
    {"lines.busy_ns", "in which something passed"},
    {"lines.waited_ns", "that packets waited for those before them, all added up"},
    {"lines.longest_ns", "that a packet waited"},
    {"tasks.duration_ns", "on a peer of speed 1"},
    {"tasks.submitted_ns", "when it was handed in and might run; NULL: never"},
    {"tasks.started_ns", "when it was first begun; NULL: never"},
    {"tasks.completed_ns", "when its source had the result; NULL: never"},
    {"tasks.executor", "whose result came first; NULL: none came"},
    {"tasks.starts", "executions that began"},
    {"tasks.executions", "executions that ended"},
    {"tasks.completions", "times that its source took a result for the first"},
    {"tasks.duplicates", "results beyond the first"},
    {"tasks.reissues", "times that it was handed out again"},
    {"jobs.arrived_ns", "when it was handed in"},
    {"jobs.completed_ns", "when its last task was; NULL: never"},
    {"jobs.portions", "how many tasks it has"},
    {"jobs.work_ns", "of all its tasks at speed 1"},
    {"jobs.longest_ns", "of its tasks at speed 1"},
    {"faults.kind", "crash, restart, leave or join"},
    {"fact_task_computed.result", "what it came to, in words"},
    {"fact_task_computed.right", "1: that is what it must come to"},
    {"samples.information", "messages of this class that all peers sent"},
    {"samples.job", "messages of this class that all peers sent"},
    {"samples.result", "messages of this class that all peers sent"},
    {"samples.completed", "tasks"},
    {"messages.sent_ns", "when it was sent"},
    {"messages.received_ns", "when it was handled"},
    {"messages.sender", "which peer"},
    {"messages.receiver", "which peer"},
    {"messages.units", "tasks or results that it moves"},
    {"messages.bytes", "with 40 for the header"},
    {"buckets.histogram", "its position in the table histograms"},
    {"buckets.upper", "the largest value that is counted here"},
    {"buckets.count", "how many values"},
    {"violations.text", "what was broken, and the facts that led there"},
    {"judged.judged_ns", "of this time, all peers added up, a mistake would have been told"},
    {"judged.whole_ns", "all time of peers in the structure"},

    {"fact_job_submitted.arrived_ns", "when it was handed in"},
    {"fact_job_submitted.tasks", "how many"},
    {"fact_job_submitted.whole", "1: these are all of the job; 0: a part of them"},
    {"fact_job_submitted.work_ns", "of them all, at speed 1"},
    {"fact_job_submitted.longest_ns", "of them, at speed 1"},
    {"fact_graph_submitted.critical_path_ns", "the longest chain of its tasks, at speed 1"},
    {"fact_graph_submitted.depth", "tasks of the chain with most of them"},
    {"fact_graph_submitted.width", "tasks of the level with most of them"},
    {"fact_graph_submitted.edges", "how often a task needs another"},
    {"fact_graph_submitted.bytes", "that tasks are given by those that they need"},
    {"fact_task_submitted.duration_ns", "on a peer of speed 1"},
    {"fact_task_submitted.cpus", "slots that it takes"},
    {"fact_task_executed.took_ns", "how much service it had"},
    {"fact_files_wanted.files", "how many it needs"},
    {"fact_files_wanted.here", "of them, how many the peer had"},
    {"fact_files_awaited.waited_ns", "since it was to begin"},
    {"fact_file_fetched.file", "the first 53 bits of its name"},
    {"fact_file_fetched.bytes", "its size"},
    {"fact_file_fetched.chunks", "how many it has"},
    {"fact_file_fetched.again", "of them, how many times one was asked for again"},
    {"fact_file_fetched.took_ns", "since it was first asked for"},
    {"fact_file_fetched.output", "1: what a task left; 0: what tasks need"},
    {"fact_output_kept.bytes", "its size"},
    {"fact_output_kept.right", "1: it is what the task must leave"},
    {"fact_tasks_added.first", "the portion of the first of them"},
    {"fact_tasks_added.count", "how many"},
    {"fact_locator_started.forwards", "1: tasks leave forwarders behind"},
    {"fact_locator_started.sweeps", "1: these go once their task begins"},
    {"fact_datum_promised.bytes", "the size of the datum"},
    {"fact_datum_sent.again", "1: it was sent before"},
    {"fact_datum_given.hops", "messages that brought it"},
    {"fact_task_settled.epoch", "how often it has moved; 2^32 more each time that it was lost"},
    {"fact_task_settled.awaits", "data that it still needs"},
    {"fact_task_left.receiver", "where it goes"},
    {"fact_task_left.epoch", "in which it will be there"},
    {"fact_forwarder_left.next", "the peer to which it leads"},
    {"fact_forwarder_turned.next", "the peer to which it leads now"},
    {"fact_search_passed.next", "the peer to which it goes on"},
    {"giver_job", "the job of the task that gives it"},
    {"giver_portion", "which task of its job that is"},
    {"fact_datum_promised.address", "the peer where the task was known to be"},
    {"fact_address_learned.address", "the peer where the task was known to be"},
    {"fact_address_learned.former", "the epoch of the address that it takes the place of"},
    {"fact_datum_taken_along.epoch", "in which it is placed: 2^32 for each time that it was lost"},
    {"fact_datum_sent.address", "the peer where the task was known to be"},
    {"version", "the epoch in which it was there"},
    {"fact_task_handed.receiver", "which peer was to have it"},
    {"fact_task_reissued.holder", "which peer had it"},
    {"fact_service_lost.service_ns", "that it had had there"},
    {"fact_choice_outdated.dispatcher", "which peer had chosen"},
    {"fact_choice_outdated.others", "tasks that had come since that server was last heard of"},
    {"root", "of which tree: the peer at its root"},
    {"parent", "the peer above it now; NULL: none"},
    {"former", "the peer above it before; NULL: none"},
    {"leader", "the peer that leads the group; NULL: of none"},
    {"linked", "1: the edge appeared; 0: it went"},
    {"source", "the peer with the work"},
    {"known", "the peer to which the link goes"},
    {"cycle", "which, from 1"},
    {"share", "from 0 to 1"},
    {"link", "the peer to which it goes"},
    {"master", "the peer whose probe it is"},
    {"hops", "how often it was passed on"},
    {"next", "the peer that was chosen"},
    {"age_ns", "how old the knowledge was"},
    {"subject", "which peer is watched"},
    {"restarted", "1: it lives again; 0: it had lived on"},
    {"fact_head_elected.epoch", "the number of its time in office, which no other head has"},
    {"fact_standby_changed.epoch", "that of the head"},
    {"standby", "the peer that has a copy of the head's books; nobody: none has"},
    {"model", "its number, from 0"},
    {"workers", "how many it is given"},
    {"models", "how many have work"},
    {"queries", "tasks of the batch"},
    {"fact_batch_ended.took_ns", "from its begin to its end at the worker"},
    {"node", "which peer it is, from 0"},
    {"goal", "nodes that are wanted for what is left"},
    {"demand", "the goal without those that are held"},
    {"queue", "nodes that the top of the cluster's queue lacks, times how long it has waited"},
    {"nodes_index", "demand without queue: above 0, nodes are wanted"},
    {"reserved", "nodes that are held, without those that drain"},
    {"change", "nodes to add; below 0: to give back"},
    {"waited_ns", "from its submission to its begin"},
};

// Text within a statement must not end its line.
std::string line_of(const Column& column, bool last, const std::string& words) {
  const std::string declared = column.name + " " + column.type + (last ? "" : ",");
  return fmt::format("  {:<34} -- {}\n", declared, words);
}

}  // namespace

std::string meaning_of(std::string_view table, std::string_view column) {
  const std::string own = std::string(table) + "." + std::string(column);
  const Meaning* found = nullptr;
  for (const Meaning& meaning : meanings) {
    if (meaning.column == own || (meaning.column == column && found == nullptr)) found = &meaning;
  }
  if (found == nullptr) throw std::logic_error("nobody says what the column " + own + " means");
  return std::string(found->words) + (column.ends_with("_ns") ? ", in ns" : "");
}

std::string create_sql(const TableText& table) {
  const bool one = table.key.empty();
  std::string sql = "CREATE TABLE " + table.name + " (  -- " + table.meaning + "\n" +
                    line_of({"run", one ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL"}, false,
                            one ? "its number, from 1" : meaning_of(table.name, "run"));
  for (const Column& column : table.columns)
    sql += line_of(column, one && &column == &table.columns.back(),
                   meaning_of(table.name, column.name));
  return sql +
         (one ? ") STRICT;\n"
              : fmt::format("  PRIMARY KEY (run, {})\n) STRICT, WITHOUT ROWID;\n", table.key));
}

}  // namespace rhizome::scenarios
