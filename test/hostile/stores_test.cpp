// Stores that were damaged, cut or mixed up, under every command that reads one. The fuzz of stores
// damages the rows of tables; this test damages the files.
#include <doctest/doctest.h>

#include "test/hostile/judge.hpp"
#include "test/hostile/stored.hpp"
#include "test/hostile/values.hpp"
#include "test/support/damaged.hpp"

namespace rhizome::stores_test {

namespace {

using core::Rng;

const std::vector<std::vector<std::string>> readers{
    {"compare", "runs/r"},
    {"compare", "runs/r", "-o", "json"},
    {"compare", "runs/r", "s.toml", "-q"},
    {"bill", "runs/r"},
    {"bill", "runs/r", "-o", "json"},
    {"fate", "runs/r"},
    {"fate", "runs/r", "--task", "1.1"},
    {"tree", "runs/r", "--at", "end"},
    {"tree", "runs/r", "--diff", "0s..end"},
    {"timeline", "runs/r", "--to", "trace.json"},
    {"runs", "-o", "json"},
    {"run", "runs/r", "--resume", "-q"},
    {"merge", "runs/r", "--to", "merged"},
    {"replay", "runs/r"},
    {"monitor", "runs/r", "-o", "json", "--frames", "1"},
    {"report", "runs/r", "--to", "page.html"},
    {"export", "runs/r", "--to", "csv"}};

void damage(std::map<std::string, std::string>& files, Rng& rng) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files)
    if (name.starts_with("runs/r/")) names.push_back(name);
  std::string& content = files.at(test::any_of(names, rng));
  switch (rng.below(6)) {
    case 0:
      content.clear();
      break;
    case 1:
      content.resize(rng.below(content.size() + 1));
      break;
    case 2:
      content = files.at(test::any_of(names, rng));
      break;
    case 3:
      files.erase(test::any_of(names, rng));
      break;
    default:
      content = test::damaged(content, rng, test::hostile_values());
  }
}

}  // namespace

TEST_CASE("whatever is left of a stored run, its readers show it or refuse it") {
  const std::map<std::string, std::string> run = test::stored_run();
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(150); ++seed) {
    Rng rng(seed);
    test::Attempt attempt{.words = test::any_of(readers, rng), .files = run};
    attempt.files["s.toml"] = test::small_scenario;
    damage(attempt.files, rng);
    attempts.push_back(std::move(attempt));
  }
  test::try_all(attempts);
}

TEST_CASE("whatever is left of a recorded run, it is done again or refused") {
  const std::map<std::string, std::string> run =
      test::stored_run({"--record", "-n", "1", "-s", "engine.kind=threads"});
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(60); ++seed) {
    Rng rng(seed);
    test::Attempt attempt{.words = {"replay", "runs/r"}, .files = run};
    if (seed > 0) damage(attempt.files, rng);
    attempts.push_back(std::move(attempt));
  }
  test::try_all(attempts);
}

}  // namespace rhizome::stores_test
