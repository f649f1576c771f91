// The information of a server for a scheduler that may still give tasks to others, and the queue
// before the server.
#include <doctest/doctest.h>

#include <vector>

#include "agents/server.hpp"
#include "agents/task_queue.hpp"
#include "test/support/scene.hpp"

namespace rhizome::server_room_test {

using namespace std::chrono_literals;
using agents::Task;
using core::Duration;

namespace {

using Env = core::Env<core::Nothing, core::OneOf<agents::DivideDue>, agents::WorkFacts>;
using Scene = test::Scene<core::Nothing, Env>;

Task task(std::uint32_t portion, Duration duration, std::uint32_t cpus = 1) {
  return {.id = {0, portion}, .duration = duration, .cpus = cpus};
}

agents::Capacity under(const char* discipline, std::uint32_t slots = 1) {
  for (std::size_t i = 0; i < agents::disciplines().size(); ++i)
    if (agents::disciplines()[i].name == discipline)
      return {.slots = slots, .discipline = agents::DisciplineId(i)};
  return {};
}

}  // namespace

TEST_CASE("a server says beforehand which task it would serve at once") {
  Scene scene(core::PeerId{0});
  agents::Server plain(under("fcfs", 2));
  plain.accept(scene.env(), task(0, 5s));
  CHECK(plain.would_serve(task(1, 1s), scene.now()));
  CHECK_FALSE(plain.would_serve(task(1, 1s, 2), scene.now()));
  Task large = task(2, 1s);
  large.memory = 2;
  CHECK_FALSE(plain.would_serve(large, scene.now()));
  CHECK(agents::Server(under("fcfs")).would_serve(large, scene.now()));  // it has the peer alone

  agents::Server shortest(under("srpt"));
  shortest.accept(scene.env(), task(0, 5s));
  CHECK(shortest.would_serve(task(1, 4s), scene.now()));
  CHECK_FALSE(shortest.would_serve(task(1, 5s), scene.now()));
  scene.pass(2s);
  CHECK_FALSE(shortest.would_serve(task(1, 4s), scene.now()));  // 3 s are left
  shortest.accept(scene.env(), task(1, 1s));
  CHECK(shortest.excess() == 1);
  CHECK(shortest.waiting() == 0);
  CHECK_FALSE(shortest.would_serve(task(2, 2s), scene.now()));
  shortest.withdraw(scene.env(), {{0, 1}});
  CHECK_FALSE(shortest.would_serve(task(2, 3s), scene.now()));
  CHECK(shortest.would_serve(task(2, 2s), scene.now()));

  agents::Server shared(under("ps"));
  shared.accept(scene.env(), task(0, 5s));
  CHECK(shared.would_serve(task(1, 9s), scene.now()));
  CHECK(shared.would_serve(task(1, 9s), scene.now(), 2));
  CHECK_FALSE(shared.would_serve(task(1, 9s), scene.now(), 1));
  CHECK(shared.free().cpus == 0);
}

// A task of equal size that waits already was there before.
TEST_CASE("an interrupted task goes before others of its rank") {
  Scene scene(core::PeerId{0});
  agents::Server server(under("srpt", 2));
  server.accept(scene.env(), task(0, 8s, 2));
  server.accept(scene.env(), task(1, 2s));
  CHECK_FALSE(server.would_serve(task(2, 8s), scene.now()));
  CHECK(server.would_serve(task(2, 7s), scene.now()));
}

TEST_CASE("reserved room yields to no longer task, and is gone with all else") {
  Scene scene(core::PeerId{0});
  agents::Server server(under("srpt"));
  server.reserve(1, task(0, 3s));
  CHECK(server.free().cpus == 0);
  CHECK_FALSE(server.would_serve(task(1, 3s), scene.now()));
  CHECK(server.would_serve(task(1, 2s), scene.now()));
  server.stop(scene.env());
  CHECK(server.idle());
  CHECK(server.would_serve(task(1, 3s), scene.now()));
}

TEST_CASE("a server tells how much service a task has had, at whatever rate") {
  Scene scene(core::PeerId{0});
  agents::Server shared(under("ps"));
  shared.accept(scene.env(), task(0, 5s));
  shared.accept(scene.env(), task(1, 5s));
  scene.pass(2s);
  CHECK(shared.attained(shared.residents().at({0, 0}), scene.now()) == 1s);
  CHECK(shared.given({.took = 4s, .served = 2s}) == 2s);
  CHECK(agents::Server(under("fcfs")).given({.took = 4s, .served = 2s}) == 4s);
}

TEST_CASE("a discipline of a user ranks by all that a task asks for, and by its estimate alone") {
  Task wide = task(1, 9s, 4);
  wide.memory = 2;
  wide.estimate = 3s;
  const auto ranked = [&](Duration (*rank)(const agents::ResidentTask&)) {
    return agents::rank_of(wide, {.name = "own", .summary = "", .rank = rank}, 1);
  };
  using Resident = const agents::ResidentTask&;
  CHECK(ranked([](Resident resident) { return Duration(resident.task.cpus); }) == 4ns);
  CHECK(ranked([](Resident resident) { return Duration(resident.task.id.portion); }) == 1ns);
  CHECK(ranked([](Resident resident) {
          return Duration(static_cast<std::int64_t>(resident.task.memory));
        }) == 2ns);
  CHECK(ranked([](Resident resident) { return resident.task.duration; }) == 3s);
}

TEST_CASE("a queue is in the order of its discipline, and of equals the first comes first") {
  agents::TaskQueue<Task> plain(under("fcfs"));
  agents::TaskQueue<Task> shortest(under("sjf"));
  for (auto* queue : {&plain, &shortest}) {
    queue->push(task(0, 5s));
    queue->push(task(1, 2s));
    queue->push(task(2, 5s));
    queue->push_first(task(3, 5s));
  }
  const auto order = [](agents::TaskQueue<Task>& queue) {
    std::vector<std::uint32_t> found;
    while (!queue.empty()) found.push_back(queue.pop().id.portion);
    return found;
  };
  CHECK(plain.any_of([](const Task& each) { return each.id.portion == 2; }));
  CHECK(plain.front().id.portion == 3);
  CHECK(order(plain) == std::vector<std::uint32_t>{3, 0, 1, 2});
  CHECK(shortest.pop_last().id.portion == 2);
  CHECK(shortest.erase_if([](const Task& each) { return each.id.portion == 3; }) == 1);
  CHECK(order(shortest) == std::vector<std::uint32_t>{1, 0});
}

}  // namespace rhizome::server_room_test
