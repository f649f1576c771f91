// Requests that wait for a change of a job, and requests for recent changes.
#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scenarios/text/json.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/service.hpp"

namespace rhizome::serve_wait_test {

using namespace std::chrono_literals;
using tools::JobService;
using tools::Question;
using tools::Reply;

namespace {

// A server without a run, for emulated work.
class Served {
 public:
  explicit Served(std::size_t most_waiting = 8)
      : store_({directory_.path() / "jobs.sqlite", 0}),
        orders_(scenarios::WorkloadSection{}),
        uploads_(directory_.path(), 0),
        service_(store_, feed_, orders_, uploads_,
                 {.per_second = 0, .most_waiting = most_waiting}) {
    service_.enter(JobService::Stage::serving);
  }
  Reply ask(const Question& question) { return service_.answer(question).value(); }
  Reply post(const std::string& body) {
    return ask({.method = "POST", .path = "/jobs", .body = body});
  }
  Reply get(const std::string& path) { return ask({.path = path}); }
  tools::JobStore& store() { return store_; }

 private:
  test::TemporaryDirectory directory_;
  tools::JobFeed feed_;
  tools::JobStore store_;
  tools::Orders orders_;
  tools::Uploads uploads_;
  JobService service_;
};

std::string etag_in(const Reply& reply) {
  for (const auto& [key, value] : reply.fields)
    if (key == "ETag") return value;
  return "";
}

}  // namespace

TEST_CASE("results have the ETag of their job") {
  Served served;
  served.post(R"({"tasks": 2})");
  served.store().complete({{1, {.task = 1}}});
  for (const std::string path : {"/jobs/1/results", "/jobs/1/tasks"}) {
    CAPTURE(path);
    const std::string etag = etag_in(served.get(path));
    CHECK(etag == etag_in(served.get("/jobs/1")));
    const Reply same = served.ask({.path = path, .if_none_match = etag});
    CHECK(same.status == 304);
    CHECK(etag_in(same) == etag);
  }
  const std::string old = etag_in(served.get("/jobs/1/results"));
  served.store().complete({{1, {.task = 0}}});
  CHECK(served.ask({.path = "/jobs/1/results", .if_none_match = old}).status == 200);
}

TEST_CASE("a request waits until its job changes, and no longer than it says") {
  Served served;
  served.post(R"({"tasks": 2})");
  served.post(R"({"tasks": 2})");
  const auto etag = [&] { return etag_in(served.get("/jobs/1")); };
  const auto waiting = [&](const std::string& wait, const std::string& known) {
    return served.ask({.path = "/jobs/1", .words = {{"wait", wait}}, .if_none_match = known});
  };
  CHECK(waiting("1ms", etag()).status == 304);
  CHECK(waiting("60s", "another").status == 200);
  const auto changed_by = [&](const auto& change) {
    auto reply =
        std::async(std::launch::async, [&, known = etag()] { return waiting("20s", known); });
    const auto late = std::chrono::steady_clock::now() + 20s;
    while (served.store().watch().enter(7, 1) && std::chrono::steady_clock::now() < late)
      std::this_thread::yield();  // until the request waits
    change();
    return reply.get();
  };
  const Reply advanced = changed_by([&] { served.store().complete({{1, {.task = 0}}}); });
  CHECK(advanced.status == 200);
  CHECK(scenarios::parse_json(advanced.text).value().at("done").get<int>() == 1);
  const Reply cancelled = changed_by([&] { static_cast<void>(served.store().cancel(1)); });
  CHECK(cancelled.status == 200);
  CHECK(scenarios::parse_json(cancelled.text).value().at("state").get<std::string>() ==
        "cancelled");
  const auto begun = std::chrono::steady_clock::now();
  CHECK(waiting("60s", etag()).status == 304);  // it changes no more
  CHECK(std::chrono::steady_clock::now() - begun < 30s);
}

TEST_CASE("a waiter is woken by its own job, each change once, and by the end") {
  tools::JobWatch watch;
  const auto soon = [] { return tools::JobWatch::Clock::now() + 1ms; };
  const auto waiter = watch.enter(1, 2);
  CHECK_FALSE(waiter->wait(soon()));
  watch.changed(2);
  CHECK_FALSE(waiter->wait(soon()));
  watch.changed(1);
  CHECK(waiter->wait(soon()));
  CHECK_FALSE(waiter->wait(soon()));
  auto ended = std::async(std::launch::async,
                          [&] { return waiter->wait(tools::JobWatch::Clock::now() + 20s); });
  const auto begun = tools::JobWatch::Clock::now();
  watch.end();
  CHECK_FALSE(ended.get());
  CHECK(tools::JobWatch::Clock::now() - begun < 10s);
}

TEST_CASE("requests that wait for a job are told of each change, once it can be read") {
  Served served;
  served.post(R"({"tasks": 2})");
  const auto waiter = served.store().watch().enter(1, 1);
  const auto rung = [&] { return waiter->wait(tools::JobWatch::Clock::now() + 1ms); };
  served.store().complete({{1, {.task = 0}}});
  CHECK(rung());
  CHECK(served.store().cancel(1));
  CHECK(rung());
  CHECK_FALSE(served.store().cancel(1));
  CHECK_FALSE(rung());
}

TEST_CASE("so many requests may wait at a time, for so long, and for a change alone") {
  Served served(1);
  served.post("{}");
  const std::string etag = etag_in(served.get("/jobs/1"));
  const Question question{.path = "/jobs/1", .words = {{"wait", "1ms"}}, .if_none_match = etag};
  {
    const auto other = served.store().watch().enter(7, 1);
    const Reply refused = served.ask(question);
    CHECK(refused.status == 429);
    CHECK(refused.fields == std::vector<std::pair<std::string, std::string>>{{"Retry-After", "1"}});
    CHECK(served.get("/jobs/1").status == 200);
    CHECK(served.ask({.path = "/jobs/1", .words = {{"wait", "1ms"}}, .if_none_match = "\"0\""})
              .status == 200);
  }
  CHECK(served.ask(question).status == 304);
  CHECK(served.ask({.path = "/jobs/9", .words = {{"wait", "1ms"}}, .if_none_match = etag}).status ==
        404);
  for (const std::string wait : {"", "x", "0s", "-1s", "61s", "1e99h", "20"}) {
    CAPTURE(wait);
    CHECK(
        served.ask({.path = "/jobs/1", .words = {{"wait", wait}}, .if_none_match = etag}).status ==
        422);
  }
  CHECK(served.ask({.path = "/jobs/1", .words = {{"wait", "1s"}}}).status == 422);
}

}  // namespace rhizome::serve_wait_test
