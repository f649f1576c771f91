#include "core/engine/calibration.hpp"

#include <algorithm>
#include <thread>

#include "core/engine/thread_engine.hpp"

namespace rhizome::core {

namespace {

struct Ball {
  static constexpr MessageInfo info{"ball", MessageClass::information, Cause::probe};
};

// Returns every ball. The first peer serves.
class Player {
 public:
  using Messages = OneOf<Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "player";

  explicit Player(int balls) : balls_(balls) {}
  void start(Env& env) {
    for (int i = 0; i < balls_ && env.self().value == 0; ++i) env.send(PeerId{1}, Ball{});
  }
  void on(Env& env, PeerId from, const Ball&) { env.send(from, Ball{}); }

 private:
  int balls_;
};

// Real time between two events at one of two peers.
Duration pace(int balls, const std::atomic<bool>* stop) {
  const LinkChain links;
  EngineSetup setup;
  setup.peers = 2;
  setup.links = &links;
  setup.limit = std::chrono::milliseconds(500);
  setup.recording.period = Duration::zero();
  setup.make_peer = [balls](PeerId id, Incarnation incarnation) {
    auto peer = std::make_unique<Peer>(id, incarnation, 1);
    peer->add<Player>(balls);
    return peer;
  };
  const EngineReport report = ThreadEngine(std::move(setup), {}).run({.stop = stop});
  const auto events = static_cast<Duration::rep>(std::max<std::uint64_t>(report.events, 1));
  return (report.ended - Time{}) * 2 / events;
}

}  // namespace

CostModel measure_costs(const std::atomic<bool>* stop) {
  constexpr int many = 64;
  const Duration handling = pace(many, stop);
  // With one ball one peer works while the other waits: a turn of either is half of the pace.
  const Duration turn = pace(1, stop) / 2;
  return {.wake_up = std::max(turn - handling, Duration::zero()),
          .handling = handling,
          .cores = std::max(1U, std::thread::hardware_concurrency())};
}

}  // namespace rhizome::core
