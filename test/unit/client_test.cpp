// The client's side within a peer: the jobs that it records, the tasks that it releases, and its
// signals to the scheduler.
#include "agents/client.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "test/support/lone_peer.hpp"

namespace rhizome::client_test {

using agents::Dependency;
using agents::Task;
using agents::TaskId;
using core::PeerId;

namespace {

constexpr PeerId me{0};
constexpr PeerId executor{1};

// Inputs in place of a scheduler's decisions.
struct Say {
  static constexpr core::InputInfo info{"say", "A result has come."};
  TaskId task;
};

// Likewise for a task whose books are kept elsewhere, and for a job that another peer has now.
struct SayDone {
  static constexpr core::InputInfo info{"say-done", "A task is done here."};
  TaskId task;
};
struct SayGone {
  static constexpr core::InputInfo info{"say-gone", "A job is somebody else's."};
  std::uint32_t job;
};

// Takes the place of a scheduler: keeps the signals that it hears.
struct Desk {
  using Messages = core::Nothing;
  using Env = core::Env<Messages>;
  using Inputs = core::OneOf<Say, SayDone, SayGone>;
  using Hears = core::OneOf<agents::Submitted, agents::Announced, agents::Drained>;
  static constexpr std::string_view name = "desk";

  void start(Env&) {}
  void on(Env& env, const Say& say) { env.raise(agents::Finished{say.task, executor}); }
  void on(Env& env, const SayDone& say) { env.raise(agents::Settled{say.task}); }
  void on(Env& env, const SayGone& say) { env.raise(agents::Disowned{say.job}); }
  void on(Env&, const agents::Submitted& job) { submitted.push_back(job); }
  void on(Env&, const agents::Announced& job) { announced.push_back(job); }
  void on(Env&, const agents::Drained&) { ++drained; }

  std::vector<agents::Submitted> submitted;
  std::vector<agents::Announced> announced;
  int drained = 0;
};

struct Office {
  test::LonePeer<Desk> peer;
  explicit Office(agents::Releases releases = agents::Releases::client)
      : peer(me, [releases](core::Peer& bare) {
          bare.add<Desk>();
          bare.add<agents::Client>(core::Incarnation{}, releases);
        }) {
    peer.start();
  }

  template <class I>
  void give(const I& input) {
    peer.expect(core::make_input(peer.now(), me, input));
    peer.take_inputs();
  }
  void hand_in(const agents::Job& job) { give(agents::JobArrives{job, true, me}); }
  void result(TaskId task) { give(Say{task}); }
  [[nodiscard]] const Desk& desk() const { return peer.protocol(); }
  // The portions submitted last.
  [[nodiscard]] std::vector<std::uint32_t> released() const {
    std::vector<std::uint32_t> portions;
    for (const Task& task : desk().submitted.back().tasks) portions.push_back(task.id.portion);
    return portions;
  }
  template <class F>
  [[nodiscard]] std::size_t noted() const {
    return test::count_facts<F>(peer);
  }
};

agents::Job job_of(std::uint32_t id, std::uint32_t tasks, std::vector<Dependency> needs = {}) {
  agents::Job job{.id = id, .portions = {}, .dependencies = std::move(needs)};
  for (std::uint32_t i = 0; i < tasks; ++i) job.portions.push_back({.id = {id, i}});
  return job;
}

}  // namespace

TEST_CASE("a client records arrivals, and each result once") {
  Office office;
  office.hand_in(job_of(3, 2));
  CHECK(office.noted<agents::TaskSubmitted>() == 2);
  CHECK(office.noted<agents::JobSubmitted>() == 1);
  REQUIRE(office.desk().submitted.size() == 1);
  CHECK(office.desk().submitted[0].job == 3);
  office.result({3, 0});
  office.result({3, 0});
  CHECK(office.noted<agents::TaskCompleted>() == 1);
  CHECK(office.noted<agents::TaskDuplicate>() == 1);
  CHECK(office.noted<agents::JobCompleted>() == 0);
  office.result({3, 1});
  CHECK(office.noted<agents::JobCompleted>() == 1);
  office.result({3, 1});  // of a job that is done
  office.result({3, 2});  // and of no task of it
  CHECK(office.noted<agents::TaskCompleted>() == 2);
  CHECK(office.noted<agents::TaskDuplicate>() == 2);
}

TEST_CASE("a result of a task that was never handed in says nothing") {
  Office office;
  office.hand_in(job_of(0, 2));
  office.result({0, 2});
  office.result({1, 0});
  CHECK(office.noted<agents::TaskCompleted>() == 0);
  CHECK(office.noted<agents::TaskDuplicate>() == 0);
}

TEST_CASE("farewells begin once no more jobs come and all are done, and once only") {
  Office office;
  office.hand_in(job_of(0, 1));
  SUBCASE("the last result comes last") {
    office.give(agents::NoMoreJobs{});
    CHECK(office.desk().drained == 0);
    office.result({0, 0});
  }
  SUBCASE("the last word comes last") {
    office.result({0, 0});
    CHECK(office.desk().drained == 0);
    office.give(agents::NoMoreJobs{});
  }
  SUBCASE("a job without tasks does not block others") {
    office.hand_in(job_of(1, 0));
    office.result({0, 0});
    office.give(agents::NoMoreJobs{});
  }
  CHECK(office.desk().drained == 1);
  office.result({0, 0});
  CHECK(office.desk().drained == 1);
}

TEST_CASE("tasks of a graph are released when the tasks that they need are done") {
  Office office;
  office.hand_in(job_of(0, 4, {{1, 0}, {2, 0}, {3, 1}, {3, 2}}));
  CHECK(office.released() == std::vector<std::uint32_t>{0});
  CHECK(office.noted<agents::TaskSubmitted>() == 1);
  office.result({0, 0});
  CHECK(office.released() == std::vector<std::uint32_t>{1, 2});
  office.result({0, 2});
  CHECK(office.desk().submitted.size() == 2);
  office.result({0, 2});
  CHECK(office.desk().submitted.size() == 2);
  office.result({0, 1});
  CHECK(office.released() == std::vector<std::uint32_t>{3});
  CHECK(office.noted<agents::JobCompleted>() == 0);
  office.result({0, 3});
  CHECK(office.noted<agents::JobCompleted>() == 1);
}

TEST_CASE("a client that keeps the books of a job that enters elsewhere submits nothing") {
  Office office;
  office.give(agents::JobAnnounced{job_of(0, 1), executor});
  CHECK(office.noted<agents::TaskSubmitted>() == 0);
  REQUIRE(office.desk().announced.size() == 1);
  CHECK(office.desk().announced[0].at == executor);
  office.result({0, 0});
  CHECK(office.noted<agents::TaskCompleted>() == 1);
  CHECK(office.noted<agents::JobCompleted>() == 1);
}

TEST_CASE("a graph that enters where its books are not kept is released there all the same") {
  Office office;
  office.give(agents::JobArrives{job_of(0, 4, {{1, 0}, {2, 0}, {3, 1}}), true, executor});
  CHECK(office.released() == std::vector<std::uint32_t>{0});
  office.give(SayDone{{0, 0}});
  CHECK(office.released() == std::vector<std::uint32_t>{1, 2});
  CHECK(office.noted<agents::TaskSubmitted>() == 3);
  CHECK(office.noted<agents::TaskCompleted>() == 0);
  SUBCASE("until it is done") {
    office.give(SayDone{{0, 1}});
    CHECK(office.released() == std::vector<std::uint32_t>{3});
  }
  SUBCASE("until another peer has the job") {
    office.give(SayGone{0});
    office.give(SayDone{{0, 1}});
    CHECK(office.desk().submitted.size() == 2);
  }
}

TEST_CASE("a keeper of a graph that enters elsewhere knows what may run, in any order of results") {
  Office office;
  office.give(agents::JobAnnounced{job_of(0, 4, {{1, 0}, {2, 1}, {3, 2}}), executor});
  const auto& announced = office.desk().announced;
  REQUIRE(announced.size() == 1);
  CHECK(announced[0].tasks.size() == 1);
  office.result({0, 1});  // overtook the result of the task that it needed
  REQUIRE(announced.size() == 2);
  CHECK(announced[1].at == executor);
  CHECK(announced[1].tasks.front().id.portion == 2);
  office.result({0, 0});
  CHECK(announced.size() == 2);
  office.result({0, 2});
  REQUIRE(announced.size() == 3);
  CHECK(announced[2].tasks.front().id.portion == 3);
  CHECK(office.noted<agents::TaskSubmitted>() == 0);
  CHECK(office.noted<agents::GraphSubmitted>() == 1);
}

TEST_CASE("tasks that another adds are unknown until it is done") {
  Office office;
  agents::Job job = job_of(0, 6);
  job.growth = {{.by = 0, .first = 2, .count = 3}, {.by = 4, .first = 5, .count = 1}};
  office.hand_in(job);
  CHECK(office.released() == std::vector<std::uint32_t>{0, 1});
  office.result({0, 1});
  CHECK(office.noted<agents::TasksAdded>() == 0);
  office.result({0, 0});
  CHECK(office.released() == std::vector<std::uint32_t>{2, 3, 4});
  CHECK(office.noted<agents::TasksAdded>() == 1);
  for (const std::uint32_t portion : {2, 3, 4}) office.result({0, portion});
  CHECK(office.released() == std::vector<std::uint32_t>{5});
  CHECK(office.noted<agents::JobCompleted>() == 0);
  office.result({0, 5});
  CHECK(office.noted<agents::TasksAdded>() == 2);
  CHECK(office.noted<agents::JobCompleted>() == 1);
  CHECK(agents::submitted(job, true).tasks == 2);
}

TEST_CASE("a job that enters where its books are not kept is submitted and no more") {
  Office office;
  office.give(agents::JobArrives{job_of(0, 1), true, executor});
  CHECK(office.noted<agents::TaskSubmitted>() == 1);
  CHECK(office.desk().submitted.size() == 1);
  office.result({0, 0});
  CHECK(office.noted<agents::TaskCompleted>() == 0);
  office.give(agents::NoMoreJobs{});
  CHECK(office.desk().drained == 1);
}

TEST_CASE("a part of a job completes no job") {
  Office office;
  office.give(agents::JobArrives{job_of(0, 1), false, me});
  office.result({0, 0});
  CHECK(office.noted<agents::TaskCompleted>() == 1);
  CHECK(office.noted<agents::JobCompleted>() == 0);
}

TEST_CASE("parts of a job that come one after another are each done") {
  Office office;
  office.give(agents::JobArrives{job_of(0, 1), false, me});
  agents::Job later{.id = 0, .portions = {{.id = {0, 5}}}};
  office.give(agents::JobArrives{later, false, me});
  office.give(agents::NoMoreJobs{});
  office.result({0, 0});
  CHECK(office.desk().drained == 0);
  office.result({0, 5});
  CHECK(office.noted<agents::TaskCompleted>() == 2);
  CHECK(office.desk().drained == 1);
}

TEST_CASE("a client of a later life has lost its jobs, and lets the run end") {
  const auto drained = [](core::Incarnation life, core::Incarnation first) {
    test::LonePeer<Desk> peer(
        me,
        [first](core::Peer& bare) {
          bare.add<Desk>();
          bare.add<agents::Client>(first);
        },
        life);
    peer.start();
    return peer.protocol().drained;
  };
  CHECK(drained({0}, {0}) == 0);
  CHECK(drained({1}, {1}) == 0);  // it joined late
  CHECK(drained({1}, {0}) == 1);
}

TEST_CASE("a job of more tasks than a packet carries is handed in whole") {
  Office office;
  office.hand_in(job_of(0, 100'000));
  CHECK(office.noted<agents::TaskSubmitted>() == 100'000);
}

TEST_CASE("a scheduler that sees to dependencies itself is handed the whole graph at once") {
  const std::vector<Dependency> needs{{.task = 1, .needs = 0, .bytes = 7}};
  Office office(agents::Releases::scheduler);
  office.hand_in(job_of(0, 3, needs));
  REQUIRE(office.desk().submitted.size() == 1);
  CHECK(office.released() == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(office.desk().submitted[0].dependencies == needs);
  CHECK(office.noted<agents::TaskSubmitted>() == 3);
  office.result({0, 0});
  CHECK(office.desk().submitted.size() == 1);
  office.hand_in(job_of(1, 1));
  CHECK(office.desk().submitted.back().dependencies.empty());
}

}  // namespace rhizome::client_test
