// The answers of a server of jobs.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/peer/rng.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/service.hpp"

namespace rhizome::serve_service_test {

using namespace std::chrono_literals;
using scenarios::Json;
using tools::BodyEnd, tools::JobService;
using tools::Question;
using tools::Reply;

namespace {

// A server without a run.
class Served {
 public:
  explicit Served(JobService::Limits limits = {.per_second = 0}, std::uint64_t most_bytes = 0)
      : store_({directory_.path() / "jobs.sqlite", most_bytes}),
        orders_(section()),
        uploads_(directory_.path(), 1000),
        service_(store_, feed_, orders_, uploads_, limits) {
    service_.enter(JobService::Stage::serving);
  }
  Reply ask(Question question) {
    const auto reply = service_.answer(question);
    return reply ? *reply : service_.refused(404, "");
  }
  Reply post(const std::string& body, const std::string& key = "") {
    return ask({.method = "POST", .path = "/jobs", .body = body, .idempotency_key = key});
  }
  Reply get(const std::string& path, std::map<std::string, std::string> words = {}) {
    return ask({.path = path, .words = std::move(words)});
  }
  tools::JobStore& store() { return store_; }
  JobService& service() { return service_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return directory_.path(); }

 private:
  scenarios::WorkloadSection section() {
    scenarios::WorkloadSection section;
    section.own.change<scenarios::JobBounds>() = {.most_tasks = 50,
                                                  .longest_task = 10s,
                                                  .folder = directory_.path().string(),
                                                  .programs = "true"};
    return section;
  }
  test::TemporaryDirectory directory_;
  tools::JobFeed feed_;
  tools::JobStore store_;
  tools::Orders orders_;
  tools::Uploads uploads_;
  JobService service_;
};

Json json_of(const Reply& reply) {
  const auto json = scenarios::parse_json(reply.text);
  REQUIRE(json);
  return *json;
}

std::string field(const Reply& reply, const std::string& name) {
  for (const auto& [key, value] : reply.fields)
    if (key == name) return value;
  return "";
}

std::set<std::string> names_in(const Json& object) {
  std::set<std::string> names;
  for (const Json::Member& member : object.members()) names.insert(member.name);
  return names;
}

std::set<std::string> names_of(std::string_view schema) {
  std::set<std::string> names;
  for (const tools::SchemaDoc& doc : tools::schemas()) {
    if (doc.name != schema) continue;
    for (const tools::ValueDoc& value : doc.values) names.emplace(value.name);
    if (!doc.list.empty()) names.emplace(doc.list);
  }
  return names;
}

}  // namespace

TEST_CASE("a job is stored before it is answered, with all that the document says of it") {
  Served served;
  const Reply reply = served.post(R"({"work": "matrix", "settings": {"order": 8}, "tasks": 3})");
  CHECK(reply.status == 202);
  CHECK(field(reply, "Location") == "/jobs/1");
  const Json job = json_of(reply);
  CHECK(names_in(job) == names_of("Job"));
  CHECK(job.at("work").get<std::string>() == "matrix order=8");
  CHECK(served.store().job(1)->order.tasks == 3);
  const Json page = json_of(served.get("/jobs"));
  CHECK(names_in(page) == names_of("JobPage"));
  const Json tasks = json_of(served.get("/jobs/1/tasks"));
  CHECK(names_in(tasks) == names_of("TaskPage"));
  CHECK(names_in(tasks.at("tasks").at(2)) == names_of("Task"));
  CHECK(names_in(json_of(served.get("/health"))) == names_of("Health"));
  CHECK(names_in(json_of(served.get("/jobs/9"))) == names_of("Problem"));
}

TEST_CASE("an order is refused with its errors, and nothing of it is stored") {
  Served served;
  const auto status = [&](const std::string& body) { return served.post(body).status; };
  for (const std::string body :
       {"", "{", "[]", "1", "null", "\"x\"", R"({"tasks": "3"})", R"({"tasks": null})",
        R"({"needs": [1]})", R"({"needs": {"0": 1}})", R"({"work": 1})", R"({"settings": []})",
        R"({"seconds": "1"})", R"({"work": "matrix", "settings": {"order": null}})",
        R"({"work": "matrix", "settings": {"order": [1]}})"}) {
    CAPTURE(body);
    CHECK(status(body) == 400);
  }
  for (const std::string body :
       {R"({"tasks": 0})",
        R"({"tasks": 51})",
        R"({"tasks": 1.5})",
        R"({"tasks": 2, "needs": {"2": [0]}})",
        R"({"tasks": 2, "needs": {"1": [2]}})",
        R"({"tasks": 2, "needs": {"x": [0]}})",
        R"({"tasks": 2, "needs": {"1": [0.5]}})",
        R"({"tasks": 2, "needs": {"1": ["0"]}})",
        R"({"tasks": 2, "needs": {"1": [1]}})",
        R"({"tasks": 3, "needs": {"1": [2], "2": [1]}})",
        R"({"tasks": -1})",
        R"({"tasks": 1e300})",
        R"({"seconds": 0})",
        R"({"seconds": 11})",
        R"({"seconds": -1})",
        R"({"work": "sort"})",
        R"({"work": ""})",
        R"({"work": "a b"})",
        R"({"name": "x"})",
        R"({"work": "count"})",
        R"({"work": "count", "settings": {"file": "absent"}})",
        R"({"work": "count", "settings": {"file": "/etc/passwd"}})",
        R"({"work": "child", "settings": {"program": "false"}})",
        R"({"work": "child", "settings": {"program": "true", "output": "../x"}})",
        R"({"work": "child", "settings": {"program": "true", "arguments": "{who}"}})",
        R"({"work": "child", "settings": {"program": "true", "arguments": "\u0000"}})",
        R"({"work": "child", "settings": {"program": "true", "arguments": "\u202e"}})",
        R"({"work": "matrix", "settings": {"order": 0}})",
        R"({"work": "matrix", "settings": {"order=1 order": 1}})",
        R"({"settings": {"order": 1}})"}) {
    CAPTURE(body);
    CHECK(status(body) == 422);
  }
  CHECK(status(std::string(30'000, '[')) == 400);
  CHECK(status(R"({"work": )" + std::string(30'000, '{')) == 400);
  CHECK(served.store().counts().jobs[0] == 0);
  CHECK(status(R"({"work": "child", "settings": {"program": "true", "arguments": "{task} {job}"},
                   "tasks": 50, "seconds": 1e-6})") == 202);
  CHECK(status("{}") == 202);
}

// Each is a body of the right kind with a few bytes changed, taken out or doubled.
TEST_CASE("whatever the body is, the answer is a job or a problem") {
  Served served({.per_second = 0, .most_open = 100'000});
  core::Rng rng = core::Rng::derive({20260101}, "bodies");
  const std::string good =
      R"({"work": "child", "settings": {"program": "true", "arguments": "-a {task}"}, "tasks": 2})";
  std::size_t jobs = 0;
  for (int round = 0; round < 600; ++round) {
    std::string body = good;
    const auto changes = rng.between(1, 6);
    for (std::int64_t i = 0; i < changes && !body.empty(); ++i) {
      const auto at =
          static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(body.size()) - 1));
      const auto letter = static_cast<char>(rng.between(0, 255));
      switch (rng.between(0, 3)) {
        case 0:
          body[at] = letter;
          break;
        case 1:
          body.erase(at, static_cast<std::size_t>(rng.between(1, 10)));
          break;
        case 2:
          body.insert(at, 1, letter);
          break;
        default:
          body.insert(at, body.substr(at, static_cast<std::size_t>(rng.between(1, 20))));
      }
    }
    CAPTURE(body);
    const Reply reply = served.post(body);
    const Json json = json_of(reply);
    if (reply.status == 202) {
      ++jobs;
      CHECK(names_in(json) == names_of("Job"));
    } else {
      CHECK((reply.status == 400 || reply.status == 422));
      CHECK(json.at("status").get<int>() == reply.status);
    }
  }
  CHECK(served.store().counts().jobs[0] == jobs);
}

TEST_CASE("an order that is sent again is the same job, and another one with its key is refused") {
  Served served;
  CHECK(served.post(R"({"tasks": 2})", "k1").status == 202);
  const Reply again = served.post(R"({"tasks": 2})", "k1");
  CHECK(again.status == 200);
  CHECK(json_of(again).at("id").get<int>() == 1);
  CHECK(served.post(R"({"tasks": 3})", "k1").status == 422);
  CHECK(served.post(R"({"tasks": 2})", "k2").status == 202);
  CHECK(served.post("{}", std::string(201, 'k')).status == 400);
  CHECK(served.store().counts().jobs[0] == 2);
}

TEST_CASE("an order whose file has gone is the same job when it is sent again, and no new one") {
  Served served;
  std::ofstream(served.folder() / "a.txt") << "one two";
  const auto order = R"({"work": "count", "settings": {"file": "a.txt"}})";
  CHECK(served.post(order, "k1").status == 202);
  std::filesystem::remove(served.folder() / "a.txt");
  CHECK(json_of(served.post(order, "k1")).at("id").get<int>() == 1);
  CHECK(served.post(order, "k2").status == 422);
}

TEST_CASE("more jobs than may be open, or may come a second, are to come later") {
  Served few({.per_second = 0, .most_open = 2});
  for (const char* key : {"a", "b"}) CHECK(few.post("{}", key).status == 202);
  const Reply refused = few.post("{}", "c");
  CHECK(refused.status == 429);
  CHECK(field(refused, "Retry-After") == "1");
  CHECK(few.post("{}", "a").status == 200);
  CHECK(few.ask({.method = "DELETE", .path = "/jobs/1"}).status == 200);
  CHECK(few.post("{}", "c").status == 202);
  Served slow({.per_second = 0.1});
  CHECK(slow.post("{}").status == 202);
  const Reply later = slow.post("{}");
  CHECK(later.status == 429);
  CHECK(field(later, "Retry-After") == "10");
}

TEST_CASE(
    "no jobs are taken before the run begins and once it is to end, but known ones are told") {
  Served served;
  CHECK(served.post("{}", "a").status == 202);
  for (const auto stage : {JobService::Stage::starting, JobService::Stage::draining}) {
    served.service().enter(stage);
    CHECK(served.post("{}").status == 503);
    CHECK(field(served.post("{}"), "Retry-After") == "2");
    CHECK(served.post("{}", "a").status == 200);
    CHECK(served.get("/ready").status == 503);
    CHECK(served.get("/health").status == 200);
    CHECK(served.get("/jobs/1").status == 200);
  }
}

TEST_CASE("a disk without room refuses an order, and accepted jobs stay") {
  Served served({.per_second = 0}, 96U << 10U);
  int status = 0;
  int accepted = -1;
  const std::string text(3000, 'x');
  while (status == 0 || status == 202) {
    ++accepted;
    status = served
                 .post(R"({"work": "child", "settings": {"program": "true", "arguments": ")" +
                       text + "\"}}")
                 .status;
  }
  CHECK(status == 507);
  CHECK(served.store().counts().jobs[0] == static_cast<std::uint64_t>(accepted));
}

TEST_CASE("the state of a job has a name by which nothing is sent twice") {
  Served served;
  served.post(R"({"tasks": 2})");
  const std::string etag = field(served.get("/jobs/1"), "ETag");
  CHECK_FALSE(etag.empty());
  CHECK(served.ask({.path = "/jobs/1", .if_none_match = etag}).status == 304);
  served.store().complete({{1, {.task = 1}}});
  const Reply changed = served.ask({.path = "/jobs/1", .if_none_match = etag});
  CHECK(changed.status == 200);
  CHECK(field(changed, "ETag") != etag);
}

TEST_CASE("tasks and results come in pages, done or not") {
  Served served;
  served.post(R"({"tasks": 5})");
  served.store().complete({{1, {.task = 1, .peer = 4, .result = "7 words", .finished = 5}},
                           {1, {.task = 3, .right = false}}});
  const Json tasks = json_of(served.get("/jobs/1/tasks", {{"limit", "3"}}));
  CHECK(tasks.at("tasks").size() == 3);
  CHECK(tasks.at("next").get<int>() == 3);
  CHECK(tasks.at("tasks").at(0).at("state").get<std::string>() == "open");
  CHECK(tasks.at("tasks").at(1).at("result").get<std::string>() == "7 words");
  CHECK(tasks.at("tasks").at(1).at("peer").get<int>() == 4);
  const Json rest = json_of(served.get("/jobs/1/tasks", {{"after", "3"}}));
  CHECK(rest.at("tasks").size() == 2);
  CHECK_FALSE(rest.at("tasks").at(0).at("right").get<bool>());
  CHECK(rest.at("next").is_null());
  const Json results = json_of(served.get("/jobs/1/results", {{"limit", "1"}}));
  CHECK(results.at("tasks").size() == 1);
  CHECK(results.at("next").get<int>() == 3);
  CHECK(json_of(served.get("/jobs/1/results", {{"after", "3"}})).at("tasks").size() == 1);
  for (const std::string limit : {"0", "1001", "-1", "x", "1e3"})
    CHECK(served.get("/jobs", {{"limit", limit}}).status == 422);
  CHECK(served.get("/jobs", {{"state", "lost"}}).status == 422);
  CHECK(served.get("/jobs/2/tasks").status == 404);
}

TEST_CASE("an open job is cancelled once or again, and one that is done is not") {
  Served served;
  served.post(R"({"tasks": 1})");
  served.post(R"({"tasks": 1})");
  const Question first{.method = "DELETE", .path = "/jobs/1"};
  CHECK(served.ask(first).status == 200);
  CHECK(served.ask(first).status == 200);
  served.store().complete({{2, {.task = 0}}});
  CHECK(served.ask({.method = "DELETE", .path = "/jobs/2"}).status == 409);
  CHECK(served.ask({.method = "DELETE", .path = "/jobs/3"}).status == 404);
}

TEST_CASE("figures are told as OpenMetrics, of all jobs that there ever were") {
  Served served;
  served.post(R"({"tasks": 1})");
  served.post(R"({"tasks": 2})");
  served.store().complete({{1, {.task = 0, .right = false}}});
  const std::string text = served.get("/metrics").text;
  for (const std::string line :
       {"rhizome_serve_jobs{state=\"open\"} 1\n", "rhizome_serve_jobs{state=\"done\"} 1\n",
        "rhizome_serve_tasks_total 1\n", "rhizome_serve_wrong_total 1\n",
        "rhizome_serve_ready 1\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(text.ends_with("# EOF\n"));
}

TEST_CASE("requests that change something need the token that steers, and health needs none") {
  Served served;
  CHECK(served.service().way("/jobs").steers);
  CHECK(served.service().way("/jobs").methods == std::vector<std::string>{"POST", "GET"});
  CHECK(served.service().way("/health").open);
  CHECK_FALSE(served.service().way("/metrics").open);
  CHECK(served.service().way("/nothing").methods.empty());
}

TEST_CASE("a rate is held over time, and rest is given back for a second at most") {
  tools::RateLimit limit(10);
  auto now = tools::RateLimit::Clock::time_point{} + 1h;
  const auto burst = [&] {
    int taken = 0;
    while (!limit.wait(now)) ++taken;
    return taken;
  };
  CHECK(burst() == 10);
  now += 500ms;
  CHECK(burst() == 5);
  now += 1h;
  CHECK(burst() == 10);
  CHECK(limit.wait(now)->count() > 0.05);
  tools::RateLimit any(0);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(any.wait(now));
}

TEST_CASE("a file is uploaded under its hash, and jobs name it as the answer does") {
  Served served;
  const std::string text = "one two\n";
  tools::ContentHash content;
  content.add(text);
  const std::string path = "/files/" + content.text();
  const auto put = [&](const auto& to, const std::string& body, BodyEnd how = BodyEnd::whole) {
    const auto receiver = served.service().receive({.method = "PUT", .path = to});
    REQUIRE(receiver);
    static_cast<void>(receiver->take(body));
    return receiver->end(how);
  };
  CHECK(served.get(path).status == 404);
  CHECK(put(path, "another").status == 422);
  CHECK(put(path, text, BodyEnd::cut_off).status == 400);
  CHECK(put(path, std::string(1001, 'x')).status == 413);
  const Reply first = put(path, text);
  CHECK(first.status == 201);
  CHECK(put(path, text).status == 200);
  CHECK(served.get(path).text == first.text);
  CHECK(names_in(json_of(first)) == names_of("File"));
  const auto file = json_of(first).at("file").get<std::string>();
  const auto order = [](const std::string& name) {
    return R"({"work": "count", "settings": {"file": ")" + name + R"("}})";
  };
  CHECK(served.post(order(file)).status == 202);
  CHECK(served.post(order("uploads/" + std::string(64, '0'))).status == 422);
  CHECK_FALSE(served.service().receive({.method = "PUT", .path = "/files/x"}));
  CHECK_FALSE(served.service().receive({.method = "PUT", .path = "/jobs"}));
}

}  // namespace rhizome::serve_service_test
