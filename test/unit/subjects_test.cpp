// What has to be the same in all processes, key by key.
#include "scenarios/experiment/essence.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "scenarios/format/parser.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::subjects_test {

namespace {

// The keys and files whose fingerprints differ.
std::vector<std::string> differences(const std::vector<core::Subject>& a,
                                     const std::vector<core::Subject>& b) {
  std::vector<std::string> names;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].name == b[i].name);
    if (!(a[i] == b[i])) names.push_back(a[i].name);
  }
  return names;
}

std::vector<core::Subject> subjects_with(const std::string& lines) {
  return subjects_of(parse_scenario(
      "peers.count = 9\n" + lines + "[[scheduler]]\nuse = \"organic-grid\"\n", "s.toml"));
}

}  // namespace

TEST_CASE(
    "a key that differs has its name, and so has one of a scheduler, or in one cell of many") {
  using Names = std::vector<std::string>;
  const auto first = subjects_with("workload.jobs = 5\n");
  CHECK(differences(first, first).empty());
  CHECK(differences(first, subjects_with("workload.jobs = 6\n")) ==
        Names{"workload.jobs", "the scenario"});
  CHECK(differences(subjects_with("workload.jobs = [5, 6]\n"),
                    subjects_with("workload.jobs = [5, 7]\n")) ==
        Names{"workload.jobs", "the scenario"});
}

TEST_CASE("another program under the same name makes another world") {
  const test::TemporaryFile program("echo 1\n");
  const auto subjects = [&program] {
    return subjects_with(
        "engine.kind = \"threads\"\nworkload = { jobs = 2, work = \"child\", child_program = "
        "\"/bin/sh\", child_arguments = \"" +
        program.name() + "\" }\n");
  };
  const auto before = subjects();
  std::ofstream(program.name()) << "echo 2\n";
  CHECK(differences(before, subjects()) == std::vector<std::string>{program.name()});
}

TEST_CASE("keys stand behind their sections, whether they are said or follow the workload") {
  const auto keys = keys_of(
      "name = \"x\"\n\n[a.b]\nk = 1\n# follows the workload: m = 2\n\n[[c]]\nk = 1\n[[c]]\nk = "
      "2\n");
  std::string names;
  for (const core::Subject& key : keys) names += key.name + " ";
  CHECK(names == "name a.b.k a.b.m c.k ");
  CHECK(keys[1].fingerprint != keys[3].fingerprint);
}

}  // namespace rhizome::scenarios::subjects_test
