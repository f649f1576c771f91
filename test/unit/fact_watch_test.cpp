// Waiting for a fact of a run, and finding where two outcomes part.
#include "scenarios/outcome/fact_watch.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "scenarios/outcome/facts.hpp"

namespace rhizome::fact_watch_test {

namespace {

using namespace std::chrono_literals;
using scenarios::FactWatch;

// Encoded as peers note it.
template <class F>
class Encoded {
 public:
  explicit Encoded(const F& fact) { core::encode(fact, bytes_); }
  [[nodiscard]] core::EncodedFact fact() const { return {&F::info, bytes_}; }

 private:
  core::Bytes bytes_;
};

std::string refusal_of(const std::string& asked) {
  try {
    const FactWatch watch(asked);
  } catch (const scenarios::NoSuchFact& error) {
    return error.what();
  }
  return "";
}

const Encoded started(agents::TaskStarted{.task = {3, 4}});

}  // namespace

TEST_CASE("a watch matches facts of its type alone") {
  CHECK(FactWatch("task-started").matches(started.fact()));
  CHECK(!FactWatch("task-completed").matches(started.fact()));
}

TEST_CASE("a watch matches the values that were named") {
  CHECK(FactWatch("task-started job=3 portion=4").matches(started.fact()));
  CHECK(!FactWatch("task-started job=3 portion=5").matches(started.fact()));
  const Encoded completed(agents::TaskCompleted{.task = {0, 1}, .executor = core::PeerId{7}});
  CHECK(FactWatch("task-completed executor=7").matches(completed.fact()));
  CHECK(!FactWatch("task-completed executor=70").matches(completed.fact()));
}

TEST_CASE("a fact that does not exist is answered with the nearest") {
  CHECK(refusal_of("task-strated") ==
        "there is no fact \"task-strated\"; did you mean \"task-started\"?");
  CHECK(refusal_of("task-started jop=3") ==
        "a fact task-started has no \"jop\"; did you mean \"job\"?");
  CHECK(refusal_of("task-started now") == "\"now\" is no FIELD=VALUE of a fact task-started");
}

TEST_CASE("outcomes part at the first fact in which they differ") {
  scenarios::Outcome was;
  was.facts.add({core::Time{1s}, core::PeerId{1}, 0}, agents::TaskStarted{.task = {0, 1}});
  was.facts.add({core::Time{2s}, core::PeerId{1}, 1}, agents::TaskStarted{.task = {0, 2}});
  scenarios::Outcome is = was;
  CHECK(!scenarios::first_difference(was, is));
  is.facts.add({core::Time{1500ms}, core::PeerId{2}, 0}, agents::TaskStarted{.task = {0, 3}});
  is.facts.sort();
  CHECK(scenarios::first_difference(was, is) ==
        "of facts it was 2.000000 s peer 1 task-started (job 0, portion 2), and is 1.500000 s peer "
        "2 task-started (job 0, portion 3)");
}

TEST_CASE("outcomes with the same facts part at a peer with other burdens, then elsewhere") {
  scenarios::Outcome was;
  was.peers.resize(2);
  scenarios::Outcome is = was;
  is.peers[1].burdens.push_back({.sent = {.messages = 1}, .received = {}});
  is.peers[1].sent = 1;
  CHECK(scenarios::first_difference(was, is)->starts_with("the burdens of peer 1 differ"));
  CHECK_FALSE(scenarios::differ_in_bytes_alone(was, is));
  is = was;
  was.peers[1].burdens.push_back({.sent = {.messages = 1, .bytes = 10}, .received = {}});
  is.peers[1].burdens.push_back({.sent = {.messages = 1, .bytes = 12}, .received = {}});
  CHECK(scenarios::first_difference(was, is)->starts_with("the burdens of peer 1 differ"));
  CHECK(scenarios::differ_in_bytes_alone(was, is));
  is = was;
  is.working = 1;
  CHECK(scenarios::first_difference(was, is)->starts_with("facts and burdens are the same"));
  is = was;
  is.wall = 1s;
  CHECK(!scenarios::first_difference(was, is));
}

}  // namespace rhizome::fact_watch_test
