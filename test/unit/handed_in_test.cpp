// The inputs that clients hand in: their order, and the peers that get them.
#include "scenarios/experiment/handed_in.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace rhizome::handed_in_test {

using namespace std::chrono_literals;
using agents::Entry;
using core::PeerId;
using core::Time;

namespace {

constexpr Time at(core::Duration since) { return Time{} + since; }

// Three jobs a second apart, of two tasks each.
agents::Workload three_jobs() {
  agents::Workload workload;
  for (std::uint32_t job = 0; job < 3; ++job)
    workload.jobs.push_back(
        {.id = job, .arrival = at(job * 1s), .portions = {{.id = {job, 0}}, {.id = {job, 1}}}});
  return workload;
}

std::unique_ptr<agents::Arrivals> listed(const agents::Workload& workload) {
  return std::make_unique<agents::ListedArrivals>(workload);
}

// "job-arrives 0@1": the input, its receiver, and its time in seconds.
std::vector<std::string> all_of(scenarios::HandedIn& inputs) {
  std::vector<std::string> list;
  Time last{};
  while (const auto input = inputs.next({})) {
    CHECK(input->at >= last);
    last = input->at;
    list.push_back(std::string(input->info->name) + " " + std::to_string(input->peer.value) + "@" +
                   std::to_string(input->at.time_since_epoch() / 1s));
  }
  return list;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("jobs are handed in at their time, and after the last it is said that no more come") {
  const agents::Workload workload = three_jobs();
  scenarios::HandedIn inputs(listed(workload), agents::enter_at(PeerId{4}), {});
  CHECK(all_of(inputs) ==
        List{"job-arrives 4@0", "job-arrives 4@1", "job-arrives 4@2", "no-more-jobs 4@2"});
}

TEST_CASE(
    "tasks that arrive after their job are handed in apart, and no more come after the last") {
  agents::Workload workload = three_jobs();
  workload.jobs[0].portions[1].after = 5s;
  workload.jobs[1].portions[0].after = 500ms;
  scenarios::HandedIn inputs(listed(workload), agents::enter_at(PeerId{4}), {});
  CHECK(all_of(inputs) == List{"job-arrives 4@0", "job-arrives 4@1", "job-arrives 4@1",
                               "job-arrives 4@2", "job-arrives 4@5", "no-more-jobs 4@5"});
}

TEST_CASE("without a job all that comes is that none will") {
  const agents::Workload workload;
  scenarios::HandedIn inputs(listed(workload), agents::enter_at(PeerId{4}), {});
  CHECK(all_of(inputs) == List{"no-more-jobs 4@0"});
}

TEST_CASE("the keeper of the books of a job that enters elsewhere hears of it first") {
  const agents::Workload workload = three_jobs();
  const agents::Entries entries{.of =
                                    [](agents::TaskId task) {
                                      return Entry{PeerId{task.job}, PeerId{1}};
                                    },
                                .keepers = {PeerId{1}}};
  scenarios::HandedIn inputs(listed(workload), entries, {});
  CHECK(all_of(inputs) == List{"job-announced 1@0", "job-arrives 0@0", "job-arrives 1@1",
                               "job-announced 1@2", "job-arrives 2@2", "no-more-jobs 1@2"});
}

TEST_CASE("no job is handed in before its keeper has joined") {
  const agents::Workload workload = three_jobs();
  scenarios::HandedIn inputs(listed(workload), agents::enter_at(PeerId{4}),
                             {{at(1500ms), PeerId{4}, core::Fault::Kind::join}});
  CHECK(all_of(inputs) ==
        List{"job-arrives 4@1", "job-arrives 4@1", "job-arrives 4@2", "no-more-jobs 4@2"});
}

TEST_CASE(
    "a job that enters at a peer that has not joined is lost, and its keeper knows the peer") {
  const agents::Workload workload = three_jobs();
  const agents::Entries entries{.of =
                                    [](agents::TaskId) {
                                      return Entry{PeerId{2}, PeerId{1}};
                                    },
                                .keepers = {PeerId{1}}};
  scenarios::HandedIn inputs(listed(workload), entries,
                             {{at(1500ms), PeerId{2}, core::Fault::Kind::join}});
  CHECK(all_of(inputs) == List{"job-announced 1@0", "job-announced 1@1", "job-announced 1@2",
                               "job-arrives 2@2", "no-more-jobs 1@2"});
}

TEST_CASE("where tasks enter one by one, each peer is handed its part of a job") {
  const agents::Workload workload = three_jobs();
  const agents::Entries entries{.of =
                                    [](agents::TaskId task) {
                                      const PeerId peer{task.portion + task.job / 2};
                                      return Entry{peer, peer};
                                    },
                                .keepers = {PeerId{0}, PeerId{1}, PeerId{2}},
                                .by_task = true};
  scenarios::HandedIn inputs(listed(workload), entries, {});
  CHECK(all_of(inputs) == List{"job-arrives 0@0", "job-arrives 1@0", "job-arrives 0@1",
                               "job-arrives 1@1", "job-arrives 1@2", "job-arrives 2@2",
                               "no-more-jobs 0@2", "no-more-jobs 1@2", "no-more-jobs 2@2"});
}

TEST_CASE("tasks that a plan delays enter later, and the last input comes after all") {
  const agents::Workload workload = three_jobs();
  const agents::Entries entries{.of =
                                    [](agents::TaskId task) {
                                      return Entry{PeerId{1}, PeerId{1}, at(task.portion * 3s)};
                                    },
                                .keepers = {PeerId{1}},
                                .by_task = true};
  scenarios::HandedIn inputs(listed(workload), entries, {});
  CHECK(all_of(inputs) == List{"job-arrives 1@0", "job-arrives 1@1", "job-arrives 1@2",
                               "job-arrives 1@3", "job-arrives 1@3", "job-arrives 1@3",
                               "no-more-jobs 1@3"});
}

}  // namespace rhizome::handed_in_test
