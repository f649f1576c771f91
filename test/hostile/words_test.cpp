// Command lines of all commands, with options that exist and values that should not.
#include <doctest/doctest.h>

#include "test/hostile/judge.hpp"
#include "test/hostile/stored.hpp"
#include "test/hostile/values.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::words_test {

namespace {

using core::Rng;

// An option as it may be written, with its value, a wrong one or none.
void add_option(const tools::Command& command, std::vector<std::string>& words, Rng& rng) {
  if (command.options.empty()) return;
  const tools::Option& option = test::any_of(command.options, rng);
  const bool brief = option.letter != '\0' && rng.chance(0.4);
  std::string word = brief ? std::string("-") + option.letter : "--" + option.name;
  if (!option.value.empty() && rng.chance(0.9)) {
    const std::string value = !option.choices.empty() && rng.chance(0.5)
                                  ? test::any_of(option.choices, rng)
                                  : test::hostile_word(rng);
    if (!brief && rng.chance(0.5)) {
      word += "=" + value;
    } else {
      words.push_back(std::move(word));
      word = value;
    }
  }
  words.push_back(std::move(word));
}

std::vector<std::string> command_line(Rng& rng) {
  const auto all = tools::commands();
  const tools::Command& command = all[rng.below(all.size())];
  std::vector<std::string> words{std::string(command.name)};
  for (std::uint64_t i = rng.below(command.words().most + 2); i > 0; --i) {
    const bool sensible = rng.chance(0.5);
    words.push_back(!sensible         ? test::hostile_word(rng)
                    : rng.chance(0.5) ? std::string("s.toml")
                                      : std::string("runs/r"));
  }
  for (std::uint64_t i = rng.below(4); i > 0; --i) add_option(command, words, rng);
  if (rng.chance(0.1)) words.insert(words.begin() + 1, test::hostile_word(rng));
  if (rng.chance(0.05)) words.front() = test::hostile_word(rng);
  return words;
}

}  // namespace

TEST_CASE("whatever stands on the command line, it is done or refused with a sentence") {
  const std::map<std::string, std::string> run = test::stored_run();
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(300); ++seed) {
    Rng rng(seed);
    test::Attempt attempt{.words = command_line(rng), .files = run};
    attempt.files["s.toml"] = test::small_scenario;
    attempt.files["broken.toml"] = "peers.cuont = 3\n";
    attempt.files["empty"] = "";
    if (rng.chance(0.1)) attempt.settings.emplace_back("RHIZOME_SET", test::hostile_word(rng));
    attempts.push_back(std::move(attempt));
  }
  test::try_all(attempts);
}

}  // namespace rhizome::words_test
