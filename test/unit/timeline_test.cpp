#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <utility>

#include "test/support/experiments.hpp"
#include "test/support/outcomes.hpp"
#include "tools/timeline/executions.hpp"
#include "tools/timeline/trace.hpp"

namespace rhizome::timeline_test {

using namespace scenarios;
using namespace tools;
using namespace std::chrono_literals;

using core::PeerId;

namespace {

void start(Outcome& outcome, core::Duration when, std::uint32_t peer, agents::TaskId task) {
  test::say(outcome, when, peer, agents::TaskStarted{task});
}
void end(Outcome& outcome, core::Duration when, std::uint32_t peer, agents::TaskId task) {
  test::say(outcome, when, peer, agents::TaskExecuted{task});
}

}  // namespace

TEST_CASE("an execution lies on the first lane that is free when it begins") {
  core::Rng rng = core::Rng::derive({7}, "lanes");
  Outcome outcome = test::quiet_outcome(3);
  std::multimap<core::Duration, std::function<void(core::Duration)>> events;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const auto peer = static_cast<std::uint32_t>(rng.between(0, 2));
    const core::Duration from = std::chrono::seconds(rng.between(0, 100));
    events.emplace(from, [&outcome, peer, i](auto at) { start(outcome, at, peer, {0, i}); });
    events.emplace(from + std::chrono::seconds(rng.between(1, 20)), [&outcome, peer, i](auto at) {
      end(outcome, at, peer, {0, i});
    });
  }
  for (const auto& [at, say] : events) say(at);
  std::map<std::pair<std::uint32_t, std::uint32_t>, core::Time> busy_until;  // by peer and lane
  for (const Execution& execution : executions_of(outcome)) {
    std::uint32_t lane = 0;
    while (busy_until[{execution.peer.value, lane}] > execution.from) ++lane;
    CHECK(execution.lane == lane);
    busy_until[{execution.peer.value, lane}] = execution.until;
  }
}

TEST_CASE("executions that overlap on a peer lie on lanes of their own") {
  Outcome outcome = test::quiet_outcome(2);
  start(outcome, 1s, 0, {0, 0});
  start(outcome, 2s, 0, {0, 1});
  end(outcome, 3s, 0, {0, 0});
  start(outcome, 3s, 0, {0, 2});
  end(outcome, 4s, 0, {0, 1});
  end(outcome, 5s, 0, {0, 2});
  const auto executions = executions_of(outcome);
  REQUIRE(executions.size() == 3);
  CHECK(executions[0].lane == 0);
  CHECK(executions[1].lane == 1);
  CHECK(executions[2].lane == 0);
}

TEST_CASE("the schedule draws simultaneous executions of a peer side by side") {
  Outcome outcome = test::quiet_outcome(2);
  start(outcome, 1s, 1, {0, 0});
  start(outcome, 1s, 1, {1, 0});
  end(outcome, 2s, 1, {0, 0});
  end(outcome, 2s, 1, {1, 0});
  const Json spec = schedule_of(outcome).spec;
  const Json bars = spec.at("layer").at(0).at("data").at("values");
  REQUIRE(bars.size() == 2);
  CHECK(bars.at(0).at("row") == 1.25);  // the middle of its lane
  CHECK(bars.at(1).at("row") == 1.75);
  const double lane = spec.at("height").get<double>() / 2 / 2;  // of two peers with two each
  CHECK(bars.at(0).at("thick").get<double>() < lane);
  CHECK(bars.at(0).at("thick").get<double>() > 0.8 * lane);
}

TEST_CASE("a schedule says nothing of an execution more than once, and no needless digits") {
  Outcome outcome = test::quiet_outcome(1);
  start(outcome, 1000001234ns, 0, {0, 0});
  end(outcome, 2s, 0, {0, 0});
  const Json bars = schedule_of(outcome).spec.at("layer").at(0);
  CHECK(bars.at("data").at("values").size() == 1);
  CHECK(line_of(bars.at("data").at("values").at(0)) ==
        R"({"row":0.5,"thick":119.5,"from":1.000001,"until":2.0,"came":0,"shade":1.0})");
  CHECK(bars.at("mark").at("type") == "line");  // one for each colour, not a shape for each task
  CHECK(bars.at("mark").at("aria") == false);
  const auto told = schedule_of(outcome).spec.at("description").get<std::string>();
  CHECK(told.starts_with("1 executions on 1 peers. Peers down"));
}

TEST_CASE("the schedule tells work that was lost or done twice from other work") {
  Outcome outcome = test::quiet_outcome(3);
  outcome.faults.push_back({.at = test::at(2s), .peer = core::PeerId{0}});
  start(outcome, 1s, 0, {0, 0});
  start(outcome, 3s, 1, {0, 0});
  start(outcome, 3s, 2, {0, 0});
  end(outcome, 4s, 2, {0, 0});
  end(outcome, 5s, 1, {0, 0});
  start(outcome, 5s, 2, {0, 1});
  end(outcome, 6s, 2, {0, 1});
  const Json layers = schedule_of(outcome).spec.at("layer");
  const Json bars = layers.at(1).at("data").at("values");
  REQUIRE(bars.size() == 4);
  CHECK(bars.at(0).at("came") == 2);  // cut off by the crash
  CHECK(bars.at(1).at("came") == 1);  // later than the one of peer 2
  CHECK(bars.at(2).at("came") == 0);
  CHECK(bars.at(3).at("came") == 0);
  CHECK(bars.at(2).at("shade") != bars.at(3).at("shade"));  // neighbours
  CHECK(layers.at(1).at("encoding").at("color").at("scale").at("domain").size() == 3);
}

TEST_CASE("the executions of a peer that crashed ended there") {
  Outcome outcome = test::quiet_outcome(2);
  outcome.faults.push_back({.at = test::at(2s), .peer = core::PeerId{1}});
  start(outcome, 1s, 1, {0, 0});
  start(outcome, 3s, 1, {0, 1});
  end(outcome, 4s, 1, {0, 1});
  const auto executions = executions_of(outcome);
  REQUIRE(executions.size() == 2);
  CHECK(executions[0].until == test::at(2s));
  CHECK_FALSE(executions[0].ended);
  CHECK(executions[1].ended);
}

namespace {

// As Perfetto reads a time: cut off to nanoseconds.
std::int64_t nanoseconds(const Json& microseconds) {
  return static_cast<std::int64_t>(microseconds.get<double>() * 1000);
}

}  // namespace

TEST_CASE("an execution that follows another to the nanosecond does not begin within it") {
  Outcome outcome = test::quiet_outcome(1);
  core::Duration now = 1s;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    start(outcome, now, 0, {0, i});
    now += 1234567ns + core::Duration(i);
    end(outcome, now, 0, {0, i});
  }
  const auto json = parse_json(trace_of(outcome));
  REQUIRE(json.has_value());
  std::int64_t busy_until = 1'000'000'000;
  for (const Json& event : json->at("traceEvents").items()) {
    if (event.at("ph") != "X") continue;
    REQUIRE(nanoseconds(event.at("ts")) == busy_until);
    busy_until += nanoseconds(event.at("dur"));
  }
  CHECK(busy_until == std::chrono::nanoseconds(now).count());
}

// The rules of the Trace Event Format that viewers rely on.
TEST_CASE("the trace of a run with crashes is well formed, and no lane overlaps itself") {
  const auto outcome = test::run_scenario(
      "peers.count = 20\npeers.slots = 2\nworkload.jobs = 10\nengine.kind = \"virtual\"\n"
      "faults.crash_share = 0.2\nfaults.crash_until = \"500ms\"\n"
      "engine.log_messages = true\n"
      "[[scheduler]]\nuse = \"organic-grid\"\n");
  const auto json = parse_json(trace_of(outcome));
  REQUIRE(json.has_value());
  using Lane = std::pair<std::uint64_t, std::uint64_t>;
  std::map<Lane, std::int64_t> busy_until;
  std::map<Lane, const Json*> last_slice;  // the slice a flow binds to
  std::int64_t now = 0;
  std::map<std::uint64_t, int> begun;
  std::map<std::uint64_t, int> ended;
  std::size_t executions = 0;
  std::size_t crashes = 0;
  for (const Json& event : json->at("traceEvents").items()) {
    const auto kind = event.at("ph").get<std::string>();
    REQUIRE(
        (kind == "M" || kind == "X" || kind == "i" || kind == "C" || kind == "s" || kind == "f"));
    if (kind == "M") continue;
    const std::int64_t from = nanoseconds(event.at("ts"));
    REQUIRE(from >= now);
    now = from;
    crashes += kind == "i" && event.at("name") == "crash" ? 1 : 0;
    if (kind == "C" || kind == "i") continue;
    const Lane lane{event.at("pid").get<std::uint64_t>(), event.at("tid").get<std::uint64_t>()};
    if (kind != "X") {
      const Json* slice = last_slice[lane];
      REQUIRE(slice != nullptr);
      CHECK(slice->at("ts") == event.at("ts"));
      CHECK(slice->at("name") == event.at("name"));
      const auto id = event.at("id").get<std::uint64_t>();
      ++(kind == "s" ? begun : ended)[id];
      CHECK(begun.contains(id));  // no flow ends before it began
      continue;
    }
    last_slice[lane] = &event;
    const std::int64_t duration = nanoseconds(event.at("dur"));
    CHECK(duration >= 0);
    if (event.at("cat") == "message") continue;
    ++executions;
    CHECK(from >= busy_until[lane]);
    busy_until[lane] = from + duration;
  }
  CHECK(executions >= outcome.tasks.size());
  CHECK(crashes == outcome.faults.size());
  std::uint64_t received = 0;
  for (const PeerOutcome& peer : outcome.peers) received += peer.received;
  CHECK(begun == ended);
  CHECK(begun.size() == received);  // of ids that all differ
  CHECK(busy_until.size() > 20);    // second slots are lanes of their own
}

TEST_CASE("the schedule shades the times in which a peer was gone, behind all else") {
  Outcome outcome = test::quiet_outcome(4);
  start(outcome, 1s, 0, {0, 0});
  end(outcome, 2s, 0, {0, 0});
  using Kind = core::Fault::Kind;
  outcome.faults = {{test::at(3s), PeerId{1}, Kind::crash},
                    {test::at(4s), PeerId{2}, Kind::join},
                    {test::at(5s), PeerId{1}, Kind::restart},
                    {test::at(7s), PeerId{3}, Kind::leave}};
  const Json spec = schedule_of(outcome).spec;
  REQUIRE(spec.at("layer").size() == 4);  // gaps, executions, what is pointed at, moves
  std::map<double, std::pair<double, double>> gaps;
  for (const Json& gap : spec.at("layer").at(0).at("data").at("values").items())
    gaps[gap.at("row").get<double>()] = {gap.at("from").get<double>(),
                                         gap.at("until").get<double>()};
  CHECK(gaps ==
        std::map<double, std::pair<double, double>>{{1.5, {3, 5}}, {2.5, {0, 4}}, {3.5, {7, 100}}});
  outcome.faults.clear();
  CHECK(schedule_of(outcome).spec.at("layer").size() == 3);
}

}  // namespace rhizome::timeline_test
