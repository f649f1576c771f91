// Connections of strangers to the listening sockets of a run: before the processes have met, while
// they meet, and after that.
#include <doctest/doctest.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/mesh/admission.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/wire.hpp"
#include "test/support/crossing.hpp"
#include "test/support/meshes.hpp"
#include "test/support/strangers.hpp"

namespace rhizome::strangers_test {

using namespace std::chrono_literals;
using core::PeerId;
using core::Placement;
using test::Caller;
using test::comes_true;
using test::options_of;
using test::Processes;
using test::run_of;
using test::Stranger;

namespace {

constexpr int many = 2000;  // more than ZeroMQ queues for a reader that does not come

// Opens and closes connections one after the other, until three in a row are not accepted.
void flood(const std::string& door) {
  int in_vain = 0;
  for (int i = 0; i < many && in_vain < 3; ++i)
    in_vain = Caller(door).connected() ? 0 : in_vain + 1;
}

// Whether the work ends within 30 s. Work that hangs stays in a detached thread, so that the test
// fails instead of hanging.
bool ends(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> end = task.get_future();
  std::thread(std::move(task)).detach();
  return end.wait_for(30s) == std::future_status::ready;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Connects one caller after the other until one is not connected. Before the next, ZeroMQ has time
// to accept the last, so that the queue of the system is not what ends it.
template <class Look>
std::size_t callers_in(const std::string& door, std::deque<Caller>& callers, Look look) {
  constexpr std::size_t most = 60;
  while (callers.size() < most) {
    const std::size_t before = open_descriptors();
    if (!callers.emplace_back(door).connected()) break;
    const auto until = std::chrono::steady_clock::now() + 100ms;
    while (open_descriptors() < before + 2 && std::chrono::steady_clock::now() < until) look();
    for (int i = 0; i < 10; ++i) look();
  }
  return callers.size();
}

// A rendezvous to which process 1 never comes, while strangers connect to the socket that awaits
// it.
class Forsaken final : public core::Rendezvous {
 public:
  using Visit = std::function<void(const std::string&)>;
  explicit Forsaken(Visit visit) : visit_(std::move(visit)) {}
  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t size() const override { return 2; }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override {
    const std::vector<std::string> two{descriptor, descriptor};
    visit_(core::read_descriptors(two).front().endpoints[1]);
    throw core::Unreachable("process 1 has not come");
  }

 private:
  Visit visit_;
};

// A process that ends because the others do not come.
void wait_in_vain(Forsaken::Visit visit) {
  Forsaken rendezvous(std::move(visit));
  CHECK_THROWS_AS(core::Mesh(rendezvous, options_of("here")), core::Unreachable);
}

}  // namespace

TEST_CASE("strangers that connect before the processes get no packet in and disturb no process") {
  const core::KeyPair own = core::KeyPair::make();
  std::deque<Stranger> strangers;
  std::deque<Caller> callers;
  Processes processes(2, options_of("here"), [&](const std::vector<std::string>& texts) {
    const core::ProcessDescriptor first = core::read_descriptors(texts).front();
    const std::string& door = first.endpoints[1];
    for (const std::string& key : {first.key, std::string(), own.open})
      strangers.emplace_back(door, key, own);
    callers.emplace_back(door);
    callers.emplace_back(door).say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    callers.emplace_back(door).say(test::huge_claim());
    callers.emplace_back(door).say(std::string(100'000, '\xff'));
    for (const Caller& caller : callers) CHECK(caller.connected());
  });
  const Placement placement = Placement::round_robin(2, 2);
  core::Crossing crossing(processes[0], run_of(placement, 0, 2));
  test::Inside inside;
  crossing.open(inside);
  CHECK(comes_true([&] { return processes[0].strangers() >= 3; }));
  CHECK(inside.packets() == 0);

  core::Crossing other(processes[1], run_of(placement, 1, 2));
  CHECK_FALSE(other.put({.from = PeerId{1}, .to = PeerId{0}}, {}).has_value());
  CHECK(comes_true([&] { return inside.packets() == 1; }));
  callers.clear();
  strangers.clear();
  other.begins(PeerId{1}, core::Incarnation{1});
  CHECK(comes_true([&] { return inside.lives() == 1; }));
  CHECK(processes[0].losses().empty());
  CHECK(crossing.ledger(1).received == 1);
  CHECK(crossing.ledger(1).came_in == 2);
  CHECK(crossing.ledger(1).handed_over == 0);
  CHECK(other.ledger(0).handed_over == 1);
}

TEST_CASE("once all processes have come no stranger can connect") {
  Processes processes(2);
  const std::string door = processes.descriptor(0).endpoints[1];
  CHECK(comes_true([&] { return !Caller(door).connected(); }));
  processes[1].send(0, core::Bytes(5));
  CHECK(processes[0].receive(10s).has_value());
  CHECK(processes[0].losses().empty());
}

TEST_CASE("a few strangers at a time can connect, and others once those have left") {
  zmq::context_t context;
  const core::KeyPair keys = core::KeyPair::make();
  core::Wire wire(context, keys, 1);
  const std::string door = wire.listen("127.0.0.1");
  wire.accept("");
  std::uint64_t refused = 0;
  std::deque<Caller> callers;
  // Some wait in the queue of the system.
  CHECK(callers_in(door, callers, [&] { REQUIRE(wire.holds(refused)); }) < 30);
  CHECK(refused == 0);
  callers.clear();
  CHECK(comes_true([&] { return wire.holds(refused) && Caller(door).connected(); }));
  CHECK(refused > 0);
}

TEST_CASE("a process that waits for others in vain ends in spite of a flood of connections") {
  CHECK(ends([] { wait_in_vain(flood); }));
}

TEST_CASE("a flood that began before the awaited process came does not keep it out") {
  zmq::context_t here;
  zmq::context_t there;
  const core::KeyPair near_keys = core::KeyPair::make();
  const core::KeyPair far_keys = core::KeyPair::make();
  const core::Source source("127.0.0.1");
  core::Admission admission(here);
  core::Wire near(here, near_keys, 1);
  core::Wire far(there, far_keys, 0);
  const std::string door = near.listen("127.0.0.1");
  admission.expect(1, far_keys.open);
  near.accept(source.text());
  std::uint64_t refused = 0;
  std::deque<Caller> flood;
  // Strangers try to connect, or stay, for longer than ZeroMQ waits for a handshake, so that there
  // is always one for a place that becomes free.
  const auto serve = [&] {
    flood.emplace_back(door, Caller::Waits::no);
    if (flood.size() > 600) flood.pop_front();
    CHECK(near.holds(refused));
    admission.answer();
  };
  CHECK(callers_in(door, flood, [&] { REQUIRE(near.holds(refused)); }) < 30);
  source.share();
  far.connect(door, near_keys.open, source.port());
  CHECK(far.send(core::Bytes(1)));
  CHECK(comes_true([&] {
    serve();
    return near.receive().has_value();
  }));
}

TEST_CASE("the port that a process will connect from cannot be bound before it is shared") {
  const core::Source source("127.0.0.1");
  const auto binds = [&source] {
    const int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(source.port());
    const bool bound = bind(other, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
    close(other);
    return bound;
  };
  CHECK_FALSE(binds());
  source.share();
  CHECK(binds());
}

TEST_CASE("while a process waits for others few strangers can connect") {
  std::deque<Caller> callers;
  wait_in_vain([&](const std::string& door) {
    CHECK(callers_in(door, callers, [] { std::this_thread::yield(); }) < 30);
  });
}

TEST_CASE("a wire whose events were not read is destroyed in spite of a flood of connections") {
  CHECK(ends([] {
    zmq::context_t context;
    const core::KeyPair keys = core::KeyPair::make();
    core::Wire wire(context, keys, 1);
    const std::string door = wire.listen("127.0.0.1");
    wire.accept("");
    flood(door);
  }));
}

}  // namespace rhizome::strangers_test
