// The reports of sinfo and squeue, and the decision of a scenario's policy on them.
#include "tools/launch/slurm_queue.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "agents/provision/policy.hpp"
#include "tools/commands/guiding/slurm_report.hpp"

namespace rhizome::tools::slurm_queue_test {

namespace {

using Lines = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

agents::provision::PolicyId policy(std::string_view word) {
  const auto all = agents::provision::policies();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].word == word) return agents::provision::PolicyId(i);
  FAIL("no policy ", word);
  return {};
}

agents::provision::NodePlan plan(std::string_view word) {
  return {.options = {.policy = policy(word), .step = 0}, .limits = {2, 10}};
}

}  // namespace

TEST_CASE("a node of several partitions counts once, and only if no job has any of it") {
  const SlurmQueue queue =
      parse_slurm_queue(Lines{"node a idle", "node a idle", "node b mixed", "node c idle*",
                              "node d planned", "node e down*", "node f idle~", "end 100"});
  CHECK(queue.nodes == 6);
  CHECK(queue.state.idle == 3);  // a, d, f
  CHECK(queue.top.empty());
  CHECK(queue.state.required == 0);
}

TEST_CASE("the job on top is the first that waits for nodes, from the time it became eligible") {
  const SlurmQueue queue = parse_slurm_queue(
      Lines{"node a idle", "job 4 9 eve N/A JobHeldUser", "job 5 8 eve 500 BeginTime",
            "job 6_[1-3] 3 bob 70 Resources", "job 7 2 eve 10 Priority", "end 100"});
  CHECK(queue.top == "6_[1-3]");
  CHECK(queue.user == "bob");
  CHECK(queue.state.required == 3);
  CHECK(queue.state.waited == std::chrono::seconds(30));
  CHECK(parse_slurm_queue(Lines{"job 1 1 bob 170 None", "end 100"}).state.waited ==
        core::Duration::zero());  // a clock that is ahead
}

TEST_CASE("jobs of our own nodes do not count as those of another user") {
  const Lines lines{"node a idle", "own 7 rhizome-ab-1",      "own 8 rhizome-abc-1",
                    "own 9",       "job 7 3 me 90 Resources", "job 8 2 me 95 Priority",
                    "end 100"};
  CHECK(parse_slurm_queue(lines, "rhizome-ab").top == "8");
  CHECK(parse_slurm_queue(lines).top == "7");
}

TEST_CASE("an answer that breaks off is refused") {
  const auto refused = [](const Lines& lines, const char* why) {
    try {
      static_cast<void>(parse_slurm_queue(lines));
      return false;
    } catch (const NoSlurm& error) {
      return contains(error.what(), why);
    }
  };
  CHECK(refused({}, "not complete"));
  CHECK(refused({"node a idle"}, "not complete"));
  CHECK(refused({"end soon"}, "not complete"));
}

TEST_CASE("a line that cannot be read is passed over, with a warning of the first") {
  for (const char* line :
       {"node a", "slurm_load_jobs error", "job 1 0 bob 7 None", "job 1 x bob 7 None",
        "job 1 2 bob N/A None", "job 1 4294967296 bob 7 None", "job 1 2 bob 7"}) {
    CAPTURE(line);
    const SlurmQueue queue = parse_slurm_queue(
        Lines{"node b idle", line, "node c", "job 5 3 eve 70 Resources", "end 100"});
    CHECK(contains(queue.warning, '"' + std::string(line) + '"'));
    CHECK(queue.nodes == 1);
    CHECK(queue.top == "5");
  }
  CHECK(parse_slurm_queue(Lines{"node b idle", "end 100"}).warning.empty());
}

// MaxN 10, MinN 2, 4 held; Required_top 6, IdleN 5, 30 s of a minute: Queue 0.5.
TEST_CASE("decisions equal the formula computed by hand") {
  const SlurmQueue queue{.nodes = 9,
                         .top = "7",
                         .user = "bob",
                         .state = {.idle = 5, .required = 6, .waited = std::chrono::seconds(30)}};
  const std::string text = decisions_of(plan("formula"), 4, queue);
  CHECK(contains(text, "formula, from 2 to 10 nodes"));
  CHECK(contains(text, "Goal 10 - held 4 = Demand 6; - Queue 0.5 = Index 5.5: adds 6 nodes"));
  CHECK(contains(text, "Goal 2 - held 4 = Demand -2; - Queue 0.5 = Index -2.5: releases 2 nodes"));
  CHECK(contains(decisions_of(plan("queue-length"), 4, queue), "adds 6 nodes"));
  CHECK(contains(text_of(queue), "9 nodes, 5 idle; job 7 of bob on top of the queue needs 6"));
}

}  // namespace rhizome::tools::slurm_queue_test
