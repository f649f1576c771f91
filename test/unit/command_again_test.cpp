#include "tools/cli/command_again.hpp"

#include <doctest/doctest.h>

namespace rhizome::command_again_test {

using scenarios::OrderRecord;
using tools::command_again;
using tools::shown_command_again;

TEST_CASE("the command that does runs again repeats the settings, whatever they hold") {
  CHECK(command_again({.command = "rhizome run scenario.toml"}) ==
        "RHIZOME_SET='' rhizome run scenario.toml");
  CHECK(command_again({.share = scenarios::RunShare{0, 3},
                       .command = "rhizome run scenario.toml --retry 2",
                       .environment = "a.b=1;c.d=2",
                       .assignments = {"e.f='$(x)'"},
                       .schedulers = {"sparrow"}}) ==
        R"(RHIZOME_SET='a.b=1;c.d=2' rhizome run scenario.toml --retry 2 )"
        R"(--set 'e.f='\''$(x)'\''' --scheduler 'sparrow' --share 0/3)");
}

TEST_CASE("a command that only a stranger writes is not shown") {
  for (const char* command :
       {"", "rm -r .", "rhizome run scenario.toml; rm -r .", "rhizome run scenario.toml --to 'x'",
        "rhizome run scenario.toml --width '0'; rm '.'", "rhizome run scenario.toml --width 'a\\'",
        "rhizome run scenario.toml\nrm", " rhizome run scenario.toml",
        "rhizome run scenario.tomlx"})
    CHECK(shown_command_again({.command = command}).empty());
  for (const char* command : {"rhizome run scenario.toml", "rhizome run scenario.toml --retry 2",
                              "rhizome tournament scenario.toml --schedulers 'a b' --width '0.05'",
                              "rhizome tournament scenario.toml --schedulers 'it'\\''s'\\!'.toml'"})
    CHECK(shown_command_again({.command = command}) == "RHIZOME_SET='' " + std::string(command));
}

}  // namespace rhizome::command_again_test
