#include "tools/serve/service.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/json.hpp"
#include "tools/monitor/web/exposition.hpp"
#include "tools/monitor/web/metrics_text.hpp"

namespace rhizome::tools {

using scenarios::Json;

namespace {

constexpr std::uint32_t usual_page = 100;
constexpr std::uint32_t longest_page = 1000;

Reply json_reply(int status, const Json& json) {
  return {status, "application/json", scenarios::line_of(json) + "\n"};
}

Json time_or_null(std::int64_t time) { return time == 0 ? Json(nullptr) : Json(time); }

Json json_of(const TaskNeeds& needs) {
  Json json = Json::object();
  for (const auto& [task, needed] : needs) {
    const std::string name = std::to_string(task);
    if (!json.contains(name)) json[name] = Json::array();
    json[name].push_back(needed);
  }
  return json;
}

Json json_of(const ServedJob& job) {
  return {{"id", job.id},
          {"state", name_of(job.state)},
          {"work", job.order.work.empty() ? "emulated" : job.order.work},
          {"tasks", job.order.tasks},
          {"seconds", job.order.seconds},
          {"needs", json_of(job.order.needs)},
          {"done", job.done},
          {"wrong", job.wrong},
          {"submitted", job.submitted},
          {"finished", time_or_null(job.finished)}};
}

Json json_of(std::uint32_t number, const ServedTask* done) {
  if (done == nullptr)
    return {{"task", number},    {"state", "open"},  {"peer", nullptr},
            {"result", nullptr}, {"right", nullptr}, {"finished", nullptr}};
  return {
      {"task", number},       {"state", "done"},
      {"peer", done->peer},   {"result", done->result.empty() ? Json(nullptr) : Json(done->result)},
      {"right", done->right}, {"finished", done->finished}};
}

std::string etag_of(const ServedJob& job) {
  return fmt::format("\"{}-{}-{}-{}\"", job.id, name_of(job.state), job.done, job.wrong);
}

constexpr auto longest_wait = std::chrono::seconds(60);

// How long a request waits for a change of what it knows; none if it does not wait. Throws
// BadOrder.
std::optional<core::Duration> wait_of(const Question& question) {
  if (!question.words.contains("wait")) return {};
  const auto wait = scenarios::parse_duration(question.word("wait"));
  if (!wait || *wait <= core::Duration::zero() || *wait > longest_wait)
    throw BadOrder(422, "\"wait\" must be a duration from 1ns to 60s, such as 20s");
  if (question.if_none_match.empty())
    throw BadOrder(422, "\"wait\" needs If-None-Match, with the ETag that is known");
  return wait;
}

Reply unchanged(const std::string& etag) { return {304, "application/json", "", {{"ETag", etag}}}; }

// Throws BadOrder for words that are no such numbers.
struct Page {
  std::uint64_t after = 0;
  std::uint32_t limit = usual_page;
};
Page page_of(const Question& question) {
  Page page;
  const auto number = [&](const std::string& name, std::uint64_t least, std::uint64_t most,
                          std::uint64_t otherwise) {
    if (question.word(name).empty()) return otherwise;
    const auto said = question.number(name);
    if (!said || *said < least || *said > most)
      throw BadOrder(422, fmt::format("\"{}\" must be a number from {} to {}", name, least, most));
    return *said;
  };
  page.after = number("after", 0, std::uint64_t{1} << 62U, 0);
  page.limit = static_cast<std::uint32_t>(number("limit", 1, longest_page, usual_page));
  return page;
}

}  // namespace

Way JobService::way(const std::string& path) const {
  if (path == "/") return {.methods = {"GET"}, .open = true};  // the page, with nothing of a job
  Way way{.steers = true, .otherwise = "this path has other methods"};
  for (const Route* route : match(path).routes) {
    way.methods.emplace_back(route->method);
    way.open = route->open;
  }
  return way;
}

Reply JobService::refused(int status, const std::string& why) const {
  const Json problem{{"type", "about:blank"},
                     {"title", std::string(title_of(status))},
                     {"status", status},
                     {"detail", why}};
  return {status, "application/problem+json", scenarios::line_of(problem) + "\n"};
}

std::optional<Reply> JobService::answer(const Question& question) {
  ++requests_;
  const Match found = match(question.path);
  for (const Route* route : found.routes)
    if (route->method == question.method) {
      Reply reply = answer(*route, question, found);
      if (reply.status >= 400) ++refusals_;
      return reply;
    }
  return {};
}

Reply JobService::answer(const Route& route, const Question& question, const Match& found) {
  const std::uint64_t id = found.id;
  try {
    switch (route.id) {
      case RouteId::submit:
        return submit(question);
      case RouteId::list:
        return list(question);
      case RouteId::show:
        return show(question, id);
      case RouteId::tasks:
        return tasks(question, id, false);
      case RouteId::results:
        return tasks(question, id, true);
      case RouteId::cancel:
        return cancel(id);
      case RouteId::file:
        return file(found.hash);
      case RouteId::upload:  // receive() does it
        break;
      case RouteId::health:
        return state(false);
      case RouteId::ready:
        return state(true);
      case RouteId::metrics:
        return metrics();
      case RouteId::openapi:
        return json_reply(200, openapi());
    }
  } catch (const BadOrder& bad) {
    return refused(bad.status(), bad.what());
  } catch (const StoreFull& full) {
    return refused(507, std::string("nothing was stored: ") + full.what());
  }
  return refused(404, "there is nothing by that name");
}

Reply JobService::busy(double seconds, const std::string& why) const {
  Reply reply = refused(429, why);
  reply.fields.emplace_back("Retry-After",
                            fmt::format("{:.0f}", std::max(1.0, std::ceil(seconds))));
  return reply;
}

// What was accepted before is said again, however much there is to do, and whatever has become of
// its files.
Reply JobService::submit(const Question& question) {
  const JobOrder order = orders_.order_in(question.body, question.idempotency_key);
  if (!order.key.empty())
    if (const auto job = store_.find(order.key)) return known(*job, order);
  orders_.check(order);
  if (stage_ != Stage::serving) {
    Reply reply =
        refused(503, stage_ == Stage::starting ? "no jobs are taken before the run has begun"
                                               : "no more jobs are taken: the server ends");
    reply.fields.emplace_back("Retry-After", "2");
    return reply;
  }
  if (const auto wait = rate_.wait(RateLimit::Clock::now()))
    return busy(wait->count(), fmt::format("{:g} jobs a second are taken", limits_.per_second));
  struct Coming {
    explicit Coming(std::atomic<std::uint64_t>& all) : count(all) { ++count; }
    ~Coming() { --count; }
    std::atomic<std::uint64_t>& count;
  };
  const Coming coming(coming_);
  if (store_.counts().jobs[0] + coming_ > limits_.most_open)
    return busy(1, fmt::format("{} jobs are open, and that is the most", limits_.most_open));
  return accept(order);
}

Reply JobService::accept(const JobOrder& order) {
  const JobStore::Accepted accepted = store_.accept(order);
  if (accepted.known) return known(accepted.job, order);
  static_cast<void>(feed_.add(accepted.job, {}));  // nothing of it is wrong yet
  Reply reply = json_reply(202, json_of(accepted.job));
  reply.fields.emplace_back("Location", fmt::format("/jobs/{}", accepted.job.id));
  return reply;
}

Reply JobService::known(const ServedJob& job, const JobOrder& order) const {
  if (!(job.order == order))
    return refused(
        422, fmt::format("this idempotency key is that of job {}, which is another one", job.id));
  Reply reply = json_reply(200, json_of(job));
  reply.fields.emplace_back("Location", fmt::format("/jobs/{}", job.id));
  return reply;
}

Reply JobService::list(const Question& question) const {
  const Page page = page_of(question);
  const std::string word = question.word("state");
  const auto state = job_state(word);
  if (!word.empty() && !state) throw BadOrder(422, "\"state\" must be open, done or cancelled");
  const std::vector<ServedJob> jobs = store_.jobs(page.after, page.limit, state);
  const bool more = !jobs.empty() && !store_.jobs(jobs.back().id, 1, state).empty();
  Json shown = Json::array();
  for (const ServedJob& job : jobs) shown.push_back(json_of(job));
  return json_reply(
      200, {{"jobs", std::move(shown)}, {"next", more ? Json(jobs.back().id) : Json(nullptr)}});
}

Reply JobService::show(const Question& question, std::uint64_t id) const {
  const auto wait = wait_of(question);
  // Enters before the job is read, so that no change between the two is missed.
  const auto waiter = wait ? store_.watch().enter(id, limits_.most_waiting) : nullptr;
  const auto until = JobWatch::Clock::now() + wait.value_or(core::Duration::zero());
  for (;;) {
    const auto job = store_.job(id);
    if (!job) return refused(404, fmt::format("there is no job {}", id));
    const std::string etag = etag_of(*job);
    if (question.if_none_match != etag) {
      Reply reply = json_reply(200, json_of(*job));
      reply.fields.emplace_back("ETag", etag);
      return reply;
    }
    // A job that is not open changes no more.
    if (!wait || job->state != JobState::open) return unchanged(etag);
    if (!waiter)
      return busy(
          1, fmt::format("{} requests wait for jobs, and that is the most", limits_.most_waiting));
    if (!waiter->wait(until)) return unchanged(etag);
  }
}

// A page of tasks from `after` on: all of them, or those that are done.
Reply JobService::tasks(const Question& question, std::uint64_t id, bool results) const {
  const Page page = page_of(question);
  const auto job = store_.job(id);
  if (!job) return refused(404, fmt::format("there is no job {}", id));
  // The job was read before its tasks: they are as new as its ETag, or newer.
  const std::string etag = etag_of(*job);
  if (question.if_none_match == etag) return unchanged(etag);
  const std::uint64_t all = job->order.tasks;
  const auto from = static_cast<std::uint32_t>(std::min(page.after, all));
  const std::vector<ServedTask> done = store_.tasks(id, from, page.limit + 1);
  Json shown = Json::array();
  std::optional<std::uint64_t> next;
  if (results) {
    for (std::size_t i = 0; i < done.size() && i < page.limit; ++i)
      shown.push_back(json_of(done[i].task, &done[i]));
    if (done.size() > page.limit) next = done[page.limit].task;
  } else {
    const std::uint64_t end = std::min<std::uint64_t>(all, std::uint64_t{from} + page.limit);
    auto at = done.begin();
    for (std::uint32_t task = from; task < end; ++task) {
      const bool is_done = at != done.end() && at->task == task;
      shown.push_back(json_of(task, is_done ? &*at : nullptr));
      if (is_done) ++at;
    }
    if (end < all) next = end;
  }
  Reply reply = json_reply(200, {{"tasks", shown}, {"next", next ? Json(*next) : Json(nullptr)}});
  reply.fields.emplace_back("ETag", etag);
  return reply;
}

Reply JobService::cancel(std::uint64_t id) {
  const bool was_open = store_.cancel(id);
  const auto job = store_.job(id);
  if (!job) return refused(404, fmt::format("there is no job {}", id));
  if (!was_open && job->state == JobState::done)
    return refused(409, fmt::format("job {} is done", id));
  feed_.withdraw(id);
  return json_reply(200, json_of(*job));
}

Reply JobService::state(bool ready) const {
  const Stage stage = stage_;
  const Json status{{"status", stage == Stage::serving    ? "ok"
                               : stage == Stage::starting ? "starting"
                                                          : "draining"}};
  return json_reply(ready && stage != Stage::serving ? 503 : 200, status);
}

Reply JobService::metrics() const {
  const JobStore::Counts counts = store_.counts();
  Exposition text;
  text.gauge("rhizome_serve_jobs", "Jobs by state, of all that were ever accepted.");
  for (const JobState state : {JobState::open, JobState::done, JobState::cancelled})
    text.add(static_cast<double>(counts.jobs[static_cast<std::size_t>(state)]),
             {{"state", name_of(state)}});
  text.counter("rhizome_serve_tasks", "Tasks that are done.")
      .add(static_cast<double>(counts.tasks));
  text.counter("rhizome_serve_wrong", "Tasks that are done, with a result that is not right.")
      .add(static_cast<double>(counts.wrong));
  text.counter("rhizome_serve_requests", "Requests that were answered, but for strangers'.")
      .add(static_cast<double>(requests_));
  text.counter("rhizome_serve_refusals", "Requests that were answered with a problem.")
      .add(static_cast<double>(refusals_));
  text.gauge("rhizome_serve_ready", "Whether jobs are taken.")
      .add(stage_ == Stage::serving ? 1 : 0);
  return {200, metrics_type, text.text()};
}

}  // namespace rhizome::tools
