// Data that tasks give each other: the messages that carry them, and their size on the way.
#include "core/peer/declared_bytes.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

#include "agents/job_graph.hpp"
#include "agents/locator/messages.hpp"
#include "agents/locator/service.hpp"
#include "agents/possible.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/simulated_payload.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::declared_bytes_test {

using namespace std::chrono_literals;
using agents::Dependency;
using agents::Product;
using agents::Task;
using agents::TaskId;
using core::DeclaredBytes;
using core::PeerId;

namespace {

struct Box {
  DeclaredBytes inside;
  std::vector<Task> tasks;
  std::optional<Product> product;
  std::vector<std::uint64_t> numbers;
};

// 0 gives 5 bytes to 1 and 7 to 2, and 1 gives 11 to 2.
agents::Job chain() {
  agents::Job job;
  for (std::uint32_t i = 0; i < 3; ++i) job.portions.push_back({.id = {0, i}, .duration = 1s});
  job.dependencies = {{1, 0, 5}, {2, 0, 7}, {2, 1, 11}};
  return job;
}

template <class T>
T round_trip(const T& value, std::size_t& size) {
  core::Bytes bytes;
  core::encode(value, bytes);
  size = bytes.size();
  T read{};
  REQUIRE(core::decode(bytes, read) == core::DecodeError::none);
  return read;
}

}  // namespace

TEST_CASE("the declared bytes of a message are those of all things in it") {
  CHECK(core::declared_bytes_of(Box{}) == 0);
  Box box{.inside = {1}, .tasks = {}, .product = Product{{0, 1}, {20}}, .numbers = {1000}};
  box.tasks = {{.brings = {300}, .gives = 50'000}, {.brings = {4000}}};
  CHECK(core::declared_bytes_of(box) == 4321);
}

TEST_CASE("the size of a packet has its declared bytes, beside its simulated payload") {
  const core::SimulatedPayload simulated_payload{.task = 1000, .result = 0};
  const core::PacketHeader header{
      .message_class = core::MessageClass::job, .units = 2, .declared_bytes = 77};
  CHECK(simulated_payload.weigh({header, {}}) == core::header_bytes + 2077);
}

TEST_CASE("a task encodes the bytes that it brings and gives only if there are any") {
  std::size_t plain = 0;
  std::size_t loaded = 0;
  round_trip(Task{.id = {1, 2}, .level = 3}, plain);
  const Task read = round_trip(Task{.id = {1, 2}, .level = 3, .brings = {9}, .gives = 8}, loaded);
  CHECK(read.brings == DeclaredBytes{9});
  CHECK(read.gives == 8);
  CHECK(loaded == plain + 2);
  const Task giver = round_trip(Task{.id = {1, 2}, .gives = 8}, loaded);
  CHECK(giver.level == 0);
  CHECK(giver.gives == 8);
}

TEST_CASE("an estimate travels where there is one, and when a task arrives never does") {
  std::size_t plain = 0;
  std::size_t size = 0;
  round_trip(Task{.id = {1, 2}, .duration = std::chrono::seconds(9)}, plain);
  const Task read = round_trip(Task{.id = {1, 2},
                                    .duration = std::chrono::seconds(9),
                                    .estimate = std::chrono::seconds(4),
                                    .after = std::chrono::seconds(1)},
                               size);
  CHECK(read.estimated() == std::chrono::seconds(4));
  CHECK(read.duration == std::chrono::seconds(9));
  CHECK(read.after == std::chrono::seconds(0));
  CHECK(size > plain);
  CHECK(Task{.duration = std::chrono::seconds(9)}.estimated() == std::chrono::seconds(9));
}

TEST_CASE("a task that is done travels as its name where it gives nothing") {
  std::size_t name = 0;
  std::size_t size = 0;
  round_trip(TaskId{1, 2}, name);
  CHECK(round_trip(Product{{1, 2}}, size) == Product{{1, 2}});
  CHECK(size == name);
  CHECK(round_trip(Product{{1, 2}, {9}}, size) == Product{{1, 2}, {9}});
  CHECK(size == name + 1);
}

TEST_CASE("the keeper of a graph adds to each task the data of the tasks that it needs") {
  agents::JobGraph graph(chain());
  const Task first = graph.begin().at(0);
  CHECK(first.brings == DeclaredBytes{0});
  CHECK(first.gives == 12);
  const Task second = graph.done(0).at(0);
  CHECK(second.brings == DeclaredBytes{5});
  CHECK(second.gives == 11);
  const Task third = graph.done(1).at(0);
  CHECK(third.brings == DeclaredBytes{18});
  CHECK(third.gives == 0);
  CHECK(agents::heaviest_of(chain()) == 18);
}

TEST_CASE("a task that others search for brings the data that it has been given so far") {
  const agents::Job job = chain();
  auto mobiles = agents::locator::mobiles_of(job.portions, job.dependencies, PeerId{4});
  CHECK(mobiles[0].task.gives == 12);
  auto& last = mobiles[2];
  CHECK(core::declared_bytes_of(agents::locator::Move{last}) == 0);
  agents::locator::take_along(last, last.unmet.at(1));
  CHECK(core::declared_bytes_of(agents::locator::Move{last}) == 11);
  CHECK(core::declared_bytes_of(agents::locator::Data{{}, {13}}) == 13);
}

TEST_CASE("a result brings the data of its task, also when it is repeated") {
  test::World world = test::LoneSparrow::make_world();
  world.profile.heaviest = 9;
  test::LoneSparrow alone({}, PeerId{2}, std::move(world));
  Task task = alone.task({7, 0});
  task.gives = 9;
  alone.peer.deliver(test::other, agents::sparrow::Place{task});
  REQUIRE(alone.peer.complete_next());
  alone.peer.deliver(test::other, agents::sparrow::Audit{{{7, 0}}, {}});
  const auto completed = alone.peer.sent<agents::sparrow::Completed>();
  REQUIRE(completed.size() == 2);
  for (const auto& [to, message] : completed) CHECK(message.task == Product{{7, 0}, {9}});
}

TEST_CASE("a profile knows the heaviest task, and believes in none that is heavier") {
  agents::Profile profile;
  profile.add(chain());
  CHECK(profile.heaviest == 18);
  Task task = chain().portions[2];
  task.brings = {18};
  CHECK(profile.has(task));
  task.brings = {19};
  CHECK_FALSE(profile.has(task));
  task.brings = {};
  task.gives = 19;
  CHECK_FALSE(profile.has(task));
}

TEST_CASE("declared bytes that no scenario can ask for are impossible") {
  CHECK(agents::possible(Product{{0, 0}, {agents::most_declared_bytes}}.given, 4));
  CHECK_FALSE(agents::possible(DeclaredBytes{agents::most_declared_bytes + 1}, 4));
  CHECK_FALSE(agents::possible(Task{.brings = {agents::most_declared_bytes + 1}}));
}

}  // namespace rhizome::declared_bytes_test
