#include "tools/commands/running/commentary.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/parser.hpp"

namespace rhizome::tools::commentary_test {

using namespace std::chrono_literals;

namespace {

// Two runs of a second.
const std::string small = R"(
peers.count = 4
workload = { jobs = 2, portions = 2 }
engine.kind = "virtual"
run.repetitions = 2
[[scheduler]]
use = "round-robin"
label = "dealer"
)";

// A peer dies with a task, which its scheduler does not promise to survive.
const std::string doomed = small + R"(
[[faults.event]]
at = "50ms"
peer = 0
)";

// A scenario on threads that are always later than they may be.
const std::string hopeless = R"(
peers.count = 4
workload = { jobs = 2, portions = 2 }
engine = { kind = "threads", time_scale = 10, lag_tolerance = "1us" }
run.repetitions = 1
[[scheduler]]
use = "round-robin"
label = "dealer"
)";

// The lines that a commentary writes.
class Paper {
 public:
  explicit Paper(bool quiet = false, bool terminal = false)
      : screen{.quiet = quiet,
               .terminal = terminal,
               .draw = [this](std::string_view text) { text_ += text; },
               .tell = [this](std::string_view text) { text_ += std::string(text) + "\n"; },
               .warn =
                   [this](std::string_view text) {
                     text_ += "rhizome: " + std::string(text) + "\n";
                   }} {}
  Paper(const Paper&) = delete;
  Paper& operator=(const Paper&) = delete;
  [[nodiscard]] const std::string& text() const { return text_; }

  const Screen screen;

 private:
  std::string text_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// How often outcomes were handed over.
std::size_t run(Commentary& commentary, const std::string& text, std::uint32_t first = 0) {
  const auto cells = scenarios::parse_scenario(text, "test.toml");
  std::size_t outcomes = 0;
  CHECK(commentary.run(cells, [&](auto&&) { ++outcomes; }, {.repetitions = first}));
  return outcomes;
}

}  // namespace

TEST_CASE("a log has a line for every run, in order, with the number expected") {
  const Paper paper;
  Commentary commentary({.screen = paper.screen});
  commentary.expect(3);
  CHECK(run(commentary, small) == 2);
  CHECK(run(commentary, small, 1) == 1);
  const std::string text = paper.text();
  CHECK(text.starts_with("[1/3] dealer, repetition 1: finished after "));
  CHECK(text.find("\n[2/3] dealer, repetition 2: finished after ") != std::string::npos);
  CHECK(text.find("\n[3/3] dealer, repetition 2: finished after ") != std::string::npos);
  CHECK(count(text, "\n") == 3);
}

TEST_CASE("on a terminal one line says how many runs are done, and goes away in the end") {
  const Paper paper(false, true);
  Commentary commentary(
      {.screen = paper.screen, .name = [](const auto& identity) { return identity.engine; }});
  commentary.expect(2);
  CHECK(run(commentary, small) == 2);
  const std::string text = paper.text();
  CHECK(text.find("\r\033[K[0/2] virtual, 0.0 s emulated") == 0);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.ends_with("\r\033[K"));
}

TEST_CASE("without progress remarks and broken invariants are told, and remarks once") {
  const Paper paper(true);
  std::vector<std::string> remarks;
  Commentary commentary({.screen = paper.screen,
                         .remark = [&](const std::string& text) { remarks.push_back(text); }});
  commentary.expect(4);
  for (int i = 0; i < 2; ++i) CHECK(run(commentary, doomed) == 2);
  const std::string text = paper.text();
  CHECK(text.find("[1/") == std::string::npos);
  CHECK(count(text, "dealer, repetition 1: invariant no-task-lost is broken: ") == 2);
  REQUIRE(remarks.size() == 1);
  CHECK(count(text, "rhizome: " + remarks.front() + "\n") == 1);
}

TEST_CASE("the first of very many broken invariants are told, and their number") {
  const Paper paper(true);
  Commentary commentary({.screen = paper.screen});
  run(commentary, "engine.kind = \"virtual\"\nrun.repetitions = 1\nworkload.jobs = 30\n" +
                      doomed.substr(doomed.find("[[")));
  CHECK(count(paper.text(), " is broken: ") == 3);
  CHECK(count(paper.text(), ": and ") == 1);
  CHECK(paper.text().find(" more; the store of a run lists them in its table violations\n") !=
        std::string::npos);
}

TEST_CASE("the last words of a program are told once, as they are") {
  const Paper paper;
  Commentary commentary({.screen = paper.screen});
  run(commentary, small.substr(0, small.find("[[")) + R"(
[[scheduler]]
use = "program"
command = '''sh -c "echo Traceback >&2; echo '  a line' >&2; exit 3"'''
peers_per_process = 4
)");
  CHECK(count(paper.text(), "Traceback\n  a line\n") == 1);
  CHECK(count(paper.text(), "Traceback") == 1);
  CHECK(count(paper.text(),
              "failed: the program of peer 0, line 0: it ended: exit status 3: a line,") == 2);
  CHECK(count(paper.text(), "run-failed") == 0);
}

TEST_CASE("the first of many runs that broke invariants are told in full, the others in a line") {
  const Paper paper(true);
  Commentary commentary({.screen = paper.screen});
  run(commentary, "engine.kind = \"virtual\"\nrun.repetitions = 20\nworkload.jobs = 30\n" +
                      doomed.substr(doomed.find("[[")));
  CHECK(count(paper.text(), " is broken: ") == 3 * 3);
  CHECK(count(paper.text(),
              " are broken; the store of a run lists them in its table violations\n") == 17);
}

TEST_CASE("a run whose time ran out is told with how much was done, and with what to set") {
  const Paper paper(true);
  Commentary commentary({.screen = paper.screen});
  run(commentary,
      "engine = { kind = \"virtual\", time_limit = \"1s\" }\nrun.repetitions = 1\n"
      "workload.jobs = 30\n" +
          small.substr(small.find("[[")));
  const std::string text = paper.text();
  CHECK(text.starts_with("rhizome: dealer, repetition 1: time ran out after 1s; "));
  CHECK(text.ends_with(" of 540 tasks done; set engine.time_limit to more\n"));
  CHECK(count(text, "\n") == 1);
}

TEST_CASE("a run that ended after the first peers had finished is told that grace was short") {
  const Paper paper(true);
  Commentary commentary({.screen = paper.screen});
  run(commentary,
      "engine.grace = \"1ms\"\nnetwork.latency = \"constant\"\nnetwork.delay = \"1s\"\n" + small);
  CHECK(paper.text().find(": its time was up: if nothing else is wrong, raise engine.grace\n") !=
        std::string::npos);
}

TEST_CASE("an invalid run on threads is done again as often as was asked, and each time told") {
  const Paper paper;
  std::vector<std::string> remarks;
  Commentary commentary({.screen = paper.screen,
                         .remark = [&](const std::string& text) { remarks.push_back(text); },
                         .retries = 2});
  commentary.expect(1);
  CHECK(run(commentary, hopeless) == 1);
  REQUIRE(remarks.size() == 2);
  CHECK(remarks[0].starts_with("dealer, repetition 1: the run is invalid: "));
  CHECK(remarks[0].ends_with("; it is done again, 1 of up to 2 times"));
  CHECK(remarks[1].ends_with("; it is done again, 2 of up to 2 times"));
  const std::string text = paper.text();
  CHECK(text.starts_with("[1/2] dealer, repetition 1: finished after "));
  CHECK(text.find("[3/3] dealer, repetition 1: finished after ") != std::string::npos);
}

TEST_CASE("faults by hand in a run that is done again are told not to be repeated") {
  const Paper paper;
  std::vector<std::string> remarks;
  const auto cut_and_heal = [](scenarios::RunHooks& hooks) {
    hooks.steer = [](const scenarios::RunUnderWay&, core::Steering& steering) {
      CHECK(steering.post(
          {.kind = core::OperatorCommand::Kind::cut_off, .peers = {core::PeerId{3}}}));
      CHECK(steering.post({.kind = core::OperatorCommand::Kind::heal}));
    };
  };
  Commentary commentary({.screen = paper.screen,
                         .remark = [&](const std::string& text) { remarks.push_back(text); },
                         .retries = 1,
                         .also = cut_and_heal});
  commentary.expect(1);
  CHECK(run(commentary, hopeless) == 1);
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].ends_with("; what was done by hand, 2 faults, is not done again"));
}

TEST_CASE("a long run is told of in a log, too, and how much of it there is where that is known") {
  const Paper paper;
  Screen hasty = paper.screen;
  hasty.patience = 0ns;
  Progress progress(hasty);
  progress.expect(2);
  progress.show({.label = "dealer", .now = core::Time{} + 90s}, 1);
  progress.show({.label = "dealer", .now = core::Time{} + 90s, .whole = 600s}, 0);
  progress.show({.label = "dealer", .now = core::Time{} + 90s, .limit = 600s}, 0);
  progress.show({.label = "dealer", .now = core::Time{} + 90s, .limit = 3600s}, 0);
  CHECK(paper.text() ==
        "[0/2] dealer, 90.0 s emulated and 1 more\n"
        "[0/2] dealer, 90.0 of 600.0 s emulated (15 %)\n"
        "[0/2] dealer, 90.0 s emulated of 600 s at most\n"
        "[0/2] dealer, 90.0 s emulated\n");
  progress.show({.label = "dealer", .now = core::Time{} + 90s, .completed = 91999, .tasks = 92026},
                1);
  CHECK(paper.text().ends_with(
      "\n[0/2] dealer, 90.0 s emulated, 99 % of 92026 tasks done and 1 more\n"));
  Progress patient(paper.screen);
  patient.show({.label = "dealer"}, 0);
  CHECK(count(paper.text(), "\n") == 5);
}

TEST_CASE(
    "the time that is left is that of the runs to come, less what has passed of the present one") {
  CHECK(left_text(0, 4, 0s, 10s).empty());
  CHECK(left_text(1, 2, 128s, 0s) == ", about 2:08 left");
  CHECK(left_text(1, 2, 128s, 100s) == ", about 0:28 left");
  CHECK(left_text(2, 5, 200s, 30s) == ", about 4:30 left");
  CHECK(left_text(2, 5, 200s, 300s) == ", about 3:20 left");
  CHECK(left_text(1, 2, 128s, 129s).empty());
  CHECK(left_text(2, 2, 200s, 0s).empty());
}

TEST_CASE("no figure of a long run is cut") {
  CHECK(in_seconds(core::Time{} + 3366333us) == "3.3663");
  CHECK(in_seconds(core::Time{} + 9999990ms) == "10000");
  CHECK(in_seconds(core::Time{} + 8477222400ms) == "8477222");
}

}  // namespace rhizome::tools::commentary_test
