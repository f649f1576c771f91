// rhizome serve: runs a scheduler that does real work for its users.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "core/child/exchangeable_program.hpp"
#include "core/child/links.hpp"
#include "core/engine/limits.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/commands/serving/real_nodes.hpp"
#include "tools/monitor/showing.hpp"
#include "tools/monitor/web/door/token.hpp"
#include "tools/serve/job_file.hpp"
#include "tools/serve/places.hpp"
#include "tools/serve/served_run.hpp"
#include "tools/serve/serving.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Cell;

constexpr std::uint64_t usual_port = 7300;

std::filesystem::path store_in(const Arguments& arguments) {
  return arguments.text("store").value_or(usual_store);
}

// The scenario, with its jobs read from `jobs`: one run on threads without a practical time limit.
// The user's overrides come after these settings and win.
std::vector<Cell> served_cells(const Arguments& arguments, const std::string& jobs) {
  scenarios::Overrides overrides = overrides_of(arguments);
  std::vector<std::string> ours{"engine.kind=threads", "run.repetitions=1", "workload.file=" + jobs,
                                "workload.max_jobs=1000000000", "engine.time_limit=100000h"};
  ours.insert(ours.end(), overrides.command_line.begin(), overrides.command_line.end());
  overrides.command_line = std::move(ours);
  std::vector<Cell> cells = scenarios::load_scenario(arguments.positional().front(), overrides);
  if (cells.size() > 1) throw UsageError("a server runs one scenario: nothing in it may be swept");
  auto& bounds = cells.front().scenario.workload.own.change<scenarios::JobBounds>();
  bounds.judged = true;
  bounds.store = core::led_to(std::filesystem::absolute(store_in(arguments))).string();
  return cells;
}

std::uint64_t number_of(const Arguments& arguments, const std::string& name, std::uint64_t least,
                        std::uint64_t most, std::uint64_t otherwise) {
  const std::uint64_t said = arguments.number(name, least).value_or(otherwise);
  if (said > most) throw UsageError(fmt::format("--{} can be {} at most", name, most));
  return said;
}

// A name may lead a client elsewhere than the server, and no word would mean every address.
bool is_address(const std::string& word) {
  in6_addr any{};
  return inet_pton(AF_INET, word.c_str(), &any) == 1 ||
         inet_pton(AF_INET6, word.c_str(), &any) == 1;
}

// Others may connect and say nothing, and with a token as many again. They must not take the files
// that the peers need.
std::size_t places_beside(const scenarios::PeersSection& peers) {
  const std::uint64_t works =
      std::uint64_t{peers.count} * std::max({peers.slots, peers.slots_max, 1U});
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(works, 1U << 30U));
  return std::clamp<std::uint64_t>(core::spare_descriptors({.peers = most}) / 2, 16, 512);
}

Serving::Options options_in(const Arguments& arguments, const scenarios::PeersSection& peers) {
  check_keeping(arguments);
  Serving::Options options;
  const std::filesystem::path store = store_in(arguments);
  constexpr std::uint64_t mebibyte = 1U << 20U;
  options.store = {store, mebibyte * number_of(arguments, "most-mib", 1, 1U << 24U, 0)};
  options.limits.per_second = static_cast<double>(number_of(arguments, "rate", 0, 1'000'000, 1000));
  options.limits.most_open = number_of(arguments, "most-open", 1, 1'000'000'000, 10'000);
  // The threads of the server that pages take elsewhere: here they are free.
  options.limits.most_waiting = WebServer::most_pages;
  options.web.port = static_cast<std::uint16_t>(number_of(arguments, "port", 0, 65535, usual_port));
  options.web.address = arguments.text("address").value_or(options.web.address);
  if (!is_address(options.web.address))
    throw UsageError("--address takes a number such as 127.0.0.1 or ::1, and not \"" +
                     options.web.address + "\": a name may have several");
  options.web.what = WebServer::Options::What::all;
  options.web.longest_body = 64U << 10;
  options.web.longest_upload = mebibyte * number_of(arguments, "uploads-mib", 0, 1U << 24U, 1024);
  options.web.places = places_beside(peers);
  if (const auto drain = arguments.text("drain")) {
    const auto time = scenarios::parse_duration(*drain);
    if (!time || *time < core::Duration::zero())
      throw UsageError("--drain takes a duration such as 30s, not \"" + *drain + "\"");
    options.drain = *time;
  }
  options.web.tokens =
      with_page(tokens_in(token_file(store).string() + ".read", token_file(store)));
  return options;
}

void tell_where(const Serving::Options& options, const std::string& url) {
  const std::filesystem::path& store = options.store.file;
  print_line(url);
  tell(fmt::format("jobs in a browser: {}/#{}", url, options.web.tokens.read.front()));
  tell("the token is in " + token_file(store).string() + "; that which only reads in " +
       token_file(store).string() + ".read");
}

std::unique_ptr<Showing> showing_of(const std::vector<Cell>& cells, const RunWriter& run_writer,
                                    const Arguments& arguments) {
  if (arguments.has("no-monitor")) return {};
  try {
    return std::make_unique<Showing>(Showing::Options{.scenario = cells.front().scenario.name,
                                                      .runs = 1,
                                                      .directory = run_writer.place(),
                                                      .control = arguments.has("control")});
  } catch (const std::runtime_error& error) {
    warn(std::string("no monitor can attach: ") + error.what());
    return {};
  }
}

// Returns true if the run ended by itself and sound: without failure and without violation.
bool run(const std::vector<Cell>& cells, Serving& serving, Fleet* fleet, RunWriter& run_writer,
         const Arguments& arguments) {
  bool sound = false;
  const std::unique_ptr<Showing> showing = showing_of(cells, run_writer, arguments);
  Commentary commentary({.screen = Screen::standard_error(true),
                         .remark = [&](const std::string& text) { run_writer.remark(text); },
                         .also =
                             [&](scenarios::RunHooks& hooks) {
                               if (showing) showing->add_to(hooks);
                               serving.add_to(hooks);
                               if (fleet != nullptr) fleet->add_to(hooks);
                             },
                         .stop = &serving.stop()});
  const bool whole = commentary.run(cells, [&](scenarios::Outcome&& outcome) {
    sound = outcome.failure.empty() && outcome.violations.empty();
    run_writer.add(outcome);
    if (showing) showing->conclude(outcome);
  });
  run_writer.conclude(whole ? (sound ? "served" : "failed") : "interrupted");
  return whole && sound;
}

std::string count_text(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string text_of(const Serving::Left& open) {
  return count_text(open.jobs, "job") + " with " + count_text(open.tasks, "task");
}

// Its peers may be programs, which run on behalf of all who hand in jobs. An interpreter looks for
// modules in the folder in which it runs, and in those that its words name.
void check_schedulers(const scenarios::Scenario& scenario) {
  for (const std::filesystem::path& named : scenarios::files_of_schedulers(scenario)) {
    std::error_code ignored;
    const bool is_folder = named.has_parent_path() && std::filesystem::is_directory(named, ignored);
    if (core::is_exchangeable_program((is_folder ? named / "any" : named).string()))
      throw scenarios::UnreadableFile(
          named.string() +
          " is used by a program of a scheduler, and other users may write there, or have made it");
  }
}

// A server that is started again by the same command must not take the place of what was recorded.
void check_record(const Arguments& arguments) {
  const std::string file = arguments.text("record").value_or("");
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored) &&
      std::filesystem::file_size(file, ignored) > 0)
    throw UsageError("--record: " + file +
                     " is there already, and may be what an earlier server recorded: name another "
                     "file");
}

Exit serve_command(const Arguments& arguments) {
  umask(S_IRWXG | S_IRWXO);  // what jobs say is for the user alone, from the beginning
  check_record(arguments);
  check_place(store_in(arguments));
  JobFeed feed;
  const std::vector<Cell> cells = served_cells(arguments, feed.file());
  check_before_running(cells, 1);
  check_schedulers(cells.front().scenario);
  const Serving::Options options = options_in(arguments, cells.front().scenario.peers);
  Serving serving(options, cells.front().scenario.workload, feed);
  if (const auto file = arguments.text("record")) {
    serving.record(*file);
    keep_to_the_user(*file);
  }
  std::unique_ptr<Fleet> fleet;
  try {
    fleet = fleet_of(cells.front().scenario, nodes_file(options.store.file), arguments);
  } catch (const NoSlurm& error) {
    complain(error.what());
    return Exit::unavailable;
  }
  RunWriter run_writer(cells, arguments, "rhizome run scenario.toml");
  run_writer.open();
  // Records the jobs in the run directory, so that a replay of the directory runs the jobs that
  // were served.
  if (const std::filesystem::path place = run_writer.place(); !place.empty()) {
    serving.record((place / scenarios::recorded_jobs).string());
    note_served_run(place, {.scheduler = cells.front().scenario.schedulers.front().label,
                            .store = std::filesystem::canonical(options.store.file)});
  }
  const Serving::Left taken_up = serving.left();  // before others come
  try {
    serving.open(interrupt_flag());
  } catch (const NoServer& error) {
    complain(error.what());
    return Exit::unavailable;
  }
  tell_where(options, serving.url());
  if (taken_up.jobs > 0) tell("continues with " + text_of(taken_up) + " of an earlier server");
  const bool sound = run(cells, serving, fleet.get(), run_writer, arguments);
  fleet.reset();
  serving.close();
  const Serving::Left left = serving.left();
  if (left.jobs > 0)
    tell(text_of(left) + (left.jobs == 1 ? " is" : " are") +
         " left, which the next start takes up");
  if (!interrupt_flag()) return Exit::fails;
  if (left.jobs > 0) return Exit::inconclusive;
  return (sound || !feed.used()) && !serving.refused() ? Exit::holds : Exit::fails;
}

std::vector<Option> serving_options() {
  return joined(
      {{set_option("override a key (repeatable)"),
        {.name = "scheduler",
         .value = "SCHEDULER",
         .help = "use this scheduler of the scenario: its label or use; =LABEL is a label only",
         .repeatable = true},
        seed_option(),
        {.name = "store", .value = "FILE", .help = "store jobs in FILE (jobs.sqlite)"},
        {.name = "port",
         .value = "N",
         .help = "listen on this port (7300); 0: the system chooses one"},
        {.name = "address",
         .value = "IP",
         .help = "listen on this address of the machine (127.0.0.1: not reachable from others)"},
        {.name = "drain",
         .value = "TIME",
         .help = "at the end, wait this long for open jobs (30s)"},
        {.name = "rate",
         .value = "N",
         .help = "accept at most N jobs per second (1000); 0: no limit"},
        {.name = "most-open",
         .value = "N",
         .help = "accept a job only while fewer than N are open (10000)"},
        {.name = "most-mib",
         .value = "N",
         .help = "the largest size of the store in MiB (the space on the disk)"},
        {.name = "uploads-mib",
         .value = "N",
         .help = "the largest size of all uploaded files in MiB (1024); 0: refuse uploads"},
        {.name = "record",
         .value = "LIST",
         .help = "write the jobs with their times as a job list, a new file"},
        {.name = "control", .help = "let monitors steer: crash and cut off peers"},
        {.name = "no-monitor", .help = "hide the run from monitors"}},
       real_node_options(),
       keeping_options()});
}

}  // namespace

Command serve_entry() {
  return {.name = "serve",
          .summary = "let a scheduler do real work that arrives over HTTP",
          .positional = "SCENARIO",
          .about =
              "Keeps the peers of SCENARIO running on threads until it is interrupted. The\n"
              "scenario has workload.kind = \"job-list\"; its file is not read. Jobs are posted\n"
              "to /jobs, with the token that FILE.token holds. serve stores a job on disk\n"
              "before it answers. If it is killed and started again, it continues with every\n"
              "open job. When it is interrupted, it takes no more jobs and waits for the open\n"
              "ones (--drain); the exit status is 2 if some are left. With --slurm or --hosts,\n"
              "the policy of [provision] starts and stops a worker on each machine by need,\n"
              "and the workers do the tasks. /openapi.json describes all requests.",
          .examples = {"rhizome serve serve.toml",
                       "rhizome serve serve.toml --scheduler sparrow --record served.txt",
                       "rhizome serve provisioned.toml --slurm",
                       "printf 'Authorization: Bearer %s\\n' \"$(cat jobs.sqlite.token)\" | "
                       "curl --noproxy '*' -H @- -H 'Content-Type: application/json' "
                       "-d '{\"tasks\": 4, \"seconds\": 0.5}' http://127.0.0.1:7300/jobs"},
          .options = serving_options(),
          .run = serve_command,
          .alone = true};
}

}  // namespace rhizome::tools
