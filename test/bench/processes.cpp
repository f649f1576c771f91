// Gossip on the thread engine in two processes of this machine: half of all messages cross between
// them, encrypted, through the loopback.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "core/engine/thread_engine.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/rendezvous_pipes.hpp"
#include "core/peer/latency.hpp"
#include "test/bench/systems.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::bench {

namespace {

using namespace std::chrono_literals;

struct Handled {
  std::uint64_t events = 0;
  core::Duration time{0};
};

// This process's half of the peers.
Handled run_half(core::Rendezvous& rendezvous, const Load& load) {
  core::Mesh mesh(rendezvous, {.process = {.host = "here", .version = "bench"}});
  const core::LinkChain links;
  core::EngineSetup setup;
  setup.peers = load.peers;
  setup.links = &links;
  setup.seed = 1;
  setup.limit = core::from_seconds(load.seconds);
  setup.make_peer = [peers = load.peers](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    peer->add<test::Gossip>(test::GossipOptions{.peers = peers});
    return peer;
  };
  const std::array<std::uint32_t, 2> alike{1, 1};
  const core::RunOfMany run{.number = 1,
                            .share = {core::Placement::blocks(load.peers, alike), mesh.rank()},
                            .peers = load.peers,
                            .processes = {0, 1}};
  core::Crossing crossing(mesh, run);
  core::SharedControl control(run.share, crossing, setup, {.head_start = 300ms});
  core::ThreadEngine engine(setup, {}, {run.share, &control, &crossing});
  crossing.open(engine.entrance());
  const core::EngineReport report = engine.run({});
  crossing.close();
  if (mesh.rank() == 0) {
    const auto theirs = mesh.receive(60s);
    Handled others;
    if (!theirs || core::decode(theirs->bytes, others.events) != core::DecodeError::none)
      throw std::runtime_error("the other process has not said what it did");
    return {report.events + others.events, report.ended.time_since_epoch()};
  }
  core::Bytes mine;
  core::encode(report.events, mine);
  mesh.send(0, mine);
  return {report.events, report.ended.time_since_epoch()};
}

// What the other half does, in a process of its own.
[[noreturn]] void be_the_other(int socket, const Load& load) {
  int status = 1;
  try {
    core::LaunchedRendezvous rendezvous({1, 2}, {socket, socket}, 60s);
    static_cast<void>(run_half(rendezvous, load));
    status = 0;
  } catch (const std::exception&) {  // the first process says what it lacks
  }
  _exit(status);
}

}  // namespace

Measurement two_processes(const Load& load) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    throw std::runtime_error("the system refused a pipe");
  const pid_t other = fork();
  if (other < 0) throw std::runtime_error("the system refused a process");
  if (other == 0) be_the_other(ends[1], load);
  close(ends[1]);
  const double before = resident_bytes();
  const Stopwatch whole;
  core::LauncherRendezvous rendezvous({{ends[0], ends[0]}}, 60s);
  const Handled handled = run_half(rendezvous, load);
  const double seconds = core::seconds(handled.time);
  const double startup = whole.seconds() - seconds;
  waitpid(other, nullptr, 0);
  return {.count = static_cast<double>(handled.events),
          .seconds = seconds,
          .startup = startup,
          .resident_bytes = 2 * (peak_bytes() - before)};  // the halves are alike
}

}  // namespace rhizome::bench
