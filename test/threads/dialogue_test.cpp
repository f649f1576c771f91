// Programs that speak in lines, and do not keep to it: how each dialogue ends, and how soon.
#include "core/child/dialogue.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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

TEST_CASE("who waits for a program goes on once all are hung up, and none begins any more") {
  Dialogues programs(shell("exec sleep 1000"));
  const auto dialogue = programs.of(0, "");
  const auto from = Clock::now();
  auto wait = std::async(std::launch::async, [&] { return dialogue->line(900s).has_value(); });
  programs.hang_up();
  CHECK_THROWS_WITH_AS(wait.get(), "the run was stopped before it answered", HungUp);
  CHECK(Clock::now() - from < 20s);
  CHECK_THROWS_AS(programs.start([&] { return programs.of(1, ""); }), DialogueError);
}

TEST_CASE("few programs start at a time") {
  Dialogues programs(shell("exec cat"));
  const unsigned most = 2 * std::max(1U, std::thread::hardware_concurrency());
  std::atomic<unsigned> now{0};
  std::atomic<unsigned> seen{0};
  std::vector<std::thread> peers;
  for (unsigned i = 0; i < 4 * most; ++i)
    peers.emplace_back([&, i] {
      programs.start([&] {
        const unsigned others = ++now;
        for (unsigned known = seen; known < others && !seen.compare_exchange_weak(known, others);)
          continue;
        const auto program = programs.of(i, "");
        program->send("ready\n", 30s);
        CHECK(program->line(30s) == "ready");
        --now;
        return true;
      });
    });
  for (std::thread& peer : peers) peer.join();
  CHECK(seen <= most);
}

TEST_CASE("no program begins once one could not, and the reason is the same for all") {
  Dialogues programs(shell("exec cat"));
  const auto fail = [&] { return programs.start([]() -> int { throw DialogueError("no luck"); }); };
  CHECK_THROWS_WITH_AS(fail(), "no luck", DialogueError);
  bool begun = false;
  CHECK_THROWS_WITH_AS(programs.start([&] { return begun = true; }), "no luck", DialogueError);
  CHECK(!begun);
}

}  // namespace rhizome::core::dialogue_test
