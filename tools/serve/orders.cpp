#include "tools/serve/orders.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "core/child/own_folder.hpp"
#include "core/peer/time.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/shortest.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

using scenarios::Json;
using scenarios::JsonError;

namespace {

constexpr std::size_t longest_key = 200;
constexpr double shortest_task = 1e-6;  // seconds

// The words of an order as a line of a job list, so that errors name a column of it.
class OrderLine final : public scenarios::LineSource {
 public:
  OrderLine() : LineSource("work") { advance(); }
};

[[noreturn]] void refuse(int status, const std::string& why) { throw BadOrder(status, why); }

// The value of a setting as JSON, which has blanks only within quotes. Texts must be plain, so that
// they stay unchanged wherever they are stored and shown.
std::string word_of(const std::string& name, const Json& value) {
  try {
    if (value.is_number()) return scenarios::line_of(value);
    if (value == Json(true) || value == Json(false)) return value.get<bool>() ? "true" : "false";
    const auto text = value.get<std::string>();
    if (scenarios::plain_text(text) != text)
      refuse(422, "the setting \"" + name + "\" has characters that are not shown as they are");
    return scenarios::line_of(value);
  } catch (const JsonError&) {
    refuse(400, "the setting \"" + name + "\" must be a text, a number, true or false");
  }
}

// Checks the nesting before the body is parsed recursively.
bool is_deep(const std::string& body) {
  constexpr int most = 8;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char letter = body[i];
    if (quoted && letter == '\\')
      ++i;
    else if (letter == '"')
      quoted = !quoted;
    else if (!quoted && (letter == '[' || letter == '{') && ++depth > most)
      return true;
    else if (!quoted && (letter == ']' || letter == '}'))
      --depth;
  }
  return false;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == text.npos;
}

std::string words_of(const Json& order) {
  const auto kind = order.contains("work") ? order.at("work").get<std::string>() : "emulated";
  if (!is_name(kind)) refuse(422, "\"work\" names no kind of work");
  std::string words = kind;
  if (order.contains("settings"))
    for (const Json::Member& setting : order.at("settings").members()) {
      if (!is_name(setting.name)) refuse(422, "\"settings\" has a name that no setting has");
      words += " " + setting.name + "=" + word_of(setting.name, setting.value);
    }
  return words == "emulated" ? "" : words;
}

std::uint32_t tasks_of(const Json& order, std::uint32_t most) {
  if (!order.contains("tasks")) return 1;
  const auto tasks = order.at("tasks").get<double>();
  if (tasks != std::floor(tasks) || tasks < 1 || tasks > most)
    refuse(422, fmt::format("\"tasks\" must be a whole number from 1 to {}", most));
  return static_cast<std::uint32_t>(tasks);
}

double seconds_of(const Json& order, double most) {
  if (!order.contains("seconds")) return JobOrder{}.seconds;
  const auto seconds = order.at("seconds").get<double>();
  if (!(seconds >= shortest_task && seconds <= most))
    refuse(422, "\"seconds\" must be a number from 1e-06 to " + scenarios::shortest(most));
  return seconds;
}

std::uint32_t task_number(const std::string& text, std::uint32_t tasks) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number >= tasks)
    refuse(422,
           fmt::format("\"needs\" names a task that the job does not have: its tasks are 0 to {}",
                       tasks - 1));
  return number;
}

TaskNeeds needs_of(const Json& order, std::uint32_t tasks) {
  TaskNeeds needs;
  if (!order.contains("needs")) return needs;
  for (const Json::Member& member : order.at("needs").members()) {
    const std::uint32_t task = task_number(member.name, tasks);
    for (const Json& needed : member.value.items())
      needs.emplace_back(task, task_number(scenarios::line_of(needed), tasks));
  }
  std::sort(needs.begin(), needs.end());
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  if (const auto task = task_on_cycle(needs, tasks))
    refuse(422, fmt::format("\"needs\" lets the task {} wait for itself", *task));
  return needs;
}

void check_names(const Json& order) {
  constexpr std::array<std::string_view, 5> names{"work", "settings", "tasks", "seconds", "needs"};
  for (const Json::Member& member : order.members())
    if (std::find(names.begin(), names.end(), member.name) == names.end())
      refuse(422,
             "an order has \"work\", \"settings\", \"tasks\", \"seconds\" and \"needs\", and "
             "nothing of another name");
}

}  // namespace

bool has_numbers(const std::string& work) {
  return work.find("{job}") != std::string::npos || work.find("{task}") != std::string::npos;
}

std::string with_numbers(std::string work, std::uint64_t job, std::uint32_t task) {
  for (const auto& [place, number] : {std::pair<std::string, std::uint64_t>{"{job}", job},
                                      std::pair<std::string, std::uint64_t>{"{task}", task}})
    for (std::size_t at = 0; (at = work.find(place, at)) != std::string::npos;)
      work.replace(at, place.size(), std::to_string(number));
  return work;
}

JobOrder Orders::order_in(const std::string& body, const std::string& key) {
  if (key.size() > longest_key || scenarios::plain_text(key) != key)
    refuse(400, fmt::format("an idempotency key has {} plain characters at most", longest_key));
  if (is_deep(body)) refuse(400, "the body is nested deeper than an order is");
  JobOrder order{.key = key};
  try {
    const std::optional<Json> said = scenarios::parse_json(body);
    if (!said || !said->is_object())
      refuse(400, "the body is no JSON object, or one of its objects has more than 1,000 names");
    check_names(*said);
    order.work = words_of(*said);
    order.tasks = tasks_of(*said, bounds_.most_tasks);
    order.seconds = seconds_of(*said, core::seconds(bounds_.longest_task));
    order.needs = needs_of(*said, order.tasks);
  } catch (const JsonError&) {
    refuse(
        400,
        "\"work\" is a text, \"settings\" is an object, \"tasks\" and \"seconds\" are numbers, and "
        "\"needs\" is an object of lists");
  }
  return order;
}

// The number of the job is not known yet; another number takes its place.
void Orders::check(const JobOrder& order) {
  constexpr std::uint64_t some_job = 1;
  const std::uint32_t different = has_numbers(order.work) ? order.tasks : 1;
  for (std::uint32_t task = 0; task < different; ++task)
    check(with_numbers(order.work, some_job, task));
}

void Orders::check_kept(const JobOrder& order) const {
  if (order.tasks == 0 || order.tasks > bounds_.most_tasks)
    refuse(422, fmt::format("it has {} tasks, and the scenario allows 1 to {} by now", order.tasks,
                            bounds_.most_tasks));
  const double longest = core::seconds(bounds_.longest_task);
  if (!(order.seconds >= shortest_task && order.seconds <= longest))
    refuse(422,
           fmt::format("a task of it takes {:.9g} s, and the scenario allows {} to {:.9g} s by "
                       "now",
                       order.seconds, shortest_task, longest));
  const auto missing = [&](const auto& need) {
    return std::max(need.first, need.second) >= order.tasks;
  };
  if (std::ranges::any_of(order.needs, missing) || task_on_cycle(order.needs, order.tasks))
    refuse(422, "its tasks need tasks that there are not, or each other");
  const bool blank = order.work.find_first_not_of(' ') == std::string::npos;
  if (scenarios::plain_text(order.work) != order.work || (blank && !order.work.empty()))
    refuse(422, "its words are no line of a job list");
}

void Orders::check(const std::string& work) {
  if (work.empty()) return;
  const std::scoped_lock lock(mutex_);
  try {
    static_cast<void>(work_.recipe_in(OrderLine(), work, 1));
  } catch (const scenarios::InputError& error) {
    refuse(422, error.what());
  }
}

// A directory that is there may hold files that no job has written. One that only this user can
// enter is taken for one that a server has made.
void Orders::make_outputs_folder() const {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(bounds_.folder.empty() ? "." : bounds_.folder) /
                          scenarios::JobWork::outputs_folder;
  if (const auto open = core::open_to_others(folder))
    throw scenarios::CannotWrite(core::why_open(*open) +
                                 ": outputs and uploads of jobs stand there, so chmod +t it if it "
                                 "is yours, or name another \"folder\" in [workload]");
  if (bounds_.programs.empty()) return;
  struct stat status {};
  if (mkdir(folder.c_str(), S_IRWXU) == 0 || lstat(folder.c_str(), &status) != 0) return;
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077U) != 0)
    throw scenarios::CannotWrite(folder.string() +
                                 ": outputs of jobs replace files of this name, so it must be a "
                                 "directory that only you may enter: move it away, or chmod 700 it "
                                 "if jobs may replace all that is in it");
}

}  // namespace rhizome::tools
