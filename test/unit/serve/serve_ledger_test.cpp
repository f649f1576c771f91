// How accepted jobs reach a run, and how results of their tasks are recorded.
#include <doctest/doctest.h>

#include <deque>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/text/coming_lines.hpp"
#include "test/support/boards.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/completion_tracker.hpp"
#include "tools/serve/orders.hpp"

namespace rhizome::serve_ledger_test {

using namespace std::chrono_literals;
using tools::FedJob;
using tools::JobOrder;
using tools::JobState;

namespace {

using Texts = std::vector<std::string>;

// A feed, and the run that reads from it.
struct Pipe {
  Pipe() : lines(feed.file()) {}
  ~Pipe() { feed.end(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void begin() {
    feed.begin({.check =
                    [](const std::string& work) {
                      if (work == "gone") throw tools::BadOrder(422, "there is no file");
                    },
                .refused =
                    [this](const FedJob& job, const std::string& why) {
                      refused.push_back(std::to_string(job.job) + " " + why);
                    }});
  }
  // Takes so many texts, and waits until they have come.
  Texts take(std::size_t count) {
    Texts all;
    for (std::string_view line; all.size() < count;) {
      if (lines.next(line))
        all.emplace_back(line);
      else
        std::this_thread::sleep_for(1ms);
    }
    return all;
  }
  tools::JobFeed feed{};
  scenarios::ComingLines lines;
  Texts refused{};
};

tools::ServedJob job(std::uint64_t id, const std::string& work, std::uint32_t tasks) {
  return {.id = id, .order = {.work = work, .tasks = tasks, .seconds = 0.5}};
}

// Two peers of a run, and a job of three tasks that has been fed to it.
struct Book {
  Book() {
    static_cast<void>(store.accept({.work = "matrix", .tasks = 3, .seconds = 0.5}));
    pipe.begin();
    static_cast<void>(pipe.feed.add(*store.job(1), {}));
    static_cast<void>(pipe.take(1));
    records.emplace_back((directory.path() / "record.txt").string());
    ledger.follow(board.board(), {1.0, 0.5});
  }
  void end(std::uint32_t portion, std::uint32_t peer, const std::string& result,
           bool right = true) {
    board.note(peer, agents::TaskExecuted{{0, portion}, 2s});
    board.note(peer, agents::TaskComputed{{0, portion}, result, right});
  }
  test::TemporaryDirectory directory{};
  tools::JobStore store{{directory.path() / "jobs.sqlite", 0}};
  Pipe pipe{};
  std::deque<scenarios::JobRecord> records{};
  test::HandmadeBoard board{2};
  tools::CompletionTracker ledger{store, pipe.feed, {.records = &records}};
};

}  // namespace

TEST_CASE("accepted jobs go as lines of a list, each as one, or task by task where tasks differ") {
  Pipe pipe;
  CHECK(pipe.feed.add(job(7, "", 3), {}).empty());
  CHECK(pipe.feed.add(job(8, "count file=part-{task}.txt", 3), {{.task = 0}}).empty());
  CHECK_FALSE(pipe.feed.used());
  pipe.begin();
  CHECK(pipe.take(3) == Texts{"now 3 0.500000000", "now 1 0.500000000 count file=part-1.txt",
                              "now 1 0.500000000 count file=part-2.txt"});
  CHECK(pipe.feed.used());
  CHECK(pipe.feed.fed(0)->tasks == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(pipe.feed.fed(2)->job == 8);
  CHECK(pipe.feed.fed(2)->tasks == std::vector<std::uint32_t>{2});
  CHECK_FALSE(pipe.feed.fed(3));
}

TEST_CASE("tasks that need others go once these are done, and never after a wrong result") {
  Pipe pipe;
  pipe.begin();
  tools::ServedJob diamond = job(1, "", 4);
  diamond.order.needs = {{1, 0}, {2, 0}, {3, 1}, {3, 2}};
  CHECK(pipe.feed.add(diamond, {}).empty());
  CHECK(pipe.take(1) == Texts{"now 1 0.500000000"});
  CHECK(pipe.feed.ended(1, 0, true).empty());
  CHECK(pipe.take(1) == Texts{"now 2 0.500000000"});
  CHECK(pipe.feed.fed(1)->tasks == std::vector<std::uint32_t>{1, 2});
  CHECK(pipe.feed.ended(1, 2, true).empty());
  CHECK(pipe.feed.ended(1, 1, false) == std::vector<std::uint32_t>{3});
  CHECK(pipe.feed.ended(1, 1, false).empty());  // twice

  diamond.id = 2;  // a job that an earlier server has begun
  CHECK(pipe.feed.add(diamond, {{.task = 0}, {.task = 1}}).empty());
  CHECK(pipe.take(1) == Texts{"now 1 0.500000000"});
  CHECK(pipe.feed.fed(2)->tasks == std::vector<std::uint32_t>{2});
  diamond.id = 3;
  CHECK(pipe.feed.add(diamond, {{.task = 0, .right = false}}) ==
        std::vector<std::uint32_t>{1, 2, 3});
  CHECK_FALSE(pipe.feed.fed(3));
}

TEST_CASE("a job that can be done no more, and one that is withdrawn, do not go, and others do") {
  Pipe pipe;
  CHECK(pipe.feed.add(job(1, "gone", 2), {}).empty());
  CHECK(pipe.feed.add(job(2, "matrix", 1), {}).empty());
  CHECK(pipe.feed.add(job(3, "", 1), {}).empty());
  pipe.feed.withdraw(2);
  pipe.begin();
  CHECK(pipe.take(1) == Texts{"now 1 0.500000000"});
  CHECK(pipe.feed.fed(0)->job == 3);
  CHECK(pipe.refused == Texts{"1 there is no file"});
  pipe.feed.close();
  std::string_view line;
  while (pipe.lines.open()) CHECK_FALSE(pipe.lines.next(line));
}

TEST_CASE("a task is done when its source has the result, with the peer that executed it") {
  Book book;
  book.end(1, 0, "by 0");
  book.end(1, 1, "by 1", false);
  book.board.note(0, agents::TaskExecuted{{0, 2}, 2s});
  book.board.note(0, agents::TaskCompleted{{0, 1}, core::PeerId{1}});
  book.ledger.end();
  const auto tasks = book.store.tasks(1, 0, 10);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].task == 1);
  CHECK(tasks[0].peer == 1);
  CHECK(tasks[0].result == "by 1");
  CHECK_FALSE(tasks[0].right);
  CHECK(book.store.job(1)->wrong == 1);
}

TEST_CASE("a task without an executor is wrong, and one with a single executor has its result") {
  Book book;
  book.end(1, 1, "by 1");
  book.board.note(0, agents::TaskCompleted{{0, 0}, core::PeerId{0}});
  book.board.note(0, agents::TaskCompleted{{0, 1}, core::PeerId{0}});
  book.ledger.end();
  const auto tasks = book.store.tasks(1, 0, 10);
  REQUIRE(tasks.size() == 2);
  CHECK_FALSE(tasks[0].right);
  CHECK(tasks[0].result == "its executor has not executed it");
  CHECK(tasks[1].right);
  CHECK(tasks[1].result == "by 1");
  CHECK(book.store.job(1)->wrong == 1);
}

TEST_CASE("a job is done once, and recorded with the mean duration of its tasks") {
  Book book;
  book.board.note(0, agents::JobSubmitted{.job = 0, .arrived = core::Time{} + 1500ms, .tasks = 3});
  for (std::uint32_t portion = 0; portion < 3; ++portion) {
    book.end(portion, portion % 2, "ok");
    book.board.note(0, agents::TaskCompleted{{0, portion}, core::PeerId{portion % 2}});
    book.board.note(0, agents::TaskCompleted{{0, portion}, core::PeerId{portion % 2}});
  }
  book.board.note(0, agents::TaskCompleted{{5, 0}, core::PeerId{0}});
  book.ledger.end();
  CHECK(book.store.job(1)->state == JobState::done);
  CHECK(book.store.counts().tasks == 3);
  CHECK_FALSE(book.pipe.feed.fed(0));
  std::ifstream record(book.directory.path() / "record.txt");
  std::string line;
  std::getline(record, line);
  std::getline(record, line);
  CHECK(line == "1.500000000 3 1.666666666");  // 2 s at speed 1, twice, and 2 s at speed 0.5
}

TEST_CASE("results that cannot be stored wait, and are stored once they can be") {
  Book book;
  const auto file = book.directory.path() / "jobs.sqlite";
  {
    scenarios::Database other(file, scenarios::Database::Mode::create, 0ms);
    scenarios::Transaction held(other);
    other.execute("UPDATE job SET seconds = seconds");
    book.end(0, 1, "kept");
    book.board.note(0, agents::TaskCompleted{{0, 0}, core::PeerId{1}});
    std::this_thread::sleep_for(100ms);
    CHECK(book.store.tasks(1, 0, 10).empty());
  }
  book.ledger.end();
  REQUIRE(book.store.tasks(1, 0, 10).size() == 1);
  CHECK(book.store.tasks(1, 0, 10)[0].result == "kept");
}

}  // namespace rhizome::serve_ledger_test
