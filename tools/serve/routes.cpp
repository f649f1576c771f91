#include "tools/serve/routes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "tools/serve/content_hash.hpp"

namespace rhizome::tools {

namespace {

constexpr std::string_view number_place = "{id}";
constexpr std::string_view hash_place = "{hash}";

// The part of the path at the placeholder of the pattern. Nothing if the path has another pattern;
// empty if the pattern has no placeholder.
std::optional<std::string_view> word_in(std::string_view pattern, std::string_view path,
                                        std::string_view place) {
  const std::size_t at = pattern.find(place);
  if (at == std::string_view::npos) return pattern == path ? std::optional("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at);
  const std::string_view behind = pattern.substr(at + place.size());
  if (path.size() <= before.size() + behind.size() || !path.starts_with(before) ||
      !path.ends_with(behind))
    return {};
  return path.substr(before.size(), path.size() - before.size() - behind.size());
}

std::optional<std::uint64_t> job_number(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  // The largest integer that SQLite counts safely.
  constexpr std::uint64_t most = std::uint64_t{1} << 62U;
  if (error != std::errc{} || end != digits.data() + digits.size() || number == 0 ||
      number > most || digits.front() == '0')
    return {};
  return number;
}

std::vector<ValueDoc> page_words(std::string_view meaning_of_after) {
  return {{"after", "integer", meaning_of_after, false},
          {"limit", "integer", "How many at most, from 1 to 1000; 100 unless said.", false}};
}

std::vector<Route> make_routes() {
  std::vector<ValueDoc> job_words =
      page_words("Jobs with a greater id only; the last page's next.");
  job_words.push_back({"state", "string", "Only those that are open, done or cancelled.", false});
  const std::vector<ValueDoc> task_words =
      page_words("Tasks from that number on; the last page's next.");
  using enum RouteId;
  return {
      {submit,
       "submitJob",
       "POST",
       "/jobs",
       "Hand in a job; it is stored when this is answered. With the header Idempotency-Key, "
       "one that is sent again is the same job, and is answered with 200.",
       {},
       "Order",
       "Job",
       202,
       {200, 413, 415, 422, 429, 507}},
      {list,
       "listJobs",
       "GET",
       "/jobs",
       "Jobs by id, in pages.",
       job_words,
       "",
       "JobPage",
       200,
       {422}},
      {show,
       "showJob",
       "GET",
       "/jobs/{id}",
       "What has become of a job. Its ETag changes with it: If-None-Match is answered with 304, "
       "with wait only once the time is over or the job can change no more.",
       {{"wait", "string", "How long to wait for a change, such as 20s; 60s at most.", false}},
       "",
       "Job",
       200,
       {304, 404, 422, 429}},
      {tasks,
       "listTasks",
       "GET",
       "/jobs/{id}/tasks",
       "The tasks of a job, done or not, in pages.",
       task_words,
       "",
       "TaskPage",
       200,
       {304, 404, 422}},
      {results,
       "listResults",
       "GET",
       "/jobs/{id}/results",
       "The results of the tasks that are done, in pages.",
       task_words,
       "",
       "TaskPage",
       200,
       {304, 404, 422}},
      {cancel,
       "cancelJob",
       "DELETE",
       "/jobs/{id}",
       "Cancel an open job. Tasks that its scheduler has been given run to their end, and their "
       "results are dropped.",
       {},
       "",
       "Job",
       200,
       {404, 409, 507}},
      {upload,
       "uploadFile",
       "PUT",
       "/files/{hash}",
       "Upload a file under the SHA-256 of its content; it is stored when this is answered. Jobs "
       "name it as the answer does.",
       {},
       any_bytes,
       "File",
       201,
       {200, 408, 413, 415, 422, 429, 507}},
      {file,
       "showFile",
       "GET",
       "/files/{hash}",
       "Whether a file with that SHA-256 has been uploaded.",
       {},
       "",
       "File",
       200,
       {404}},
      {health,
       "health",
       "GET",
       "/health",
       "Whether the server answers.",
       {},
       "",
       "Health",
       200,
       {},
       true},
      {ready,
       "ready",
       "GET",
       "/ready",
       "Whether jobs are taken.",
       {},
       "",
       "Health",
       200,
       {503},
       true},
      {metrics, "metrics", "GET", "/metrics", "Figures of the server, as OpenMetrics 1.0.0."},
      {openapi, "openapi", "GET", "/openapi.json", "This document."}};
}

std::vector<SchemaDoc> make_schemas() {
  const std::vector<ValueDoc> page{{"next", "integer",
                                    "Where the next page begins, as after; null: this is the last.",
                                    true, true}};
  return {
      {"Order",
       {{"work", "string", "A kind of work, as `rhizome list work` has them; emulated unless said.",
         false},
        {"settings", "object",
         "Its settings: texts, numbers, true or false. {job} and {task} in a text are the numbers "
         "of the task.",
         false},
        {"tasks", "integer", "How many tasks it has; 1 unless said.", false},
        {"seconds", "number",
         "How long a task takes on a peer of speed 1; of real work an estimate. 0.1 unless said.",
         false},
        {"needs", "object",
         "Which tasks wait for which others: {\"2\": [0, 1]} lets task 2 begin once 0 and 1 are "
         "done. "
         "A task that needs one with a wrong result is not run, and counts as wrong.",
         false}}},
      {"Job",
       {{"id", "integer", "Its number, from 1."},
        {"state", "string", "open, done or cancelled."},
        {"work", "string", "What its tasks compute, in the words of a job list."},
        {"tasks", "integer", "How many tasks it has."},
        {"seconds", "number", "How long each was said to take."},
        {"needs", "object", "Which tasks wait for which others."},
        {"done", "integer", "Tasks that are done."},
        {"wrong", "integer", "Of them, with a result that is not right."},
        {"submitted", "integer", "When it was stored, in milliseconds since 1970."},
        {"finished", "integer", "When it was done or cancelled; null: not yet.", true, true}}},
      {"Task",
       {{"task", "integer", "Its number within the job, from 0."},
        {"state", "string", "open or done."},
        {"peer", "integer", "Who executed it; null: nobody yet.", true, true},
        {"result", "string", "What it came to, in words; null: nothing, or not yet.", true, true},
        {"right", "boolean", "Whether that is right; null: not yet.", true, true},
        {"finished", "integer", "When, in milliseconds since 1970; null: not yet.", true, true}}},
      {"File",
       {{"file", "string", "Its name in the settings of a job."},
        {"bytes", "integer", "Its size."}}},
      {"JobPage", page, "jobs", "Job"},
      {"TaskPage", page, "tasks", "Task"},
      {"Health", {{"status", "string", "ok, starting or draining."}}},
      {"Problem",
       {{"type", "string", "about:blank: the title says what it is (RFC 9457)."},
        {"title", "string", "What the status is called."},
        {"status", "integer", "That of the answer."},
        {"detail", "string", "What is wrong, in a sentence."}}}};
}

}  // namespace

std::span<const SchemaDoc> schemas() {
  static const std::vector<SchemaDoc> all = make_schemas();
  return all;
}

std::span<const Route> routes() {
  static const std::vector<Route> all = make_routes();
  return all;
}

Match match(std::string_view path) {
  Match found;
  for (const Route& route : routes()) {
    const bool of_file = route.path.find(hash_place) != std::string_view::npos;
    const auto word = word_in(route.path, path, of_file ? hash_place : number_place);
    if (!word) continue;
    const auto number =
        word->empty() || of_file ? std::optional<std::uint64_t>(0) : job_number(*word);
    if (!number || (of_file && !is_content_hash(*word))) continue;
    found.routes.push_back(&route);
    found.id = *number;
    found.hash = of_file ? *word : "";
  }
  return found;
}

std::string_view title_of(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 20> titles{
      {{200, "OK"},
       {201, "Created"},
       {202, "Accepted"},
       {304, "Not Modified"},
       {400, "Bad Request"},
       {401, "Unauthorized"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {408, "Request Timeout"},
       {409, "Conflict"},
       {413, "Content Too Large"},
       {414, "URI Too Long"},
       {415, "Unsupported Media Type"},
       {417, "Expectation Failed"},
       {422, "Unprocessable Content"},
       {429, "Too Many Requests"},
       {500, "Internal Server Error"},
       {503, "Service Unavailable"},
       {507, "Insufficient Storage"}}};
  const auto found = std::find_if(titles.begin(), titles.end(),
                                  [status](const auto& title) { return title.first == status; });
  return found == titles.end() ? "Error" : found->second;
}

}  // namespace rhizome::tools
