// The nodes of a real cluster: messages between a server and a worker, a worker at work, and a node
// whose workers are programs of the test.
#include <doctest/doctest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agents/work/kinds.hpp"
#include "core/engine/work_pool.hpp"
#include "tools/nodes/lines.hpp"
#include "tools/nodes/node.hpp"
#include "tools/nodes/worker.hpp"

namespace rhizome::tools::nodes_test {

using namespace std::chrono_literals;

namespace {

constexpr auto patience = 30s;

core::WorkKindId kind(std::string_view name) {
  const core::WorkKinds kinds = agents::work_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name) return static_cast<core::WorkKindId>(i);
  FAIL("no kind ", name);
  return {};
}

core::Work product(std::uint64_t seed) {
  return {.recipe = core::recipe_of(agents::work_kinds(), kind("matrix")), .seed = seed};
}

// A line from an end of a socket that has no other reader.
std::string line_from(int end) {
  std::string line;
  for (char letter = 0; read(end, &letter, 1) == 1 && letter != '\n';) line += letter;
  return line;
}
void write_to(int end, const std::string& text) {
  REQUIRE(write(end, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

// A worker in a thread, and the server's end of its connection.
struct Connected {
  Connected() {
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    why = std::async(std::launch::async, [end = ends[1]] { return work_for_server(end, end); });
    REQUIRE(answer_in(line_from(ends[0]))->version == worker_version());
  }
  ~Connected() {
    shutdown(ends[0], SHUT_RDWR);
    if (why.valid()) why.wait();
    for (const int end : ends) close(end);
  }
  WorkerAnswer done() {
    for (;;) {
      const auto answer = answer_in(line_from(ends[0]));
      REQUIRE(answer);
      if (answer->kind == WorkerAnswer::Kind::done) return *answer;
    }
  }
  std::array<int, 2> ends{};
  std::future<std::string> why;
};

// Shell programs in the place of workers, one after the other, and the last again and again.
class Programs final : public Places {
 public:
  explicit Programs(std::vector<std::string> programs) : programs_(std::move(programs)) {}
  std::vector<std::string> command(std::uint32_t) override {
    const std::size_t at = std::min<std::size_t>(begun_++, programs_.size() - 1);
    return {"/bin/sh", "-c", "printf 'ready " + worker_version() + "\\n'; " + programs_[at]};
  }
  void give_back(std::uint32_t) override { ++given_back_; }
  agents::provision::ClusterState state(std::uint32_t) override { return {}; }
  [[nodiscard]] std::uint32_t begun() const { return begun_; }
  [[nodiscard]] std::uint32_t given_back() const { return given_back_; }

 private:
  const std::vector<std::string> programs_;
  std::atomic<std::uint32_t> begun_{0};
  std::atomic<std::uint32_t> given_back_{0};
};

// Answers all work at once with the value "ok".
constexpr const char* good =
    "while read -r word id rest; do case $word in work) printf 'done %s 1 6f6b\\n' $id;; "
    "end) exit 0;; esac; done";
// Ends without an answer to its first work.
constexpr const char* mortal = "while read -r word rest; do [ $word = work ] && exit 3; done";

// What a node tells.
struct Told {
  std::atomic<int> ready{0};
  std::atomic<int> warned{0};
  std::atomic<std::uint32_t> deaths{0};
  std::atomic<std::uint32_t> tasks_lost{0};
  Node::Hooks hooks() {
    return {.ready = [this] { ++ready; },
            .died =
                [this](std::uint32_t tasks) {
                  ++deaths;
                  tasks_lost += tasks;
                },
            .warn = [this](const std::string&) { ++warned; }};
  }
};

template <class F>
bool comes_true(const F& holds) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!holds() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(5ms);
  return holds();
}

core::Result result_at(Node& node) {
  std::promise<core::Result> promise;
  auto result = promise.get_future();
  const auto computation = node.compute(product(1));
  computation->begin([&promise](core::Result made) { promise.set_value(std::move(made)); });
  REQUIRE(result.wait_for(patience) == std::future_status::ready);
  return result.get();
}

}  // namespace

TEST_CASE("orders and answers are read as they were written, and nothing else is") {
  const auto order =
      worker_order_in(line_of({.kind = WorkerOrder::Kind::work, .id = 7, .work = product(3)}));
  REQUIRE(order);
  CHECK(order->id == 7);
  CHECK(order->work.seed == 3);
  CHECK(order->work.recipe == product(3).recipe);
  CHECK(worker_order_in(line_of({.kind = WorkerOrder::Kind::pace, .id = 7, .rate = 0.25}))->rate ==
        0.25);
  CHECK(worker_order_in(line_of({.kind = WorkerOrder::Kind::stop, .id = 7}))->kind ==
        WorkerOrder::Kind::stop);
  CHECK(worker_order_in(line_of({.kind = WorkerOrder::Kind::end}))->kind == WorkerOrder::Kind::end);
  const auto answer = answer_in(line_of({.kind = WorkerAnswer::Kind::done,
                                         .id = 8,
                                         .result = core::judged("a line\nof two", false)}));
  REQUIRE(answer);
  CHECK(answer->id == 8);
  CHECK(answer->result == core::judged("a line\nof two", false));
  for (const char* bad :
       {"", "work", "work 1 matrix 1", "work 1 nothing 1 -", "work 1 matrix 1 0",
        "work 1 matrix 1 zz", "pace 1 2", "pace 1 nan", "stop", "stop x", "end 1"})
    CHECK_MESSAGE(!worker_order_in(bad), bad);
  for (const char* bad : {"", "ready", "done 1 3 -", "done 1 1", "done x 1 -", "hello"})
    CHECK_MESSAGE(!answer_in(bad), bad);
}

TEST_CASE("a worker obeys orders, and ends with the connection") {
  Connected worker;
  write_to(worker.ends[0], line_of({.kind = WorkerOrder::Kind::work, .id = 5, .work = product(2)}));
  const WorkerAnswer answer = worker.done();
  CHECK(answer.id == 5);
  CHECK(answer.result == core::result_of(agents::work_kinds(), product(2)));
  shutdown(worker.ends[0], SHUT_WR);
  CHECK(worker.why.get() == "the server has closed the connection");
}

TEST_CASE("a worker ends on an order to end, or on one that it cannot understand") {
  Connected told;
  write_to(told.ends[0], line_of({.kind = WorkerOrder::Kind::end}));
  CHECK(told.why.get().empty());
  Connected confused;
  write_to(confused.ends[0], "dance\n");
  CHECK(confused.why.get() == "the server has sent a line that is no order");
}

TEST_CASE("a node has a worker while it is wanted or has work") {
  Programs programs({good});
  Told told;
  Node node(3, programs, told.hooks());
  CHECK(programs.begun() == 0);
  node.want(true);
  CHECK(node.starting());
  CHECK(comes_true([&] { return told.ready == 1; }));
  CHECK(result_at(node) == core::judged("ok", true));
  node.want(false);
  node.want(true);
  CHECK(comes_true([&] { return told.ready == 2; }));
  node.want(false);
  CHECK(comes_true([&] { return programs.given_back() == programs.begun(); }));
  const std::uint32_t before = programs.begun();
  CHECK(result_at(node) == core::judged("ok", true));
  CHECK(programs.begun() == before + 1);
  CHECK(told.warned == 0);
}

TEST_CASE("the work of a worker that dies is done by its replacement") {
  Programs programs({mortal, good});
  Told told;
  Node node(3, programs, told.hooks());
  node.want(true);
  CHECK(result_at(node) == core::judged("ok", true));
  CHECK(told.deaths == 1);
  CHECK(told.tasks_lost == 1);
  CHECK(told.warned == 1);
  CHECK(programs.begun() == 2);
  CHECK(programs.given_back() == 1);
}

TEST_CASE("work that no worker survives has a wrong result") {
  Programs programs({mortal});
  Told told;
  Node node(3, programs, told.hooks());
  node.want(true);
  CHECK(result_at(node).verdict == core::Result::Verdict::wrong);
  CHECK(told.deaths == Node::most_deaths);
}

TEST_CASE("work that is cancelled ends though its worker says nothing") {
  Programs programs({"while read -r line; do :; done"});
  Told told;
  Node node(3, programs, told.hooks());
  std::promise<void> over;
  auto ended = over.get_future();
  const auto computation = node.compute(product(1));
  computation->begin([&over](const core::Result&) { over.set_value(); });
  computation->cancel();
  CHECK(ended.wait_for(patience) == std::future_status::ready);
}

TEST_CASE("work of another machine takes no core of this one") {
  Programs mute({"while read -r line; do :; done"});
  Told told;
  Node node(3, mute, told.hooks());
  std::promise<void> over;
  auto ended = over.get_future();
  core::WorkPool pool(
      [&over](const core::WorkPool::Ticket&, const core::Result&) { over.set_value(); });
  const std::uint32_t many = 2 * std::thread::hardware_concurrency();
  for (std::uint32_t i = 0; i < many; ++i)
    pool.submit({{}, {}, {.number = i}}, node.compute(product(i)));
  pool.submit({{}, {}, {.number = many}}, core::computation_of(agents::work_kinds(), product(1)));
  CHECK(ended.wait_for(patience) == std::future_status::ready);
}

}  // namespace rhizome::tools::nodes_test
