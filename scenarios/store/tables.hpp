// The tables of the results store, except those of facts (fact_tables.cpp). Times and durations are
// in nanoseconds of emulated time. A task that was not submitted, started or completed has NULL for
// that time. core::no_peer is stored as NULL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/outcome/most.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/table.hpp"

namespace rhizome::scenarios {

// Types of rows that are parts of an outcome.
using Choice = std::pair<std::string, std::string>;
struct MetricValue {
  std::string_view name;
  std::optional<double> value;
};
struct PeerBurden {
  core::PeerId peer;
  std::size_t position = 0;  // among the rows of the peer
  core::BurdenRow burden;
};
struct PeerDrops {
  core::PeerId peer;
  core::Drop reason{};
  std::uint64_t packets = 0;
};
struct PeerLine {
  core::PeerId peer;
  std::string direction;
  core::ChannelUsage usage;
};
struct LostPeer {
  std::size_t loss = 0;
  core::PeerId peer;
};
struct Bucket {
  std::size_t histogram = 0;
  HistogramBucket bucket;
};

// Convert stored values back. All throw DatabaseError for a value that this program never writes.
[[nodiscard]] std::uint64_t seed_of(const std::string& text);
[[nodiscard]] std::uint32_t from_one(std::uint32_t repetition);
// A name as it is shown. It may occur very often, so names of excessive length are refused.
[[nodiscard]] std::string shown_name(const std::string& text, std::size_t longest);
// The name of an invariant of the catalogue. Readers search lists of these names.
[[nodiscard]] std::string known_invariant(const std::string& name);

// A column for a name that users are shown, hundreds of times on a page.
template <class Part>
constexpr auto shown(Words name, Part part, Words meaning, std::size_t longest = 64U << 10U) {
  return special(
      name, part,
      [part, longest](auto& row, const std::string& kept) {
        part(row) = shown_name(kept, longest);
      },
      meaning);
}

inline constexpr std::size_t longest_file_name = 255;

// A column for a name of the program's own that is shown with each of very many messages.
template <class Part>
constexpr auto own_name(Words name, Part part, Words meaning) {
  return shown(name, part, meaning, 200);
}

template <std::size_t Class>
inline constexpr auto message_count = [](auto& sample) -> auto& {
  return sample.messages[Class];
};

inline constexpr auto runs_table = table<Outcome>(
    "runs", "", "One line per run; all other tables refer to it.",
    shown("scenario", at<&Outcome::identity, &Identity::scenario>, "the name of the scenario",
          longest_file_name),
    shown("scheduler", at<&Outcome::identity, &Identity::scheduler>, "its name in the catalogue",
          longest_label),
    shown("label", at<&Outcome::identity, &Identity::label>, "its name in the scenario",
          longest_label),
    shown("engine", at<&Outcome::identity, &Identity::engine>, "threads or virtual", longest_label),
    column("time_scale", at<&Outcome::identity, &Identity::time_scale>,
           "emulated seconds for each real one, on threads"),
    special(
        "seed", [](const auto& run) { return std::to_string(run.identity.seed); },
        [](auto& run, const std::string& kept) { run.identity.seed = seed_of(kept); },
        "from which all its chance derives; a text, for it has 64 bits"),
    special(
        "repetition", [](const auto& run) { return run.identity.repetition + 1; },
        [](auto& run, std::uint32_t kept) { run.identity.repetition = from_one(kept); }, "from 1"),
    column("ending", at<&Outcome::ending>,
           "finished, limit (time ran out), interrupted or open (its time was over)"),
    column("failure", at<&Outcome::failure>, "why peers gave it up; empty: none did"),
    column("at_least_once", at<&Outcome::at_least_once>, "1: the scheduler may run a task twice"),
    column("most_hops", at<&Outcome::most_hops>,
           "of a task to its executor, that it promises at most; 0: nothing"),
    column("in_time_ns", at<&Outcome::in_time>,
           "by when it promises the last result without faults; 0: it does not"),
    column("notice_ns", at<&Outcome::patience, &Patience::notice>,
           "until its peers notice that one is gone"),
    column("mend_ns", at<&Outcome::patience, &Patience::mend>,
           "from then on, until its structure is mended"),
    column("longest_delay_ns", at<&Outcome::longest_delay>, "of the network, one way"),
    column("queueing", at<&Outcome::queueing>, "1: messages wait for lines or processors"),
    column("unseen", at<&Outcome::unseen>, "tasks of the workload that no peer was ever handed"),
    column("open_for_ns", at<&Outcome::open_for>, "how long it was to take; 0: until all was done"),
    column("ended_ns", at<&Outcome::ended>, "when it ended, since its start"),
    column("events", at<&Outcome::events>, "events that its peers handled"),
    column("working", at<&Outcome::working>, "executions under way at the end"),
    column("validity", at<&Outcome::validity, &Validity::level>,
           "of the emulation: valid, suspect or invalid"),
    shown("reason", at<&Outcome::validity, &Validity::reason>, "why it is not valid"),
    shown("remedy", at<&Outcome::validity, &Validity::remedy>, "what to change then"),
    column("worst_lag_ns", at<&Outcome::validity, &Validity::worst_lag>,
           "the largest 99th percentile of how late events were"),
    column("tolerance_ns", at<&Outcome::validity, &Validity::tolerance>,
           "the lag that is still valid"));

inline constexpr auto cells_table = table<Choice>(
    "cells", "position", "What a sweep chose for the run.", position,
    shown("key", at<&Choice::first>, "the key of the scenario that was swept", longest_key),
    shown("value", at<&Choice::second>, "what it was in this run", longest_value));

inline constexpr auto metrics_table = table<MetricValue>(
    "metrics", "metric",
    "Repeats what the other tables imply, for those who query or export; it is not read back.",
    special("metric", at<&MetricValue::name>, Unread{}, "its name: see rhizome list"),
    special("value", at<&MetricValue::value>, Unread{},
            "in the unit of the metric; NULL: it has none here"));

inline constexpr auto kinds_table = table<MessageKind>(
    "kinds", "position", "The types of messages that peers can send.", position,
    column("service_index", at<&MessageKind::service_index>, "which protocol of its peer, from 0"),
    column("type", at<&MessageKind::type>, "which of its protocol's messages, from 0"),
    own_name("service", at<&MessageKind::service>, "the name of the protocol"),
    own_name("name", at<&MessageKind::name>, "of the message"),
    column("class", at<&MessageKind::message_class>,
           "what the messages carry: job, result or information"));

inline constexpr auto peers_table = table<PeerOutcome>(
    "peers", "peer", "How each peer ended.",
    column("peer", at<&PeerOutcome::id>, "its number, from 0"),
    column("speed", at<&PeerOutcome::speed>,
           "a task takes its duration divided by this, while all peers of its group are at work"),
    column("slots", at<&PeerOutcome::slots>, "tasks that it runs at once"),
    column("share", at<&PeerOutcome::share>,
           "of a processor that it shares, which is in its speed; 1: it shares none"),
    column("restarts", at<&PeerOutcome::restarts>, "lives begun after the start of the run"),
    column("alive", at<&PeerOutcome::alive>, "1: at the end"),
    column("finished", at<&PeerOutcome::finished>, "1: it said that all was done"),
    column("armed", at<&PeerOutcome::armed>,
           "its timers that were armed after the end, though they were to be at rest"),
    column("busy_ns", at<&PeerOutcome::busy>,
           "of its slots within the makespan, on executions that ended"),
    column("sent", at<&PeerOutcome::sent>, "packets"),
    column("received", at<&PeerOutcome::received>, "packets that it handled"),
    column("duplicated", at<&PeerOutcome::duplicated>, "packets to it that the network doubled"),
    column("in_flight", at<&PeerOutcome::in_flight>,
           "packets to it that were under way at the end"));

inline constexpr auto burdens_table = table<PeerBurden>(
    "burdens", "peer, position", "What each peer sent and received, by type and cause.",
    column("peer", at<&PeerBurden::peer>, "at which peer, from 0; NULL: at none"), position,
    column("service_index", at<&PeerBurden::burden, &core::BurdenRow::service>,
           "which protocol of its peer, from 0"),
    column("type", at<&PeerBurden::burden, &core::BurdenRow::type>,
           "which of its protocol's messages, from 0"),
    column("class", at<&PeerBurden::burden, &core::BurdenRow::message_class>,
           "what the messages carry: job, result or information"),
    column("cause", at<&PeerBurden::burden, &core::BurdenRow::cause>, "what they were sent for"),
    column("sent_messages",
           at<&PeerBurden::burden, &core::BurdenRow::sent, &core::Burden::messages>, "messages"),
    column("sent_bytes", at<&PeerBurden::burden, &core::BurdenRow::sent, &core::Burden::bytes>,
           "with 40 for each header"),
    column("sent_units", at<&PeerBurden::burden, &core::BurdenRow::sent, &core::Burden::units>,
           "tasks or results that these messages move"),
    column("received_messages",
           at<&PeerBurden::burden, &core::BurdenRow::received, &core::Burden::messages>,
           "messages"),
    column("received_bytes",
           at<&PeerBurden::burden, &core::BurdenRow::received, &core::Burden::bytes>,
           "with 40 for each header"),
    column("received_units",
           at<&PeerBurden::burden, &core::BurdenRow::received, &core::Burden::units>,
           "tasks or results that these messages move"));

inline constexpr auto drops_table =
    table<PeerDrops>("drops", "peer, reason",
                     "Packets of a peer that ended without being handled; reasons for which there "
                     "are none have no row.",
                     column("peer", at<&PeerDrops::peer>, "at which peer, from 0; NULL: at none"),
                     column("reason", at<&PeerDrops::reason>,
                            "lost and partitioned: by a link; down: its receiver had crashed; ..."),
                     column("packets", at<&PeerDrops::packets>, "how many packets"));

inline constexpr auto lines_table = table<PeerLine>(
    "lines", "peer, direction",
    "What passed the access line of a peer, where a bandwidth limits it.",
    column("peer", at<&PeerLine::peer>, "at which peer, from 0; NULL: at none"),
    column("direction", at<&PeerLine::direction>, "up or down"),
    column("packets", at<&PeerLine::usage, &core::ChannelUsage::packets>, "how many packets"),
    column("busy_ns", at<&PeerLine::usage, &core::ChannelUsage::busy>, "in which something passed"),
    column("waited_ns", at<&PeerLine::usage, &core::ChannelUsage::waited>,
           "that packets waited for those before them, all added up"),
    column("longest_ns", at<&PeerLine::usage, &core::ChannelUsage::longest>,
           "that a packet waited"));

inline constexpr auto tasks_table = table<TaskOutcome>(
    "tasks", "job, portion", "One line per task.",
    column("job", at<&TaskOutcome::id, &agents::TaskId::job>, "which job, from 0"),
    column("portion", at<&TaskOutcome::id, &agents::TaskId::portion>,
           "which task of its job, from 0"),
    column("duration_ns", at<&TaskOutcome::duration>, "on a peer of speed 1"),
    time_if("submitted_ns", at<&TaskOutcome::submitted>, at<&TaskOutcome::submitted_at>,
            "when it was handed in and might run; NULL: never"),
    special(
        "started_ns",
        [](const auto& task) {
          return task.starts > 0 ? std::optional(task.started_at) : std::nullopt;
        },
        [](auto& task, const std::optional<Time>& kept) {
          task.started_at = kept.value_or(Time{});
        },
        "when it was first begun; NULL: never"),
    time_if("completed_ns", at<&TaskOutcome::completed>, at<&TaskOutcome::completed_at>,
            "when its source had the result; NULL: never"),
    column("executor", at<&TaskOutcome::executor>, "whose result came first; NULL: none came",
           Missing::possible),
    column("starts", at<&TaskOutcome::starts>, "executions that began"),
    column("executions", at<&TaskOutcome::executions>, "executions that ended"),
    column("completions", at<&TaskOutcome::completions>,
           "times that its source took a result for the first"),
    column("duplicates", at<&TaskOutcome::duplicates>, "results beyond the first"),
    column("reissues", at<&TaskOutcome::reissues>, "times that it was handed out again"));

inline constexpr auto needs_table = table<NeedOutcome>(
    "needs", "job, portion, needs", "Tasks of graphs, and those that must be done before them.",
    column("job", at<&NeedOutcome::job>, "which job, from 0"),
    column("portion", at<&NeedOutcome::portion>, "which task of its job, from 0"),
    column("needs", at<&NeedOutcome::needs>, "the portion of the other"));

inline constexpr auto jobs_table = table<JobOutcome>(
    "jobs", "job", "One line per job.", column("job", at<&JobOutcome::id>, "which job, from 0"),
    column("arrived_ns", at<&JobOutcome::arrived>, "when it was handed in"),
    time_if("completed_ns", at<&JobOutcome::completed>, at<&JobOutcome::completed_at>,
            "when its last task was; NULL: never"),
    column("portions", at<&JobOutcome::portions>,
           "how many tasks it has; 0 if the process where it entered was lost"),
    column("work_ns", at<&JobOutcome::work>, "of all its tasks at speed 1"),
    column("longest_ns", at<&JobOutcome::longest>, "of its tasks at speed 1"));

inline constexpr auto faults_table =
    table<core::Fault>("faults", "position", "Who came and went, as scheduled.", position,
                       column("at_ns", at<&core::Fault::at>, "when, since the start of the run"),
                       column("peer", at<&core::Fault::peer>,
                              "at which peer, from 0; NULL: at none", Missing::possible),
                       column("kind", at<&core::Fault::kind>, "crash, restart, leave or join"));

inline constexpr auto samples_table = table<SampleOutcome>(
    "samples", "position",
    "What all peers sent in each sampling period, by class; long runs have longer ones.", position,
    column("from_ns", at<&SampleOutcome::from>, "when it began, since the start of the run"),
    column("information", message_count<0>, "messages of this class that all peers sent"),
    column("job", message_count<1>, "messages of this class that all peers sent"),
    column("result", message_count<2>, "messages of this class that all peers sent"),
    column("completed", at<&SampleOutcome::completed>, "tasks"));

inline constexpr auto messages_table = table<MessageOutcome>(
    "messages", "position", "Every message received, where the scenario asks for a log.", position,
    column("sent_ns", at<&MessageOutcome::sent>, "when it was sent"),
    column("received_ns", at<&MessageOutcome::received>, "when it was handled"),
    column("sender", at<&MessageOutcome::from>, "which peer"),
    column("receiver", at<&MessageOutcome::to>, "which peer"),
    column("service_index", at<&MessageOutcome::service>, "which protocol of its peer, from 0"),
    column("type", at<&MessageOutcome::type>, "which of its protocol's messages, from 0"),
    column("cause", at<&MessageOutcome::cause>, "what they were sent for"),
    column("units", at<&MessageOutcome::units>, "tasks or results that it moves"),
    column("bytes", at<&MessageOutcome::bytes>, "with 40 for the header"));

inline constexpr auto histograms_table = table<HistogramOutcome>(
    "histograms", "position", "Lags, handlers and inboxes of the thread engine.", position,
    own_name("name", at<&HistogramOutcome::name>, "its name"));

inline constexpr auto buckets_table = table<Bucket>(
    "buckets", "histogram, upper", "How often each value was seen, up to an upper bound.",
    column("histogram", at<&Bucket::histogram>, "its position in the table histograms"),
    column("upper", at<&Bucket::bucket, &HistogramBucket::upper>,
           "the largest value that is counted here"),
    column("count", at<&Bucket::bucket, &HistogramBucket::count>, "how many values"));

inline constexpr auto violations_table = table<Violation>(
    "violations", "position", "Broken invariants.", position,
    column("invariant", at<&Violation::invariant>, "which rule"),
    column("peer", at<&Violation::peer>, "at which peer, from 0; NULL: at none", Missing::possible),
    column("at_ns", at<&Violation::at>, "when, since the start of the run"),
    column("text", at<&Violation::text>, "what was broken, and the facts that led there"));

inline constexpr auto judged_table = table<Judged>(
    "judged", "position", "How much of each invariant of structure was judged.", position,
    special(
        "invariant", at<&Judged::invariant>,
        [](Judged& row, const std::string& name) { row.invariant = known_invariant(name); },
        "which rule"),
    column("judged_ns", at<&Judged::judged>,
           "of this time, all peers added up, a mistake would have been told"),
    column("whole_ns", at<&Judged::whole>, "all time of peers in the structure"));

inline constexpr auto cuts_table = table<NetworkCut>(
    "cuts", "position", "Times in which the network was parted.", position,
    column("from_ns", at<&NetworkCut::from>, "when it began, since the start of the run"),
    column("until_ns", at<&NetworkCut::until>, "when it ended, since the start of the run"));

inline constexpr auto stalls_table = table<core::Stall>(
    "stalls", "position", "Times in which the thread of a peer did not do what was due.", position,
    column("peer", at<&core::Stall::peer>, "at which peer, from 0; NULL: at none"),
    column("from_ns", at<&core::Stall::from>, "when it began, since the start of the run"),
    column("until_ns", at<&core::Stall::until>, "when it ended, since the start of the run"));

inline constexpr auto losses_table = table<core::LostPeers>(
    "losses", "position",
    "Processes that were lost while the run went on. Their peers have no packets in the other "
    "tables: over all peers and losses, sent + duplicated + received (losses) = received (peers) + "
    "in flight + dropped + handed over.",
    position,
    column("why", at<&core::LostPeers::why>, "which process, on which host, and how it showed"),
    column("last_heard_ns", at<&core::LostPeers::last_heard>,
           "when something was last heard of it, since the start of the run"),
    column("noticed_ns", at<&core::LostPeers::noticed>,
           "when it was given up, since the start of the run"),
    column("handed_over", at<&core::LostPeers::handed_over>,
           "packets that the other processes had sent to it"),
    column("received", at<&core::LostPeers::received>,
           "packets that the other processes had received from it"));

inline constexpr auto lost_peers_table =
    table<LostPeer>("lost_peers", "loss, peer", "The peers of a lost process.",
                    column("loss", at<&LostPeer::loss>, "its position in the table losses"),
                    column("peer", at<&LostPeer::peer>, "at which peer, from 0; NULL: at none"));

// All tables, in the order in which they are created.
inline constexpr auto outcome_tables =
    std::tie(runs_table, cells_table, metrics_table, kinds_table, peers_table, burdens_table,
             drops_table, lines_table, tasks_table, needs_table, jobs_table, faults_table,
             samples_table, messages_table, histograms_table, buckets_table, violations_table,
             judged_table, cuts_table, stalls_table, losses_table, lost_peers_table);

}  // namespace rhizome::scenarios
