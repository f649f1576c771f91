// Programs that speak in lines, and do not keep to it: how each dialogue ends, and how soon.
#include "core/child/dialogue.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::core::dialogue_test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

DialogueOptions shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

// How a dialogue ends with a program that is told so much and asked for a line.
std::string end_of(const std::string& script, std::size_t told) {
  Dialogue dialogue(shell(script));
  try {
    dialogue.send(std::string(told, 'x') + "\n", 500ms);
    while (dialogue.line(500ms)) continue;
    return "it says nothing";
  } catch (const DialogueError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("what a program complains of is added to a plain file, through no link") {
  const test::TemporaryDirectory directory;
  const auto complain = [&](const std::string& file) {
    DialogueOptions options = shell("echo complaint >&2; echo done; read line");
    options.log = (directory.path() / file).string();
    Dialogue dialogue(options);
    static_cast<void>(dialogue.line(30s));
    for (int i = 0; i < 2; ++i) static_cast<void>(dialogue.line(200ms));
  };
  complain("log");
  CHECK(test::content_of((directory.path() / "log").string()) == "complaint\n");
  std::filesystem::create_symlink("log", directory.path() / "link");
  CHECK_THROWS_WITH_AS(complain("link"),
                       ("cannot write " + (directory.path() / "link").string()).c_str(),
                       std::runtime_error);
  CHECK(test::content_of((directory.path() / "log").string()) == "complaint\n");
}

TEST_CASE("a program that closes its output and floods its errors is ended") {
  const auto from = Clock::now();
  CHECK(end_of("exec 1>&-; while :; do echo no >&2; done", 10).starts_with("it closed its output"));
  CHECK(Clock::now() - from < 20s);
}

TEST_CASE("a program that reads nothing and floods its errors is ended") {
  const auto from = Clock::now();
  CHECK(end_of("while :; do echo no >&2; done", 8U << 20U) ==
        "it reads nothing of what it is told");
  CHECK(Clock::now() - from < 20s);
}

TEST_CASE("a program that closes its input and floods its output is ended in bounded memory") {
  const auto from = Clock::now();
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  CHECK(end_of("exec 0<&-; exec yes", 8U << 20U).starts_with("it "));
  CHECK(Clock::now() - from < 20s);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  CHECK((after.ru_maxrss - before.ru_maxrss) / 1024 < 100);  // MiB
}

}  // namespace rhizome::core::dialogue_test
