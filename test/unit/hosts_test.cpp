// The hosts that a user names, and what ssh is told to run there.
#include "tools/launch/hosts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>

#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/cli/command.hpp"
#include "tools/launch/ports.hpp"

namespace rhizome::tools::hosts_test {

namespace {

// A line as a shell expands it.
std::string said_by_shell(const std::string& line) {
  FILE* pipe = popen(line.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 256> some{};
  while (const std::size_t got = fread(some.data(), 1, some.size(), pipe))
    text.append(some.data(), got);
  CHECK(pclose(pipe) == 0);
  return text;
}

}  // namespace

TEST_CASE("hosts are names with a number of processes, in a list or a file") {
  const std::vector<HostShare> three{{"h1", 1}, {"me@h2.example.org", 2}, {"10.0.0.3", 1}};
  CHECK(hosts_in("h1,me@h2.example.org:2,10.0.0.3") == three);
  const test::TemporaryFile file("# mine\nh1\n\nme@h2.example.org:2  # has more\n10.0.0.3:1\n");
  CHECK(hosts_of_file(file.name()) == three);
}

TEST_CASE("a word that is no host, or is an option of ssh, is refused") {
  for (const char* wrong : {"", "h1,", ",h1", "-oProxyCommand=sh", "h1:0", "h1:x", "h1:5000",
                            "h1:2:3", "h 1", "a@-oX", "h1;sh", "$(sh)"})
    CHECK_THROWS_AS(static_cast<void>(hosts_in(wrong)), UsageError);
  const test::TemporaryFile empty("# nobody\n");
  CHECK_THROWS_AS(static_cast<void>(hosts_of_file(empty.name())), UsageError);
  CHECK_THROWS_AS(static_cast<void>(hosts_of_file("/nowhere/hosts")), scenarios::UnreadableFile);
}

TEST_CASE("this process is one of its host, or besides the hosts") {
  using Places = std::vector<std::string>;
  CHECK(places_of(hosts_in("h1,h2:2"), "h1") == Places{"", "h2", "h2"});
  CHECK(places_of(hosts_in("h1,me@h2.example.org:2"), "h2.local") ==
        Places{"", "h1", "me@h2.example.org"});
  CHECK(places_of(hosts_in("h1,h2"), "desk") == Places{"", "h1", "h2"});
  CHECK(places_of(hosts_in("h1"), "h1") == Places{""});
}

TEST_CASE("the shell of a host gives the program its words as they are, whatever they hold") {
  const std::vector<std::string> words{
      "two words", "it's", "$HOME `id` \\ \"x\"", "",      "*",
      "a\nb",      "!x",   "x\\'(id)\\'",         "%d\\c", "\xc3\xa9"};
  std::string expected = "/\nin $PWD\n";
  for (const std::string& word : words) expected += word + "\n";
  FarCommand command{.directory = "/",
                     .program = "/bin/sh",
                     .words = {"-c", "pwd; echo \"$SAID\"; printf '%s\\n' \"$@\"", "sh"},
                     .settings = {"SAID=in $PWD"}};
  command.words.insert(command.words.end(), words.begin(), words.end());
  const std::string line = shell_line(command);
  CHECK(said_by_shell(line) == expected);
  const std::string script = "exec sh -c 'eval \"$(printf %b \"$0\")\"' '";
  REQUIRE(line.starts_with(script));
  CHECK(line.find_first_of("'!\n$(%\xc3", script.size()) == line.size() - 1);  // of no shell
  CHECK(ssh_words("ssh -F conf", "h2", line) ==
        std::vector<std::string>{"ssh", "-F", "conf", "-T", "h2", line});
  CHECK_THROWS_AS(static_cast<void>(ssh_words(" ", "h2", line)), UsageError);
}

TEST_CASE("a process listens where it is told to, or where others can reach it") {
  const std::vector<Interface> all{{"lo", "127.0.0.1"}, {"eth0", "10.0.0.7"}, {"ib0", "10.77.0.7"}};
  CHECK(address_among(all, {}) == "10.0.0.7");
  CHECK(address_among(all, "ib0") == "10.77.0.7");
  CHECK(address_among(all, "10.77.") == "10.77.0.7");
  CHECK(address_among(all, "lo") == "127.0.0.1");
  CHECK(address_among(std::vector<Interface>{{"lo", "127.0.0.1"}}, {}) == "127.0.0.1");
  CHECK_THROWS_AS(static_cast<void>(address_among(all, "eth1")), UsageError);
}

}  // namespace rhizome::tools::hosts_test
