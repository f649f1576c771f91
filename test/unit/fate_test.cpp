#include "tools/fate/fate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "scenarios/outcome/make_outcome.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/outcomes.hpp"
#include "tools/fate/story.hpp"

namespace rhizome::fate_test {

using namespace scenarios;
using namespace tools;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

// Job 0 of three tasks, in the books of peer 0. Task 0.0 is cut off by the crash of peer 1 and done
// by peer 2, whose result comes twice, the second time after the end; 0.1 is done by peer 2 at
// once; 0.2 is being run by peer 3, which leaves, and is never done.
Outcome eventful(bool late = false) {
  Outcome outcome = test::quiet_outcome(4);
  test::say(outcome, 0s, 0, agents::JobSubmitted{.tasks = late ? 2U : 3U, .work = 3s});
  for (std::uint32_t p = 0; p < (late ? 2 : 3); ++p)
    test::say(outcome, 0s, 0, agents::TaskSubmitted{{0, p}, 1s, 1});
  test::say(outcome, 1s, 1, agents::TaskStarted{{0, 0}});
  test::say(outcome, 1s, 2, agents::TaskStarted{{0, 1}});
  if (!late) test::say(outcome, 1s, 3, agents::TaskStarted{{0, 2}});
  test::say(outcome, 2s, 2, agents::TaskExecuted{{0, 1}, 1s});
  test::say(outcome, 2s, 0, agents::TaskCompleted{{0, 1}, PeerId{2}});
  test::say(outcome, 3s, 0, agents::TaskReissued{{0, 0}, PeerId{1}, "dead child"});
  test::say(outcome, 4s, 2, agents::TaskStarted{{0, 0}});
  test::say(outcome, 5s, 2, agents::TaskExecuted{{0, 0}, 1s});
  test::say(outcome, 5s, 0, agents::TaskCompleted{{0, 0}, PeerId{2}});
  test::say(outcome, 6s, 0, agents::TaskDuplicate{{0, 0}, PeerId{2}});
  outcome.faults = {{test::at(1500ms), PeerId{1}, core::Fault::Kind::crash},
                    {test::at(1600ms), PeerId{3}, core::Fault::Kind::leave},
                    {test::at(4500ms), PeerId{1}, core::Fault::Kind::restart}};
  outcome.peers[2].drops[static_cast<std::size_t>(core::Drop::lost)] = 7;
  keep_books(outcome);
  return outcome;
}

FateRow row_of(const Fate& fate, const std::string& what) {
  for (const FatePart& part : fate.parts)
    for (const FateRow& row : part.rows)
      if (row.what.ends_with(what)) return row;
  throw std::out_of_range(what);
}

std::vector<std::string> events_of(const TaskHistory& story) {
  std::vector<std::string> events;
  for (const StoryEvent& event : story.events)
    events.push_back(event.event + " " + std::to_string(event.peer.value));
  return events;
}

}  // namespace

TEST_CASE("a fate tells executions cut off by a crash from those cut off by a leave") {
  const Fate fate = fate_of(eventful());
  CHECK(row_of(fate, "crash").times == 1);
  CHECK(row_of(fate, "restart").times == 1);
  CHECK(row_of(fate, "leave").times == 1);
  CHECK(row_of(fate, "join").times == 0);
  CHECK(row_of(fate, "cut off by a crash").times == 1);
  CHECK(row_of(fate, "cut off by a leave").times == 1);
  CHECK(row_of(fate, "given up, or not ended by the end").times == 0);
  CHECK(row_of(fate, "started").times == 4);
  CHECK(row_of(fate, "started").tasks == 3);
  CHECK(row_of(fate, "repeated").times == 1);
  CHECK(row_of(fate, "ended").times == 2);
}

TEST_CASE("a fate counts tasks handed out again by reason, and each task concerned once") {
  Outcome outcome = test::quiet_outcome(2);
  test::say(outcome, 0s, 0, agents::JobSubmitted{.tasks = 4});
  for (const char* reason : {"overdue", "dead child", "dead child"})
    test::say(outcome, 1s, 0, agents::TaskReissued{{0, 2}, PeerId{1}, reason});
  keep_books(outcome);
  const Fate fate = fate_of(outcome);
  REQUIRE(fate.parts[2].rows.size() == 2);
  CHECK(fate.parts[2].rows[0].what == "dead child");  // most times first
  CHECK(fate.parts[2].rows[0].times == 2);
  CHECK(fate.parts[2].rows[0].tasks == 1);
  CHECK(fate.parts[2].share(fate.parts[2].rows[0]) == 0.25);
}

TEST_CASE("a fate has a row for each of the most frequent reasons, and one for all others") {
  Outcome outcome = test::quiet_outcome(2);
  test::say(outcome, 0s, 0, agents::JobSubmitted{.tasks = 4});
  for (int i = 0; i < 200; ++i)
    test::say(outcome, 1s, 0, agents::TaskReissued{{0, 2}, PeerId{1}, std::to_string(i % 60)});
  keep_books(outcome);
  const Fate fate = fate_of(outcome);
  REQUIRE(fate.parts[2].rows.size() == 50);
  CHECK(fate.parts[2].rows.back().what == "others");
  CHECK(fate.parts[2].rows.back().times == 11 * 3);
  CHECK(fate.parts[2].rows.back().tasks == 11);
}

TEST_CASE("a fate tells a result that comes after the end of its job, and work done in vain") {
  Outcome outcome = eventful(true);
  CHECK(row_of(fate_of(outcome), "duplicates").times == 1);
  CHECK(row_of(fate_of(outcome), "after the end of the job").times == 1);
  CHECK(row_of(fate_of(outcome), "after the result was known").times == 0);
  test::say(outcome, 7s, 3, agents::TaskExecuted{{0, 1}, 1s});
  CHECK(row_of(fate_of(outcome), "after the result was known").times == 1);
  CHECK(row_of(fate_of(eventful()), "after the end of the job").times == 0);  // it never ended
}

TEST_CASE("a fate counts tasks never completed, including tasks that no peer was handed") {
  Outcome outcome = eventful();
  outcome.unseen = 5;
  const Fate fate = fate_of(outcome);
  CHECK(fate.tasks == 8);
  CHECK(row_of(fate, "never ready to start").tasks == 5);
  CHECK(row_of(fate, "started without a result").tasks == 1);
}

TEST_CASE("fates of one scheduler add up over its runs, and of two stand side by side") {
  std::vector<Fate> fates;
  Outcome outcome = eventful();
  for (int run = 0; run < 2; ++run) add(fates, fate_of(outcome));
  outcome.identity.label = "another";
  outcome.validity.level = Validity::Level::invalid;
  add(fates, fate_of(outcome));
  REQUIRE(fates.size() == 2);
  CHECK(fates[0].runs == 2);
  CHECK(fates[0].tasks == 6);
  const FateRow lost = row_of(fates[0], "with its sender");
  CHECK(lost.times == 14);
  CHECK_FALSE(lost.tasks);  // packets are no tasks
  CHECK(fates[0].parts[5].per_run(lost) == 7);
  CHECK(fates[0].parts[2].share(row_of(fates[0], "dead child")) == doctest::Approx(1.0 / 3));
  CHECK(text_of(fates).find("another: 1 run, 1 of them invalid, 3 tasks") != std::string::npos);
  const auto json = parse_json(json_of(fates));
  REQUIRE(json);
  CHECK(json->at("schedulers").at(0).at("runs") == 2);
  CHECK(json->at("schedulers").at(0).at("rows").at(0).at("what") == "crash");
}

TEST_CASE("a fate and a story are marked if an operator steered the run by hand") {
  Outcome outcome = eventful();
  std::vector<Fate> fates{fate_of(outcome)};
  CHECK(text_of(fates).find("steered") == std::string::npos);
  CHECK(text_of(story_of(outcome, {0, 0})).find("steered") == std::string::npos);
  outcome.steered.operator_commands = 3;
  add(fates, fate_of(outcome));
  CHECK(text_of(fates).find("2 runs, 1 of them steered by hand, 6 tasks") != std::string::npos);
  CHECK(markdown_of(fates).find("1 of them steered by hand") != std::string::npos);
  CHECK(parse_json(json_of(fates)).value().at("schedulers").at(0).at("steered") == 1);
  const TaskHistory story = story_of(outcome, {0, 0});
  CHECK(text_of(story).find(", steered") != std::string::npos);
  CHECK(markdown_of(story).find("steered by hand)") != std::string::npos);
  CHECK(parse_json(json_of(story)).value().at("steered").get<bool>());
}

TEST_CASE("a fate says of how many runs it lacks what the peers of a lost process did") {
  Outcome outcome = eventful();
  std::vector<Fate> fates{fate_of(outcome)};
  CHECK(text_of(fates).find("lost a process") == std::string::npos);
  outcome.lost.push_back({.peers = {core::PeerId{1}}, .why = "process 1 is lost"});
  add(fates, fate_of(outcome));
  CHECK(text_of(fates).find("1 of them lost a process") != std::string::npos);
  CHECK(parse_json(json_of(fates)).value().at("schedulers").at(0).at("lost_a_process") == 1);
}

TEST_CASE("what the lost process of a source knew is not counted as zero") {
  Outcome outcome = eventful();
  outcome.lost.push_back({.peers = {core::PeerId{0}}, .why = "process 1 is lost"});
  CHECK(results_known(outcome));
  outcome.jobs.front().portions = 0;
  CHECK_FALSE(results_known(outcome));
  std::vector<Fate> fates{fate_of(outcome)};
  const std::string text = text_of(fates);
  CHECK(text.find("results that reached their source: not known\n") != std::string::npos);
  CHECK(text.find("tasks never completed: not known\n") != std::string::npos);
  CHECK(text.find("was never completed") == std::string::npos);
  CHECK(markdown_of(fates).find("| not known |  |") != std::string::npos);
  CHECK(parse_json(json_of(fates)).value().at("schedulers").at(0).at("results_not_known") == 1);
  std::vector<Fate> both = fates;
  add(both, fate_of(eventful()));
  const Fate known = fate_of(eventful());
  CHECK(both[0].runs == 2);
  for (const std::size_t part : {std::size_t{3}, std::size_t{4}})
    for (std::size_t i = 0; i < known.parts[part].rows.size(); ++i) {
      const FateRow& row = both[0].parts[part].rows[i];
      CHECK(both[0].parts[part].per_run(row) ==
            known.parts[part].per_run(known.parts[part].rows[i]));
      CHECK(both[0].parts[part].share(row) == known.parts[part].share(known.parts[part].rows[i]));
    }
  CHECK(text_of(both).find("  of 1 run, whose results are known:\n") != std::string::npos);
  CHECK(markdown_of(both).find(", of 1 run, whose results are known |") != std::string::npos);
  outcome.tasks.front().completed = false;
  const TaskHistory story = story_of(outcome, outcome.tasks.front().id);
  CHECK(text_of(story).find("never completed") == std::string::npos);
  CHECK(parse_json(json_of(story)).value().at("completed").is_null());
  add(fates, fate_of(eventful()));
  CHECK(row_of(fates.front(), "first of a task").times == 2);
}

TEST_CASE("a fate names a task that was never completed, or else that to which most happened") {
  Outcome outcome = eventful();
  outcome.identity.repetition = 4;
  const auto told = [](const Outcome& of) {
    std::string text = text_of(std::vector{fate_of(of)});
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  CHECK(told(outcome).find("Task 0.2 of repetition 5 was never completed: see --scheduler dealer "
                           "--task 0.2") != std::string::npos);
  outcome.tasks.pop_back();
  CHECK(told(outcome).find("Most happened to task 0.0 of repetition 5: see --scheduler dealer "
                           "--task 0.0") != std::string::npos);
  outcome.tasks.clear();
  CHECK(text_of(std::vector{fate_of(outcome)}).find("Every task was executed once") !=
        std::string::npos);
}

TEST_CASE("no line of a fate or a story is wider than eighty columns") {
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      most = std::max(most, end - from);
      from = end + 1;
    }
    return most;
  };
  const Outcome outcome = eventful();
  const std::vector<Fate> fates{fate_of(outcome)};
  CHECK(widest(text_of(fates)) <= 80);
  CHECK(widest(text_of(story_of(outcome, {0, 0}))) <= 80);
}

TEST_CASE("a story tells what happened to a task in order, with the crash that cut it off") {
  const TaskHistory story = story_of(eventful(), {0, 0});
  CHECK(events_of(story) == std::vector<std::string>{"submitted 0", "started 1", "crash 1",
                                                     "cut off 1", "handed out again 0", "started 2",
                                                     "restart 1", "ended 2", "completed 0",
                                                     "duplicate 0"});
  CHECK(story.events[4].text == "peer 0 hands it out again, which peer 1 had: dead child");
  CHECK(text_of(story).find("2 starts, 1 execution, 1 re-issue, 1 duplicate; 5.000000 s") !=
        std::string::npos);
}

TEST_CASE("a story tells each hop and how many there were, where the run has noted them") {
  Outcome outcome = eventful();
  CHECK_FALSE(story_of(outcome, {0, 0}).hops);
  CHECK(text_of(story_of(outcome, {0, 0})).find("hop") == std::string::npos);
  CHECK(parse_json(json_of(story_of(outcome, {0, 0})))->at("hops").is_null());
  test::say(outcome, 0s, 0, agents::TaskHanded{{0, 0}, PeerId{3}});
  test::say(outcome, 1ms, 3, agents::TaskHanded{{0, 0}, PeerId{1}});
  test::say(outcome, 1ms, 3, agents::TaskHanded{{0, 1}, PeerId{1}});
  const TaskHistory story = story_of(outcome, {0, 0});
  CHECK(story.hops == 2);
  CHECK(std::count_if(story.events.begin(), story.events.end(),
                      [](const StoryEvent& each) { return each.event == "handed on"; }) == 2);
  CHECK(text_of(story).find("peer 3 hands it on to peer 1") != std::string::npos);
  CHECK(text_of(story).find(", 2 hops; ") != std::string::npos);
  CHECK(parse_json(json_of(story))->at("hops") == 2);
}

TEST_CASE("a story tells the result of a task, and whether it is right") {
  Outcome outcome = eventful();
  test::say(outcome, 5s, 2, agents::TaskComputed{{0, 0}, "checksum 7", true});
  CHECK(text_of(story_of(outcome, {0, 0})).find("peer 2 computed checksum 7, which is right") !=
        std::string::npos);
  test::say(outcome, 6s, 2, agents::TaskComputed{{0, 0}, "checksum 8", false});
  CHECK(text_of(story_of(outcome, {0, 0})).find("peer 2 computed checksum 8, which is wrong") !=
        std::string::npos);
}

TEST_CASE("a story of a task that was never completed says so") {
  const TaskHistory story = story_of(eventful(), {0, 2});
  CHECK(events_of(story) ==
        std::vector<std::string>{"submitted 0", "started 3", "leave 3", "cut off 3"});
  CHECK(text_of(story).find("never completed") != std::string::npos);
  CHECK(parse_json(json_of(story))->at("completed") == false);
}

TEST_CASE("a story of a task that is not there says which tasks are") {
  CHECK_THROWS_WITH_AS(static_cast<void>(story_of(eventful(), {4, 0})),
                       "this run has no task 4.0: its jobs are 0 to 0", std::out_of_range);
  CHECK_THROWS_WITH_AS(static_cast<void>(story_of(eventful(), {0, 3})),
                       "this run has no task 0.3: those of job 0 are 0.0 to 0.2",
                       std::out_of_range);
}

TEST_CASE("the story of a task that moves tells where it went and by which way it was found") {
  using namespace agents::locator;
  Outcome outcome = test::busy_outcome();
  const agents::TaskId mover{0, 0};
  const agents::TaskId giver{0, 1};
  test::say(outcome, 90s, 0, TaskLeft{mover, PeerId{1}, 1});
  test::say(outcome, 91s, 1, TaskSettled{mover, 1, 1});
  test::say(outcome, 92s, 0, ForwarderLeft{mover, PeerId{1}, 1});
  test::say(outcome, 93s, 2, DatumSent{mover, giver, PeerId{0}, 0, false});
  test::say(outcome, 94s, 1, DatumGiven{mover, giver, 2});
  test::say(outcome, 95s, 0, ForwarderGone{mover});
  std::vector<std::string> told;
  for (const StoryEvent& event : story_of(outcome, mover).events)
    if (event.at >= test::at(90s)) told.push_back(event.text);
  CHECK(told == std::vector<std::string>{
                    "peer 0 sends it to peer 1", "peer 1 has it in epoch 1, in want of 1 data",
                    "peer 0 forwards to peer 1, version 1",
                    "peer 2 sends what task 0.1 gives it to peer 0, version 0",
                    "peer 1 gives it what task 0.1 gives, which came by 2 messages",
                    "peer 0 forwards no more"});
  CHECK(text_of(story_of(outcome, giver)).find("forwards") == std::string::npos);
}

}  // namespace rhizome::fate_test
