// Faults by hand in runs on threads, and over the exchange by which monitors ask for them.
#include "core/engine/steering.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/engine/exchange.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/peer/latency.hpp"
#include "scenarios/live/feed.hpp"
#include "test/support/experiments.hpp"
#include "test/support/gossip.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::steered_threads_test {

using namespace std::chrono_literals;
using core::OperatorCommand;
using core::PeerId;
using core::Steering;
using Kind = core::OperatorCommand::Kind;

namespace {

constexpr std::uint32_t peers = 8;

// Tokens that wander among threads until a command ends the run.
class Run {
 public:
  Run() {
    links_.add_first(std::make_unique<core::CutLink>(steering_.cut()));
    links_.add<core::ConstantLatency>(1ms);
    core::EngineSetup setup;
    setup.peers = peers;
    setup.links = &links_;
    setup.faults = {{core::Time(1h), PeerId{3}, core::Fault::Kind::crash}};
    setup.make_peer = [](core::PeerId id, core::Incarnation life) {
      auto peer = std::make_unique<core::Peer>(id, life, 1);
      peer->add<test::Gossip>(test::GossipOptions{.peers = peers});
      return peer;
    };
    thread_ = std::thread([this, made = std::move(setup)]() mutable {
      core::ThreadEngine engine(std::move(made), {});
      report_ = engine.run({.stop = &stop_, .steering = &steering_});
    });
  }
  ~Run() { end(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  std::string does(Kind kind, std::vector<PeerId> whom = {}) {
    const auto number = steering_.post({.kind = kind, .peers = std::move(whom)});
    for (;;) {
      if (const auto answer = steering_.answer(number.value())) return answer->reason;
      std::this_thread::sleep_for(1ms);
    }
  }
  const core::EngineReport& end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return report_;
  }
  [[nodiscard]] std::uint64_t dropped(core::Drop why) const {
    std::uint64_t sum = 0;
    for (const core::Recorder& recorder : report_.recorders)
      sum += recorder.drop_counts()[static_cast<std::size_t>(why)];
    return sum;
  }

 private:
  Steering steering_;
  core::LinkChain links_;
  std::atomic<bool> stop_{false};
  core::EngineReport report_;
  std::thread thread_;
};

scenarios::live::Answer ask(const std::string& endpoint, const scenarios::live::Steer& steer) {
  core::ExchangeClient exchange(endpoint);
  exchange.send(encode(scenarios::live::Request{steer}));
  const auto bytes = exchange.receive(10s);
  REQUIRE(bytes);
  auto answer = scenarios::live::decode_answer(*bytes);
  REQUIRE(answer);
  return *answer;
}

std::string refusal(const std::string& endpoint, const scenarios::live::Steer& steer) {
  const scenarios::live::Answer answer = ask(endpoint, steer);
  REQUIRE(std::holds_alternative<scenarios::live::Refused>(answer));
  return std::get<scenarios::live::Refused>(answer).reason;
}

}  // namespace

TEST_CASE("a peer on a thread crashes and leaves by hand, and only a dead one can be restarted") {
  Run run;
  CHECK(run.does(Kind::crash, {PeerId{3}}).empty());
  CHECK(run.does(Kind::crash, {PeerId{3}}) == "peer 3 is down already");
  CHECK(run.does(Kind::leave, {PeerId{4}}).empty());
  CHECK(run.does(Kind::restart, {PeerId{5}}) == "peer 5 is up: only one that is down can restart");
  CHECK(run.does(Kind::restart, {PeerId{3}}).empty());
  std::this_thread::sleep_for(50ms);  // so that the peers take the first tasks
  const core::EngineReport& report = run.end();
  CHECK(report.alive[3]);
  CHECK(report.incarnations[3].value == 1);
  CHECK_FALSE(report.alive[4]);
  CHECK(report.alive[5]);
}

TEST_CASE("packets between threads are dropped while peers are cut off, and pass once that heals") {
  Run run;
  CHECK(run.does(Kind::cut_off, {PeerId{0}, PeerId{1}}).empty());
  CHECK_FALSE(run.does(Kind::cut_off, {PeerId{2}}).empty());
  std::this_thread::sleep_for(50ms);
  CHECK(run.does(Kind::heal).empty());
  CHECK(run.does(Kind::heal) == "no peer is cut off by hand");
  run.end();
  CHECK(run.dropped(core::Drop::partitioned) > 0);
}

TEST_CASE("monitors cause faults where a run allows it, and are told the result") {
  using scenarios::live::Steer;
  const test::TemporaryDirectory directory;
  const std::string endpoint = "ipc://" + (directory.path() / "feed").string();
  scenarios::live::Feed feed({.endpoint = endpoint, .scenario = "steered", .runs = 1});
  const core::Board board(10);
  Steering steering;
  const Steer crash{.command = Steer::Command::crash, .peers = {PeerId{7}}};
  CHECK(refusal(endpoint, crash) == "that run is not under way");
  feed.watch({.number = 0, .engine = "threads", .peers = 10}, board);
  CHECK(refusal(endpoint, crash).find("begun without --control") != std::string::npos);
  feed.steer(0, steering);
  std::atomic<bool> over{false};
  std::thread run([&] {
    while (!over) {
      steering.drain([](OperatorCommand& operator_command) {
        operator_command.at = core::Time(2s);
        return operator_command.kind == Kind::heal ? "no peer is cut off by hand" : "";
      });
      std::this_thread::sleep_for(1ms);
    }
  });
  const auto done = ask(endpoint, crash);
  REQUIRE(std::holds_alternative<scenarios::live::Done>(done));
  CHECK(std::get<scenarios::live::Done>(done).what == "peer 7 crashed at 2.000000000 s");
  CHECK(refusal(endpoint, {.command = Steer::Command::heal}) == "no peer is cut off by hand");
  CHECK(refusal(endpoint, {.command = Steer::Command::hold}).find("clock") != std::string::npos);
  over = true;
  run.join();
  core::ExchangeClient late(endpoint);
  late.send(encode(scenarios::live::Request{crash}));
  std::this_thread::sleep_for(100ms);
  feed.unwatch(0);
  const auto bytes = late.receive(10s);
  REQUIRE(bytes);
  const auto answer = scenarios::live::decode_answer(*bytes);
  REQUIRE(answer);
  REQUIRE(std::holds_alternative<scenarios::live::Refused>(*answer));
  CHECK(std::get<scenarios::live::Refused>(*answer).reason == "the run has ended");
}

TEST_CASE("a crash by hand of a run on threads stands in its outcome") {
  const auto cells = scenarios::parse_scenario(R"(
peers.count = 20
workload.jobs = 20
engine.time_scale = 5
[[scheduler]]
use = "organic-grid"
)",
                                               "test.toml");
  Steering steering;
  REQUIRE(steering.post({.kind = Kind::crash, .peers = {PeerId{5}}}));
  const scenarios::Outcome outcome =
      scenarios::run_once(cells.front(), 0, 0, {.steering = &steering}, nullptr);
  CHECK(outcome.steered.operator_commands == 1);
  REQUIRE(outcome.faults.size() == 1);
  CHECK(outcome.faults.front().peer == PeerId{5});
  CHECK_FALSE(outcome.peers[5].alive);
}

}  // namespace rhizome::steered_threads_test
