#include "tools/timeline/trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "scenarios/outcome/kind_index.hpp"
#include "scenarios/outcome/tree.hpp"
#include "tools/timeline/executions.hpp"

namespace rhizome::tools {

namespace {

using core::PeerId;

// Times in the format are microseconds; fractions keep the nanoseconds. Perfetto cuts a thousand
// times the number off to an integer, so a fraction that fell short by rounding would begin a
// nanosecond early, within the slice before it: the least number that comes out right is taken.
double microseconds(Duration since) {
  const auto nanoseconds = static_cast<double>(since.count());
  double number = nanoseconds / 1000;
  while (number * 1000 < nanoseconds)
    number = std::nextafter(number, std::numeric_limits<double>::infinity());
  return number;
}
double microseconds(Time at) { return microseconds(at - Time{}); }

// Names have no time and come first; events of one time keep their order, so that a flow follows
// the slice that it binds to.
void order_by_time(Json& events) {
  const auto time_of = [](const Json& event) {
    return event.contains("ts") ? event.at("ts").get<double>() : -1;
  };
  std::ranges::stable_sort(events.items(),
                           [&](const Json& a, const Json& b) { return time_of(a) < time_of(b); });
}

// Process 0 is the run itself.
std::uint64_t process_of(PeerId peer) { return std::uint64_t{peer.value} + 1; }
// Below the slots of a peer.
constexpr std::uint64_t moves_lane = 0;
constexpr std::uint64_t sent_lane = 1;
constexpr std::uint64_t received_lane = 2;
std::uint64_t thread_of(std::uint32_t lane) { return std::uint64_t{lane} + 3; }

std::string task_name(agents::TaskId task) {
  return "task " + std::to_string(task.job) + "." + std::to_string(task.portion);
}

Json named(const char* what, std::uint64_t process, std::uint64_t thread, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

class Trace {
 public:
  explicit Trace(const Outcome& outcome) : outcome_(outcome), kinds_(outcome.kinds) {}

  std::string text() {
    add_names();
    add_executions();
    add_moves();
    add_faults();
    add_traffic();
    add_messages();
    order_by_time(events_);
    const Identity& identity = outcome_.identity;
    Json trace{{"displayTimeUnit", "ms"},
               {"otherData",
                {{"scenario", identity.scenario},
                 {"scheduler", identity.label},
                 {"engine", identity.engine},
                 {"seed", std::to_string(identity.seed)},
                 {"validity", std::string(name_of(outcome_.validity.level))}}}};
    trace["traceEvents"] = std::move(events_);  // not copied, as it would be in the braces above
    return line_of(trace) + "\n";
  }

 private:
  static std::string_view name_of(Validity::Level level) {
    if (level == Validity::Level::valid) return "valid";
    return level == Validity::Level::suspect ? "suspect" : "invalid";
  }

  void add_names() {
    events_.push_back(named("process_name", 0, 0, "run"));
    for (const PeerOutcome& peer : outcome_.peers) {
      const std::string name = "peer " + std::to_string(peer.id.value) + ", speed " +
                               std::to_string(peer.speed).substr(0, 4);
      events_.push_back(named("process_name", process_of(peer.id), moves_lane, name));
      events_.push_back(named("thread_name", process_of(peer.id), moves_lane, "moves"));
    }
  }

  void add_executions() {
    std::set<std::pair<PeerId, std::uint32_t>> lanes;
    for (const Execution& execution : executions_of(outcome_)) {
      if (lanes.emplace(execution.peer, execution.lane).second)
        events_.push_back(named("thread_name", process_of(execution.peer),
                                thread_of(execution.lane),
                                "slot " + std::to_string(execution.lane + 1)));
      events_.push_back({{"ph", "X"},
                         {"name", task_name(execution.task)},
                         {"cat", execution.ended ? "task" : "task,cut-off"},
                         {"pid", process_of(execution.peer)},
                         {"tid", thread_of(execution.lane)},
                         {"ts", microseconds(execution.from)},
                         {"dur", microseconds(execution.until - execution.from)},
                         {"args", {{"job", execution.task.job}, {"ended", execution.ended}}}});
    }
  }

  void instant(const std::string& name, const char* category, PeerId peer, Time at, Json args) {
    events_.push_back({{"ph", "i"},
                       {"s", "t"},
                       {"name", name},
                       {"cat", category},
                       {"pid", process_of(peer)},
                       {"tid", moves_lane},
                       {"ts", microseconds(at)},
                       {"args", std::move(args)}});
  }

  void add_moves() {
    for (const TreeMove& move : moves_until(outcome_, Time::max())) {
      if (move.reason == "crash") continue;  // told as a fault
      const Json to = move.to == core::no_peer ? Json(nullptr) : Json(move.to.value);
      const Json from = move.from == core::no_peer ? Json(nullptr) : Json(move.from.value);
      instant(move.reason, "move", move.peer, move.at, {{"from", from}, {"to", to}});
    }
  }

  void add_faults() {
    for (const core::Fault& fault : outcome_.faults)
      instant(std::string(core::name_of(fault.kind)), "fault", fault.peer, fault.at,
              Json::object());
  }

  void add_traffic() {
    for (const SampleOutcome& sample : outcome_.samples) {
      Json counts = Json::object();
      for (std::size_t c = 0; c < core::message_classes; ++c)
        counts[std::string(core::name_of(static_cast<core::MessageClass>(c)))] = sample.messages[c];
      events_.push_back({{"ph", "C"},
                         {"name", "messages"},
                         {"pid", 0},
                         {"ts", microseconds(sample.from)},
                         {"args", counts}});
      events_.push_back({{"ph", "C"},
                         {"name", "tasks completed"},
                         {"pid", 0},
                         {"ts", microseconds(sample.from)},
                         {"args", {{"tasks", sample.completed}}}});
    }
  }

  [[nodiscard]] std::string kind_name(const MessageOutcome& message) const {
    const MessageKind* kind = kinds_.find(message.service, message.type);
    return kind == nullptr ? "message" : kind->name;
  }

  // An instant at each end, and the flow between them; a flow binds to the slice that it begins or
  // ends in, so both ends are slices of no length.
  void add_end(const char* kind, const MessageOutcome& message, std::size_t id) {
    const bool start = *kind == 's';
    const std::uint64_t process = process_of(start ? message.from : message.to);
    const std::uint64_t thread = start ? sent_lane : received_lane;
    const double at = microseconds(start ? message.sent : message.received);
    const std::string name = kind_name(message);
    events_.push_back({{"ph", "X"},
                       {"name", name},
                       {"cat", "message"},
                       {"pid", process},
                       {"tid", thread},
                       {"ts", at},
                       {"dur", 0},
                       {"args",
                        {{"cause", std::string(core::name_of(message.cause))},
                         {"from", message.from.value},
                         {"to", message.to.value},
                         {"portions", message.units},
                         {"bytes", message.bytes}}}});
    events_.push_back({{"ph", kind},
                       {"id", id},
                       {"name", name},
                       {"cat", "message"},
                       {"pid", process},
                       {"tid", thread},
                       {"ts", at}});
    if (!start) events_.items().back()["bp"] = "e";
  }

  void add_messages() {
    if (outcome_.messages.empty()) return;
    for (const PeerOutcome& peer : outcome_.peers) {
      events_.push_back(named("thread_name", process_of(peer.id), sent_lane, "sent"));
      events_.push_back(named("thread_name", process_of(peer.id), received_lane, "received"));
    }
    std::size_t id = 0;
    for (const MessageOutcome& message : outcome_.messages) {
      add_end("s", message, ++id);
      add_end("f", message, id);
    }
  }

  const Outcome& outcome_;
  const scenarios::KindIndex kinds_;
  Json events_ = Json::array();
};

}  // namespace

namespace {

// When the first execution of each task ended.
std::map<agents::TaskId, Time> first_ends(const std::vector<Execution>& executions) {
  std::map<agents::TaskId, Time> first;
  for (const Execution& execution : executions)
    if (execution.ended) {
      Time& end = first.try_emplace(execution.task, execution.until).first->second;
      end = std::min(end, execution.until);
    }
  return first;
}

// Gaps from a crash or a leave until the next life, or the end; from the start if the first life
// begins with a join.
std::vector<GanttGap> gaps_of(const Outcome& outcome) {
  std::map<PeerId, Time> gone;
  std::set<PeerId> known;
  std::vector<GanttGap> gaps;
  const auto add = [&](PeerId peer, Time from, Time until) {
    gaps.push_back({.row = peer.value,
                    .from = core::seconds(from - Time{}),
                    .until = core::seconds(until - Time{})});
  };
  for (const core::Fault& fault : outcome.faults) {
    const bool first = known.insert(fault.peer).second;
    if (first && fault.kind == core::Fault::Kind::join) gone[fault.peer] = Time{};
    if (core::ends_life(fault.kind)) {
      gone.try_emplace(fault.peer, fault.at);
    } else if (const auto since = gone.find(fault.peer); since != gone.end()) {
      add(fault.peer, since->second, fault.at);
      gone.erase(since);
    }
  }
  for (const auto& [peer, since] : gone)
    if (since < outcome.ended) add(peer, since, outcome.ended);
  return gaps;
}

}  // namespace

std::string trace_of(const Outcome& outcome) { return Trace(outcome).text(); }

Chart schedule_of(const Outcome& outcome) {
  const std::vector<Execution> executions = executions_of(outcome);
  std::map<PeerId, std::uint32_t> lanes;
  for (const Execution& execution : executions)
    lanes[execution.peer] = std::max(lanes[execution.peer], execution.lane + 1);
  const std::map<agents::TaskId, Time> first = first_ends(executions);
  std::vector<GanttBar> bars;
  for (const Execution& execution : executions)
    bars.push_back({.row = execution.peer.value,
                    .lane = execution.lane,
                    .lanes = lanes[execution.peer],
                    .from = core::seconds(execution.from - Time{}),
                    .until = core::seconds(execution.until - Time{}),
                    .came = !execution.ended                             ? ExecutionEnd::cut_off
                            : execution.until > first.at(execution.task) ? ExecutionEnd::again
                                                                         : ExecutionEnd::ended,
                    .name = std::to_string(execution.task.job) + '.' +
                            std::to_string(execution.task.portion)});
  std::vector<GanttMark> marks;
  for (const TreeMove& move : moves_until(outcome, Time::max()))
    if (move.reason != "join")
      marks.push_back(
          {.row = move.peer.value, .at = core::seconds(move.at - Time{}), .kind = move.reason});
  Chart chart{.id = outcome.identity.label + "-schedule",
              .title = "Schedule",
              .caption =
                  "Peers down, emulated seconds across, executions coloured by what came of them: "
                  "one ended, ended once more after another of its task had, or was cut off; "
                  "neighbours differ in shade. Marks are moves in the tree, and grey is the time "
                  "in which a peer was gone.",
              .spec = gantt_chart({.bars = std::move(bars),
                                   .marks = std::move(marks),
                                   .gaps = gaps_of(outcome),
                                   .rows = static_cast<std::uint32_t>(outcome.peers.size())})};
  // A screen reader is told this instead of ten thousand shapes.
  chart.spec["description"] = std::to_string(executions.size()) + " executions on " +
                              std::to_string(outcome.peers.size()) + " peers. " + chart.caption;
  return chart;
}

}  // namespace rhizome::tools
