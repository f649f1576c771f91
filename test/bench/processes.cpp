// Gossip on the thread engine in several processes of this machine: of two, half of all messages
// cross between them, encrypted, through the loopback.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <numeric>
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

// This process's share of the peers.
Handled run_share(core::Rendezvous& rendezvous, const BenchLoad& load) {
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
  const std::vector<std::uint32_t> alike(mesh.size(), 1);
  std::vector<std::uint32_t> all(mesh.size());
  std::iota(all.begin(), all.end(), 0U);
  const core::RunOfMany run{.number = 1,
                            .share = {core::Placement::blocks(load.peers, alike), mesh.rank()},
                            .peers = load.peers,
                            .processes = all};
  core::Crossing crossing(mesh, run);
  core::SharedControl control(run.share, crossing, setup, {.head_start = 300ms});
  core::ThreadEngine engine(setup, {}, {run.share, &control, &crossing});
  crossing.open(engine.entrance());
  const core::EngineReport report = engine.run({});
  crossing.close();
  if (mesh.rank() == 0) {
    std::uint64_t events = report.events;
    for (std::uint32_t other = 1; other < mesh.size(); ++other) {
      const auto theirs = mesh.receive(60s);
      std::uint64_t others = 0;
      if (!theirs || core::decode(theirs->bytes, others) != core::DecodeError::none)
        throw std::runtime_error("another process has not said what it did");
      events += others;
    }
    return {events, report.ended.time_since_epoch()};
  }
  core::Bytes mine;
  core::encode(report.events, mine);
  mesh.send(0, mine);
  return {report.events, report.ended.time_since_epoch()};
}

// The work of another process.
[[noreturn]] void be_another(core::LaunchedRendezvous::Place place, int socket,
                             const BenchLoad& load) {
  int status = 1;
  try {
    core::LaunchedRendezvous rendezvous(place, {socket, socket}, 60s);
    static_cast<void>(run_share(rendezvous, load));
    status = 0;
  } catch (const std::exception&) {  // the first process reports the error
  }
  _exit(status);
}

// Returns the pipe to it.
core::Pipe launch(core::LaunchedRendezvous::Place place, const BenchLoad& load) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    throw std::runtime_error("the system refused a pipe");
  const pid_t other = fork();
  if (other < 0) throw std::runtime_error("the system refused a process");
  if (other == 0) be_another(place, ends[1], load);
  close(ends[1]);
  return {ends[0], ends[0]};
}

Measurement run_in(std::uint32_t processes, const BenchLoad& load) {
  std::vector<core::Pipe> pipes;
  for (std::uint32_t rank = 1; rank < processes; ++rank)
    pipes.push_back(launch({rank, processes}, load));
  const double before = resident_bytes();
  const Stopwatch whole;
  core::LauncherRendezvous rendezvous(pipes, 60s);
  const Handled handled = run_share(rendezvous, load);
  const double seconds = core::seconds(handled.time);
  const double startup = whole.seconds() - seconds;
  while (wait(nullptr) > 0) {
  }
  return {.count = static_cast<double>(handled.events),
          .seconds = seconds,
          .startup = startup,
          .resident_bytes = processes * (peak_bytes() - before)};  // the shares are alike
}

}  // namespace

Run processes(std::uint32_t count) {
  return [count](const BenchLoad& load) { return run_in(count, load); };
}

}  // namespace rhizome::bench
