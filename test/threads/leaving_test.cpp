// How processes leave a mesh: their last messages arrive, and no process waits for one that cannot
// answer.
#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>

#include "core/mesh/admission.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/process_descriptor.hpp"
#include "core/mesh/wire.hpp"
#include "test/support/meshes.hpp"

namespace rhizome::leaving_test {

using namespace std::chrono_literals;
using core::Mesh;
using core::MeshOptions;
using core::PeerId;
using core::Placement;
using test::comes_true;
using test::options_of;
using test::Processes;
using test::run_of;
using test::Slow;

namespace {

// A packet of peer 0 to peer 1.
void say_once(core::Mesh& mesh, const core::RunOfMany& run) {
  core::Crossing crossing(mesh, run);
  CHECK_FALSE(crossing.put({.from = PeerId{0}, .to = PeerId{1}}, {}).has_value());
}

// Two linked processes; one stands for the rest of a mesh.
struct Pair {
  Pair(zmq::context_t& here, zmq::context_t& there, core::Admission& admission,
       std::uint32_t number)
      : near(std::make_unique<core::Wire>(here, near_keys, number)),
        far(std::make_unique<core::Wire>(there, far_keys, 0)) {
    const std::string endpoint = near->listen("127.0.0.1");
    admission.expect(number, far_keys.open);
    source.share();
    near->accept(source.text());
    far->connect(endpoint, near_keys.open, source.port());
    CHECK(far->send(core::Bytes(1)));
    CHECK(comes_true([&] {
      admission.answer();
      return near->receive().has_value();
    }));
  }

  const core::KeyPair near_keys = core::KeyPair::make();
  const core::KeyPair far_keys = core::KeyPair::make();
  const core::Source source{"127.0.0.1"};
  std::unique_ptr<core::Wire> near;
  std::unique_ptr<core::Wire> far;
};

}  // namespace

TEST_CASE("a link that breaks while its last frames leave stops no other") {
  zmq::context_t here(1);
  zmq::context_t there(1);
  core::Admission admission(here);
  Pair broken(here, there, admission, 1);
  const Pair whole(here, there, admission, 2);
  while (broken.near->send(core::Bytes(std::size_t{1} << 20U))) {
  }
  broken.near.reset();
  broken.far.reset();
  std::this_thread::sleep_for(200ms);
  CHECK(whole.far->send(core::Bytes(1)));
  CHECK(comes_true([&] { return whole.near->receive().has_value(); }));
}

TEST_CASE("a process that leaves waits until all its messages were received") {
  Processes processes(2);
  const Placement placement = Placement::round_robin(2, 2);
  core::Crossing slow(processes[1], run_of(placement, 1, 2));
  Slow inside(300ms);
  slow.open(inside);
  say_once(processes[0], run_of(placement, 0, 2));
  CHECK(comes_true([&] { return inside.is_busy(); }));
  for (int i = 0; i < 20; ++i) processes[0].send(1, core::Bytes(1000));
  processes.end(0);
  for (int i = 0; i < 20; ++i) CHECK(processes[1].receive(0s).has_value());
}

TEST_CASE(
    "a process that leaves does not wait for ever for one that stands still, nor for a lost one") {
  MeshOptions options = options_of("here");
  options.leave_within = 200ms;
  Processes processes(3, options);
  const Placement placement = Placement::round_robin(3, 3);
  core::Crossing slow(processes[1], run_of(placement, 1, 3));
  Slow inside(1500ms);
  slow.open(inside);
  say_once(processes[0], run_of(placement, 0, 3));
  CHECK(comes_true([&] { return inside.is_busy(); }));
  const auto begun = std::chrono::steady_clock::now();
  processes.end(0);
  CHECK(std::chrono::steady_clock::now() - begun < 1400ms);
  CHECK(comes_true([&] { return processes[2].loss_of(0).has_value(); }));
  CHECK(processes[2].loss_of(0)->why == "it has left");
}

TEST_CASE("a process that says goodbye is no loss") {
  Processes processes(3);
  processes.end(2);
  processes[1].send(0, {});
  CHECK(processes[0].receive(10s).has_value());
  std::this_thread::sleep_for(200ms);
  CHECK(processes[0].losses().empty());
  CHECK(processes[1].losses().empty());
}

TEST_CASE("a process that does not come is named, with a remedy if its descriptor is an old one") {
  test::MeetingPlace place(2);
  MeshOptions options = options_of("here");
  options.join_within = 300ms;
  std::thread absent([&] {  // its descriptor exists, but no process behind it
    core::ProcessDescriptor descriptor{
        .process = options.process, .key = core::KeyPair::make().open, .endpoints = {}};
    descriptor.endpoints.resize(2);
    static_cast<void>(place.gather(1, core::text_of(descriptor)));
  });
  test::InMemory rendezvous(place, 0);
  const auto begun = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH_AS(
      Mesh(rendezvous, options),
      "process 1 on here cannot be reached from process 0 on here: if they met in a directory, its "
      "descriptor there may be of an earlier run, and a new directory helps",
      core::Unreachable);
  CHECK(std::chrono::steady_clock::now() - begun < 3s);  // nor is it waited for at the end
  absent.join();
}

}  // namespace rhizome::leaving_test
