#include "tools/monitor/web/metrics_text.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "tools/monitor/web/exposition.hpp"

namespace rhizome::metrics_text_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;
using tools::Exposition;
using tools::metrics_text;

namespace {

bool has(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

Row below(std::uint32_t above) {
  Row row{};
  row[static_cast<std::size_t>(Column::state)] = 1;
  row[static_cast<std::size_t>(Column::above)] = above + 1;
  return row;
}

State state_of(const RunTitle& title) {
  Rows rows(3);
  rows.set(PeerId{1}, {5, 1, 2, 0, 9, 0, 0, 0, 0, 1, 0, 4, 0, (3U << 2U) | 1U, 1}, 4);
  State state;
  Frame frame{.number = 4, .run = title, .now = core::Time{2s}, .real = 4s};
  frame.totals = {.sent = {2, 5, 1},
                  .sent_bytes = {20, 50, 10},
                  .received = 6,
                  .alive = 1,
                  .tasks = {.completed = 7, .waiting = 11}};
  frame.totals.lateness[0] = {.seen = 1000, .late = 20, .very_late = 3};
  frame.cost.faults = {.peers = {4, 3, 2, 1}, .partings = 5};
  frame.cost.processes = {{0, "h1"}, {1, "h2", true}, {2, "h3"}, {3, "h4", false, true}};
  frame.rows = rows.changed_after(0);
  REQUIRE(state.apply(frame));
  return state;
}

}  // namespace

TEST_CASE("a family is its type, its unit, its help and its samples, and the end is marked") {
  Exposition out;
  out.counter("spent_seconds", "Of \"all\".", "seconds").add(1.5, {{"who", "a\"b\\c\nd"}});
  out.state("light", "Which.", "red", {"red", "green"});
  out.info("lamp", "Which.", {{"place", "here"}});
  CHECK(out.text() ==
        "# TYPE spent_seconds counter\n# UNIT spent_seconds seconds\n"
        "# HELP spent_seconds Of \\\"all\\\".\nspent_seconds_total{who=\"a\\\"b\\\\c\\nd\"} 1.5\n"
        "# TYPE light stateset\n# HELP light Which.\nlight{light=\"red\"} 1\n"
        "light{light=\"green\"} 0\n"
        "# TYPE lamp info\n# HELP lamp Which.\nlamp_info{place=\"here\"} 1\n# EOF\n");
}

TEST_CASE("counts are written in full") {
  Exposition out;
  out.gauge("n", "N.").add(1234567890123.0);
  CHECK(has(out.text(), "n 1234567890123"));
}

TEST_CASE("figures are those of the frame") {
  const State state = state_of({.scenario = "a \"b\"",
                                .scheduler = "sparrow",
                                .label = "batch",
                                .engine = "threads",
                                .repetition = 2,
                                .peers = 3,
                                .tasks = 90});
  const std::string text = metrics_text(state, {.moves = {{"promotion", 4}}, .clients = 2});
  CHECK(has(
      text,
      "rhizome_run_info{scenario=\"a \\\"b\\\"\",scheduler=\"sparrow\",label=\"batch\",cell=\"\","
      "engine=\"threads\",seed=\"0\",repetition=\"3\",run=\"1\"} 1"));
  CHECK(has(text, "rhizome_emulated_time_seconds 2"));
  CHECK(has(text, "rhizome_processes{state=\"up\"} 2"));
  CHECK(has(text, "rhizome_processes{state=\"lost\"} 1"));
  CHECK(has(text, "rhizome_processes{state=\"silent\"} 1"));
  CHECK(has(text, "rhizome_speed_ratio 0.5"));
  CHECK(has(text, "rhizome_peers{state=\"down\"} 2"));
  CHECK(has(text, "rhizome_messages_sent_total{class=\"job\"} 5"));
  CHECK(has(text, "rhizome_sent_bytes_total{class=\"job\"} 50"));
  CHECK(has(text, "rhizome_messages_in_flight 2"));
  CHECK(has(text, "rhizome_tasks_completed_total 7"));
  CHECK(has(text, "rhizome_tasks_waiting 11"));
  CHECK(has(text, "rhizome_tasks_planned 90"));
  CHECK(has(text, "rhizome_late_total{measure=\"packets\",over=\"1\"} 20"));
  CHECK(has(text, "rhizome_late_total{measure=\"packets\",over=\"4\"} 3"));
  CHECK(has(text, "rhizome_validity{rhizome_validity=\"suspect\"} 1"));
  CHECK(has(text, "rhizome_inbox_depth_max 4"));
  CHECK(has(text, "rhizome_peer_burden_messages{quantile=\"1\"} 17"));
  CHECK(has(text, "rhizome_faults_total{kind=\"crash\"} 4"));
  CHECK(has(text, "rhizome_faults_total{kind=\"restart\"} 3"));
  CHECK(has(text, "rhizome_faults_total{kind=\"leave\"} 2"));
  CHECK(has(text, "rhizome_faults_total{kind=\"join\"} 1"));
  CHECK(has(text, "rhizome_faults_total{kind=\"partition\"} 5"));
  CHECK(text.find("rhizome_lag_tolerance_seconds") == std::string::npos);  // not known yet
  CHECK(has(text, "rhizome_tree_moves_total{reason=\"promotion\"} 4"));
  CHECK(has(text, "rhizome_tree_height 1"));
  CHECK(has(text, "rhizome_monitor_clients 2"));
  CHECK(text.ends_with("# EOF\n"));
}

TEST_CASE("the tolerance for lags is told of threads, once the plan of the run is known") {
  const Plan plan{.foreseen = {.lag_tolerance = 5ms}};
  const std::string line = "rhizome_lag_tolerance_seconds 0.005";
  CHECK(has(metrics_text(state_of({.engine = "threads", .peers = 3}), {.plan = &plan}), line));
  CHECK_FALSE(
      has(metrics_text(state_of({.engine = "virtual", .peers = 3}), {.plan = &plan}), line));
}

TEST_CASE("once a run has been judged, its verdict is that") {
  const RunEnd end{.validity = scenarios::Validity::Level::invalid};
  const std::string text = metrics_text(state_of({.engine = "threads", .peers = 3}), {.end = &end});
  CHECK(has(text, "rhizome_validity{rhizome_validity=\"invalid\"} 1"));
  CHECK(has(text, "rhizome_validity{rhizome_validity=\"suspect\"} 0"));
}

TEST_CASE("figures that a recording does not keep are not shown") {
  State state;
  Frame frame{.number = 1,
              .run = {.engine = "threads", .peers = 3},
              .over = true,
              .now = core::Time{2s},
              .real = 2s};
  frame.totals.sent = {1, 2, 3};
  Rows rows(3);
  frame.rows = rows.changed_after(0);
  REQUIRE(state.apply(frame));
  const std::string text = metrics_text(state, {.recorded = true});
  for (const std::string name : {"rhizome_late", "rhizome_validity", "rhizome_peer_burden",
                                 "rhizome_real_time", "rhizome_speed"}) {
    CAPTURE(name);
    CHECK(text.find(name) == std::string::npos);
  }
  CHECK(has(text, "rhizome_run_state{rhizome_run_state=\"over\"} 1"));
  const std::string kept =
      metrics_text(state_of({.engine = "threads", .peers = 3}), {.recorded = true});
  CHECK(has(kept, "rhizome_late_total{measure=\"packets\",over=\"1\"} 20"));
  CHECK(has(kept, "rhizome_speed_ratio 0.5"));
  CHECK(has(kept, "rhizome_run_state{rhizome_run_state=\"recorded\"} 1"));
}

TEST_CASE("virtual time has no verdict, and a run of unknown length no plan") {
  const std::string text =
      metrics_text(state_of({.label = "sparrow", .engine = "virtual", .peers = 3}), {});
  CHECK(text.find("rhizome_validity") == std::string::npos);
  CHECK(text.find("rhizome_tasks_planned") == std::string::npos);
}

TEST_CASE("before the first frame there is nothing of a run") {
  const std::string text = metrics_text({}, {});
  CHECK(text.find("rhizome_run") == std::string::npos);
  CHECK(text.ends_with("# EOF\n"));
}

TEST_CASE("the height of a tree is that of its deepest peer, and cycles do not loop for ever") {
  CHECK(tools::tree_height({}) == 0);
  CHECK(tools::tree_height({Row{}, Row{}}) == 0);
  CHECK(tools::tree_height({Row{}, below(0), below(1), below(0)}) == 2);
  CHECK(tools::tree_height({below(1), below(2), below(3), Row{}}) == 3);
  CHECK(tools::tree_height({below(0)}) == 0);
  CHECK(tools::tree_height({below(1), below(0), below(1)}) <= 2);
  CHECK(tools::tree_height({below(77)}) == 0);
}

TEST_CASE("moves count by reason, anew in another run") {
  const Welcome welcome{.fact_kinds = fact_kind_names()};
  LiveFact moved{.kind = fact_kind<agents::ParentChanged>};
  core::encode(agents::ParentChanged{.root = {}, .parent = {}, .former = {}, .reason = "join"},
               moved.payload);
  LiveFact grouped{.kind = fact_kind<agents::GroupChanged>};
  core::encode(agents::GroupChanged{.leader = {}, .reason = "merge"}, grouped.payload);
  LiveFact other{.kind = fact_kind<agents::TaskStarted>};
  core::encode(agents::TaskStarted{}, other.payload);
  tools::MoveCounts moves;
  const State first = state_of({.number = 0, .peers = 3});
  moves.take(first, {.facts = {moved, other, moved}}, welcome);
  moves.take(first, {.facts = {grouped, moved}}, welcome);
  CHECK(moves.by_reason() == std::map<std::string, std::uint64_t>{{"join", 3}, {"merge", 1}});
  moves.take(state_of({.number = 1, .peers = 3}), {.facts = {moved}}, welcome);
  CHECK(moves.by_reason() == std::map<std::string, std::uint64_t>{{"join", 1}});
}

}  // namespace rhizome::metrics_text_test
