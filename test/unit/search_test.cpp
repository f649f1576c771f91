#include "core/explore/search.hpp"

#include <set>

#include <doctest/doctest.h>

#include "core/explore/minimise.hpp"
#include "test/support/toys.hpp"

namespace rhizome::search_test {

using core::Broken;
using core::Choice;
using core::Search;
using test::Toy;
using test::ToyProcess;
using test::ToyStep;
using Values = std::vector<int>;

namespace {

// Processes that do nothing but take so many steps.
std::vector<ToyProcess> walkers(std::size_t processes, std::size_t steps) {
  return std::vector<ToyProcess>(processes, ToyProcess(steps));
}

// Reads the counter, and writes one more than it has read: two that do so may lose an update.
ToyProcess incrementer(std::size_t own) {
  return {{1, [own](Values& values) { values[own] = values[0]; }},
          {1, [own](Values& values) { values[0] = values[own] + 1; }}};
}

Broken lost_update(const Values& values) {
  return values[0] == 2 ? Broken{} : Broken{"lost-update", "the counter is one"};
}

// A random program: every step adds to a variable the value of another, and some wait for a
// variable to be odd.
std::vector<ToyProcess> random_program(core::Rng& rng, std::size_t variables) {
  std::vector<ToyProcess> program(2 + rng.below(2));
  for (ToyProcess& process : program)
    for (std::size_t steps = 1 + rng.below(4); steps > 0; --steps) {
      const auto from = rng.below(variables);
      const auto to = rng.below(variables);
      ToyStep step{(1U << from) | (1U << to), [from, to](Values& values) {
                     values[to] = (2 * values[to] + values[from] + 1) % 5;
                   }};
      if (rng.chance(.2)) step.possible = [from](const Values& v) { return v[from] % 2 == 1; };
      process.push_back(std::move(step));
    }
  return program;
}

// All ends, by going every way there is.
std::set<Values> all_ends(const std::vector<ToyProcess>& program, std::size_t variables) {
  std::set<Values> ends;
  const std::function<void(std::vector<std::size_t>, Values)> go = [&](auto at, Values values) {
    bool over = true;
    for (std::size_t i = 0; i < program.size(); ++i) {
      if (at[i] == program[i].size()) continue;
      const ToyStep& step = program[i][at[i]];
      if (step.possible && !step.possible(values)) continue;
      over = false;
      auto next_at = at;
      auto next = values;
      ++next_at[i];
      step.act(next);
      go(next_at, next);
    }
    if (over) ends.insert(values);
  };
  go(std::vector<std::size_t>(program.size()), Values(variables));
  return ends;
}

}  // namespace

TEST_CASE("only one order of steps that commute is tried") {
  Toy toy(walkers(3, 4), {});
  Search search(toy, {});
  search.explore();
  CHECK(search.exhausted());
  CHECK(search.counts().histories == 1);
  CHECK(search.counts().longest == 12);
}

TEST_CASE("every order of steps that do not commute is tried") {
  Toy toy(walkers(2, 3), {.commute = false, .by_past = true});
  Search search(toy, {});
  search.explore();
  CHECK(search.exhausted());
  CHECK(search.counts().histories == 20);  // 6! / (3! 3!)
  Toy three(walkers(3, 2), {.commute = false, .by_past = true});
  Search larger(three, {});
  larger.explore();
  CHECK(larger.counts().histories == 90);  // 6! / (2! 2! 2!)
}

TEST_CASE("a state that is known is not searched again") {
  Toy toy(walkers(2, 3), {.commute = false});
  Search search(toy, {});
  search.explore();
  CHECK(search.exhausted());
  CHECK(search.counts().states == 16);    // four places for each of the two
  CHECK(search.counts().histories == 2);  // one for each order before the last step
  CHECK(toy.ends[{}] == 1);
}

TEST_CASE("to go back the system begins again, and going on it does not") {
  Toy line(walkers(1, 50), {});
  Search search(line, {});
  search.explore();
  CHECK(line.begun == 1);
  CHECK(search.counts().again == 0);
  Toy fork(walkers(2, 1), {.commute = false, .by_past = true});
  Search both(fork, {});
  both.explore();
  CHECK(fork.begun == 2);
}

TEST_CASE("a race is found, and nothing where the steps cannot be parted") {
  Toy racing({incrementer(1), incrementer(2)}, {.variables = 3, .verdict = lost_update});
  Search search(racing, {});
  search.explore();
  REQUIRE(search.broken());
  CHECK(search.broken()->broken.rule == "lost-update");
  CHECK(search.broken()->choices.size() == 4);
  CHECK_FALSE(search.exhausted());

  const ToyStep whole{1, [](Values& values) { ++values[0]; }};
  Toy sound({{whole}, {whole}}, {.variables = 3, .verdict = lost_update});
  Search again(sound, {});
  again.explore();
  CHECK(again.exhausted());
}

TEST_CASE("an error in a state ends the search at once") {
  const auto flaw = [](const Values& values) {
    return values[0] == 3 ? Broken{"three", ""} : Broken{};
  };
  const ToyStep more{1, [](Values& values) { ++values[0]; }};
  Toy toy({ToyProcess(9, more)}, {.variables = 1, .flaw = flaw});
  Search search(toy, {});
  search.explore();
  REQUIRE(search.broken());
  CHECK(search.broken()->choices.size() == 3);
}

TEST_CASE("sleep sets and known states leave out no end that there is") {
  constexpr std::size_t variables = 3;
  std::uint64_t waiting = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    core::Rng rng(seed);
    const std::vector<ToyProcess> program = random_program(rng, variables);
    Toy toy(program, {.variables = variables});
    Search search(toy, {});
    search.explore();
    REQUIRE(search.exhausted());
    std::set<Values> seen;
    for (const auto& [values, times] : toy.ends) seen.insert(values);
    CAPTURE(seed);
    REQUIRE(seen == all_ends(program, variables));
    waiting += seen.size();
  }
  CHECK(waiting > 1000);  // or the programs were too tame to prove anything
}

TEST_CASE("histories deeper than asked for are cut, and reported as not exhausted") {
  Toy toy(walkers(1, 10), {});
  Search search(toy, {.depth = 5});
  search.explore();
  CHECK_FALSE(search.exhausted());
  CHECK(search.counts().cut == 1);
  CHECK(search.counts().longest == 5);
}

TEST_CASE("a state that was cut is searched again when it is reached sooner") {
  // The first process may jump to where the second one only gets in many steps.
  const ToyStep slow{1, [](Values& values) { ++values[0]; }, false,
                     [](const Values& values) { return values[0] < 4; }};
  const auto flaw = [](const Values& values) {
    return values[1] == 1 ? Broken{"found", ""} : Broken{};
  };
  const ToyStep last{3, [](Values& values) { values[1] = 1; }, false,
                     [](const Values& values) { return values[0] >= 4; }};
  const ToyStep jump{1, [](Values& values) { values[0] = 4; }};
  Toy toy({ToyProcess(4, slow), {jump}, {last}}, {.variables = 2, .commute = false, .flaw = flaw});
  Search search(toy, {.depth = 4});
  search.explore();
  CHECK(search.broken().has_value());
}

TEST_CASE("a search ends with the states that it may tell apart, or when it was long enough") {
  Toy toy(walkers(4, 4), {.commute = false});
  Search few(toy, {.states = 10});
  few.explore();
  CHECK_FALSE(few.exhausted());
  CHECK(few.counts().states == 10);
  Search brief(toy, {.enough = [] { return true; }});
  brief.explore();
  CHECK_FALSE(brief.exhausted());
}

TEST_CASE("a search ends within the way back to a state, too") {
  Toy toy(walkers(4, 4), {.commute = false});
  int asked = 0;
  Search search(toy, {.enough = [&asked] { return ++asked > 40; }});
  search.explore();
  CHECK(asked == 41);
  CHECK(search.counts().events + search.counts().again <= 40);
}

TEST_CASE("random walks find the errors on their way, the same with the same seed") {
  Toy toy({incrementer(1), incrementer(2)}, {.variables = 3, .verdict = lost_update});
  const auto walks_until_found = [&toy](std::uint64_t seed) {
    Search search(toy, {});
    core::Rng rng(seed);
    int walks = 0;
    for (; !search.broken() && walks < 100; ++walks) search.walk(rng);
    return walks;
  };
  CHECK(walks_until_found(1) < 100);
  CHECK(walks_until_found(1) == walks_until_found(1));
}

TEST_CASE("a history is followed to its end, and then the usual steps happen") {
  Toy toy({incrementer(1), incrementer(2)}, {.variables = 3, .verdict = lost_update});
  const std::vector<Choice> odd{{77, 1}, {Toy::name_of(0, 0), 1}, {Toy::name_of(1, 0), 1}};
  const auto broken = core::follow(toy, odd, 100);
  REQUIRE(broken);
  CHECK(broken->choices.size() == 4);
  CHECK(broken->choices[1].key == Toy::name_of(1, 0));
  CHECK_FALSE(core::follow(toy, {}, 100));
}

TEST_CASE("a history is made as short as it goes") {
  // One of ten rare events matters, and none of thirty steps.
  std::vector<ToyProcess> processes(1, ToyProcess(30));
  for (int i = 0; i < 10; ++i) {
    ToyStep rare{1, [i](Values& values) { values[0] |= i == 7 ? 1 : 0; }};
    rare.rare = true;
    processes.push_back({rare});
  }
  const auto verdict = [](const Values& values) {
    return values[0] == 1 ? Broken{"one", ""} : Broken{};
  };
  Toy toy(processes, {.variables = 1, .verdict = verdict});
  std::vector<Choice> all;
  for (std::size_t i = 1; i <= 10; ++i) all.push_back({Toy::name_of(i, 0), 1, true});
  const core::BrokenHistory shortest = core::minimise(toy, {all, {"one", ""}}, 100);
  CHECK(shortest.broken.rule == "one");
  REQUIRE(shortest.choices.size() == 31);
  CHECK(shortest.choices.front().key == Toy::name_of(8, 0));
  CHECK_FALSE(shortest.choices[1].rare);
  int tries = 0;
  const auto enough = [&tries] { return ++tries > 3; };
  const auto longer = core::minimise(toy, {all, {"one", ""}}, 100, enough);
  CHECK(tries <= 5);
  CHECK(longer.broken.rule == "one");
}

}  // namespace rhizome::search_test
