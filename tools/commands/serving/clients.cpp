// rhizome submit, status, results and cancel: clients of rhizome serve.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "agents/work/kinds.hpp"
#include "core/history/file_content.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/monitor/web/door/client.hpp"
#include "tools/monitor/web/door/token.hpp"
#include "tools/serve/address_file.hpp"
#include "tools/serve/content_hash.hpp"
#include "tools/serve/job_file.hpp"
#include "tools/serve/places.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Json;
using scenarios::UnreadableFile;

ServerAddress server_of(const Arguments& arguments) {
  const std::filesystem::path store = arguments.text("store").value_or(usual_store);
  ServerAddress server;
  const auto url = arguments.text("server");
  const auto token = arguments.text("token-file");
  if (!url || !token) check_place(store);
  server.url = url ? *url : published_address(store);
  server.proves = !url;
  server.token = kept_token(token ? std::filesystem::path(*token) : token_file(store));
  return server;
}

// Prints the answer; for a problem, its explanation.
Exit present(const Answer& answer) {
  if (answer.status >= 200 && answer.status < 300) {
    print_text(answer.body);
    return Exit::holds;
  }
  std::string why = answer.body;
  if (const auto problem = scenarios::parse_json(answer.body);
      problem && problem->is_object() && problem->contains("detail"))
    try {
      why = problem->at("detail").get<std::string>();
    } catch (const scenarios::JsonError&) {  // no text: the body is shown as it is
    }
  complain(fmt::format("the server answers {}: {}", answer.status, why));
  if (answer.status == 429 || answer.status >= 500 || answer.status < 400) return Exit::unavailable;
  return answer.status == 401 || answer.status == 403 ? Exit::no_input : Exit::bad_input;
}

// The server may have ended since the last request, and its port be another user's.
Answer ask_now(const Arguments& arguments, const Request& request) {
  return ask(server_of(arguments), request);
}

// Presents the answer that f() returns.
template <class F>
Exit answered_by_server(F f) {
  try {
    return present(f());
  } catch (const NoAnswer& error) {
    complain(error.what());
    return Exit::unavailable;
  }
}

Exit asked(const Arguments& arguments, const Request& request) {
  return answered_by_server([&] { return ask_now(arguments, request); });
}

// Adds a setting such as "file=a.txt"; the value is a number, true or false if these are written
// so, else a text: a file may be called 1.10, which is no 1.1.
void set(Json& settings, const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0)
    throw UsageError("a setting is NAME=VALUE, not \"" + word + "\"");
  const std::string value = word.substr(at + 1);
  const auto json = scenarios::parse_json(value);
  const bool bare = json && (json->is_number() || *json == Json(true) || *json == Json(false)) &&
                    scenarios::line_of(*json) == value;
  settings[word.substr(0, at)] = bare ? *json : Json(value);
}

// {"2": [0, 1]} of "2:0,1".
Json needs_of(const std::vector<std::string>& words) {
  Json needs = Json::object();
  for (const std::string& word : words) {
    const std::size_t at = word.find(':');
    const auto list = scenarios::parse_json("[" + word.substr(at + 1) + "]");
    if (at == 0 || at == std::string::npos || !list)
      throw UsageError("--needs is TASK:TASK,TASK..., such as 2:0,1, and not \"" + word + "\"");
    needs[word.substr(0, at)] = *list;
  }
  return needs;
}

// A file that is sent: opened once, since its name may be another file's a moment later.
struct FileToSend {
  explicit FileToSend(const std::string& file) : in(scenarios::open_regular(file)) {
    if (!in.is_open()) throw UnreadableFile(file + ": is no plain file that can be read");
    constexpr std::uintmax_t usual = 1U << 30U;  // what a server takes if it is not told otherwise
    std::error_code error;
    const std::uintmax_t length = std::filesystem::file_size(file, error);
    if (!error && length > usual && length > core::content_of(file))
      throw UnreadableFile(file + ": is larger than what it holds explains");
    ContentHash content;
    std::array<char, 65536> piece{};
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
      content.add({piece.data(), static_cast<std::size_t>(in.gcount())});
      size += static_cast<std::uint64_t>(in.gcount());
    }
    in.clear();
    in.seekg(0);
    hash = content.text();
  }
  std::ifstream in;
  std::uint64_t size = 0;
  std::string hash{};
};

bool names_a_file(const std::string& work, const std::string& setting) {
  for (const core::WorkKind& kind : agents::work_kinds())
    for (const core::WorkFile& file : kind.files)
      if (kind.name == work && file.setting == setting) return true;
  return false;
}

// The settings of the order that name files to be uploaded, such as "file=@corpus.txt".
std::map<std::string, std::string> files_to_upload(const std::vector<std::string>& words) {
  std::map<std::string, std::string> files;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t at = words[i].find("=@");
    if (at == std::string::npos || !names_a_file(words.front(), words[i].substr(0, at))) continue;
    files[words[i].substr(0, at)] = words[i].substr(at + 2);
  }
  return files;
}

// Uploads the files unless the server has them already, and puts their names there into the
// settings. Returns the answer to a file that is not taken.
std::optional<Answer> upload(const Arguments& arguments,
                             const std::map<std::string, std::string>& files, Json& settings) {
  for (const auto& [setting, file] : files) {
    FileToSend sent(file);
    const std::string path = "/files/" + sent.hash;
    Answer answer = ask_now(arguments, {.path = path});
    if (answer.status == 404)
      answer = put_file(server_of(arguments), path, {file, sent.size, sent.in});
    if (answer.status >= 400) return answer;
    const auto stored = scenarios::parse_json(answer.body);
    if (!stored || !stored->is_object() || !stored->contains("file"))
      throw NoAnswer("the answer of the server names no file");
    settings[setting] = stored->at("file");
  }
  return {};
}

// A header carries no control characters, and no blanks at its ends.
std::string key_in(const Arguments& arguments) {
  const std::string key = arguments.text("key").value_or("");
  if (scenarios::plain_text(key) != key || key.starts_with(' ') || key.ends_with(' '))
    throw UsageError("--key has control characters, or blanks at its ends");
  return key;
}

Exit submit_command(const Arguments& arguments) {
  const std::string key = key_in(arguments);
  Json order = Json::object();
  Json settings = Json::object();
  const std::vector<std::string>& words = arguments.positional();
  if (!words.empty()) order["work"] = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) set(settings, words[i]);
  if (const auto tasks = arguments.number("tasks", 1)) order["tasks"] = *tasks;
  if (const auto seconds = arguments.text("seconds")) {
    const auto number = scenarios::parse_json(*seconds);
    if (!number || !number->is_number())
      throw UsageError("--seconds takes a number, not \"" + *seconds + "\"");
    order["seconds"] = *number;
  }
  if (arguments.has("needs")) order["needs"] = needs_of(arguments.texts("needs"));
  return answered_by_server([&] {
    if (const auto refused = upload(arguments, files_to_upload(words), settings)) return *refused;
    if (!settings.empty()) order["settings"] = settings;
    return ask_now(arguments, {.method = "POST",
                               .path = "/jobs",
                               .body = scenarios::line_of(order),
                               .idempotency_key = key});
  });
}

std::string path_of(const Arguments& arguments, const std::string& behind) {
  const std::string& id = arguments.positional().front();
  if (id.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("a job is a number, not \"" + id + "\"");
  return "/jobs/" + id + behind;
}

std::string page_words(const Arguments& arguments, const std::string& state) {
  std::string words;
  for (const std::string name : {"after", "limit"})
    if (const auto number = arguments.number(name, 0))
      words += (words.empty() ? "?" : "&") + name + "=" + std::to_string(*number);
  if (!state.empty()) words += (words.empty() ? "?" : "&") + ("state=" + state);
  return words;
}

struct AwaitedJob {
  bool is_open = false;
  bool is_right = false;  // done, and every result is right
};

AwaitedJob state_in(const Answer& answer) {
  try {
    const auto job = scenarios::parse_json(answer.body);
    if (job && job->is_object() && !answer.etag.empty()) {
      const auto state = job->at("state").get<std::string>();
      return {state == "open", state == "done" && job->at("wrong").get<double>() == 0};
    }
  } catch (const scenarios::JsonError&) {  // no job either
  }
  throw NoAnswer("the answer of the server is no job");
}

// Asks again after each change, until the job is done or cancelled. The server answers at the next
// change, or after the wait.
Exit await_job(const Arguments& arguments) try {
  const std::string path = path_of(arguments, "");
  Request request{.path = path};
  for (;;) {
    const Answer answer = ask_now(arguments, request);
    if (answer.status == 429) {  // as many wait as may
      std::this_thread::sleep_for(std::chrono::seconds(1));
    } else if (answer.status >= 400) {
      return present(answer);
    } else if (answer.status != 304) {
      const AwaitedJob state = state_in(answer);
      if (!state.is_open) {
        print_text(answer.body);
        return state.is_right ? Exit::holds : Exit::fails;
      }
      request = {.path = path + "?wait=20s", .if_none_match = answer.etag};
    }
  }
} catch (const NoAnswer& error) {
  complain(error.what());
  return Exit::unavailable;
}

Exit status_command(const Arguments& arguments) {
  const bool of_one = !arguments.positional().empty();
  if (of_one) arguments.refuse({"after", "limit", "state"}, "is for lists of jobs");
  if (arguments.has("wait")) {
    if (!of_one) throw UsageError("--wait needs the number of a job");
    return await_job(arguments);
  }
  return asked(
      arguments,
      {.path = of_one ? path_of(arguments, "")
                      : "/jobs" + page_words(arguments, arguments.text("state").value_or(""))});
}

Exit results_command(const Arguments& arguments) {
  return asked(arguments,
               {.path = path_of(arguments, arguments.has("all") ? "/tasks" : "/results") +
                        page_words(arguments, "")});
}

Exit cancel_command(const Arguments& arguments) {
  return asked(arguments, {.method = "DELETE", .path = path_of(arguments, "")});
}

std::vector<Option> with_server(const std::vector<Option>& options) {
  return joined(
      {options,
       {{.name = "store",
         .value = "FILE",
         .help = "the store of the server; its address and token are read beside it (jobs.sqlite)"},
        {.name = "server",
         .value = "URL",
         .help = "the address of the server, if FILE.address is not here"},
        {.name = "token-file",
         .value = "FILE",
         .help = "the file with the token, if FILE.token is not here"}}});
}

std::vector<Option> paged(const std::vector<Option>& options) {
  return with_server(
      joined({options,
              {{.name = "after", .value = "N", .help = "begin the page after number N"},
               {.name = "limit", .value = "N", .help = "list at most N (100)"}}}));
}

}  // namespace

std::vector<Command> client_entries() {
  return {
      {.name = "submit",
       .summary = "hand in a job to rhizome serve",
       .positional = "[WORK [NAME=VALUE...]]",
       .about = "WORK is a kind of real work (rhizome list work), followed by its settings.\n"
                "Without WORK the tasks only take time. submit prints the job with its number. If\n"
                "a setting names a file, a value that begins with @ uploads that file.",
       .examples = {"rhizome submit --tasks 4 --seconds 0.5",
                    "rhizome submit count file=part-{task}.txt --tasks 8 --key run-17",
                    "rhizome submit count file=@corpus.txt --tasks 8",
                    "rhizome submit --tasks 3 --needs 2:0,1"},
       .options = with_server(
           {{.name = "tasks", .letter = 'n', .value = "N", .help = "the number of tasks (1)"},
            {.name = "seconds",
             .value = "S",
             .help = "the estimated duration of each task in seconds (0.1)"},
            {.name = "needs",
             .value = "TASK:TASK,...",
             .help = "the task before the colon starts when the others are done (repeatable)",
             .repeatable = true},
            {.name = "key",
             .value = "TEXT",
             .help = "a name of your own: a second job with the same key is the same job"}}),
       .run = submit_command,
       .alone = true},
      {.name = "status",
       .summary = "show a job of rhizome serve, or list its jobs",
       .positional = "[JOB]",
       .about = "Prints the job with the number JOB, or a page of all jobs. With --wait it prints\n"
                "the job when it is done or cancelled. The exit status is 1 if the job was\n"
                "cancelled or has a wrong result.",
       .examples = {"rhizome status 17", "rhizome status 17 --wait", "rhizome status --state open"},
       .options = paged({{.name = "wait", .help = "wait until the job is done or cancelled"},
                         {.name = "state",
                          .value = "STATE",
                          .help = "list only jobs that are open, done or cancelled",
                          .choices = {"open", "done", "cancelled"}}}),
       .run = status_command},
      {.name = "results",
       .summary = "print the results of a job of rhizome serve",
       .positional = "JOB",
       .about = "Prints the results of the tasks that are done; with --all it lists all tasks.",
       .examples = {"rhizome results 17", "rhizome results 17 --after 100"},
       .options = paged({{.name = "all", .help = "also list tasks that are not done"}}),
       .run = results_command},
      {.name = "cancel",
       .summary = "cancel an open job of rhizome serve",
       .positional = "JOB",
       .about = "Tasks that its scheduler has been given run to their end, but their results are "
                "dropped.",
       .examples = {"rhizome cancel 17"},
       .options = with_server({}),
       .run = cancel_command,
       .alone = true}};
}

}  // namespace rhizome::tools
