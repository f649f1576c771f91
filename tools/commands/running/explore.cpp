#include <algorithm>
#include <thread>

#include <fmt/core.h>

#include "tools/cli/interrupt.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/explore/expedition.hpp"

namespace rhizome::tools {

namespace {

std::uint32_t count_in(const Arguments& arguments, const std::string& name) {
  constexpr std::uint64_t most = 1'000'000;
  return static_cast<std::uint32_t>(std::min(arguments.number(name, 0).value_or(0), most));
}

core::Duration moment_in(const Arguments& arguments) {
  const auto text = arguments.text("moment");
  if (!text) return core::ExplorerOptions{}.moment;
  const auto moment = scenarios::parse_duration(*text);
  if (!moment || *moment < core::Duration::zero())
    throw UsageError("--moment is a duration, such as 1ms; \"" + *text + "\" is none");
  return *moment;
}

ExpeditionOptions options_in(const Arguments& arguments) {
  ExpeditionOptions options;
  options.explorer = {.moment = moment_in(arguments),
                      .early = count_in(arguments, "early"),
                      .crashes = count_in(arguments, "crashes"),
                      .restarts = count_in(arguments, "restarts"),
                      .losses = count_in(arguments, "losses"),
                      .duplicates = count_in(arguments, "duplicates"),
                      .times = arguments.has("times"),
                      .chance = !arguments.has("ignore-chance")};
  if (options.explorer.restarts > 0 && options.explorer.crashes == 0)
    throw UsageError("--restarts has no effect without --crashes");
  options.depth = arguments.number("depth", 1).value_or(options.depth);
  options.states = arguments.number("states", 1).value_or(options.states);
  options.time = duration_in(arguments, "budget").value_or(options.time);
  options.walks = arguments.number("walks", 1).value_or(0);
  options.seed = arguments.number("walk-seed", 0).value_or(options.seed);
  if (arguments.has("walk-seed") && options.walks == 0)
    throw UsageError("--walk-seed has no effect without --walks");
  return options;
}

Exit replay(const Arguments& arguments, const std::string& file) {
  if (!arguments.positional().empty())
    throw UsageError("--replay takes no SCENARIO: the file says it");
  const core::Broken broken =
      scenarios::replay_history(file, [](const std::string& line) { print_text(line + "\n"); });
  print_line(broken ? broken.rule + " is broken: " + broken.told
                    : "nothing is broken at the end of this history");
  return broken ? Exit::fails : Exit::holds;
}

// The first broken one is kept.
void keep(const std::vector<Expedition>& all, const std::vector<scenarios::Cell>& cells,
          const Arguments& arguments) {
  const auto broken =
      std::ranges::find_if(all, [](const Expedition& one) { return !one.rule.empty(); });
  if (broken == all.end()) return;
  const std::string file = arguments.text("to").value_or("history.txt");
  write_result(file, broken->file, name_by(arguments, "to"), rights_beside(cells, file));
  if (is_output(file)) return;
  print_line("run again: rhizome explore --replay " + shell_word(file));
}

std::size_t threads_in(const Arguments& arguments) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min<std::size_t>(arguments.number("threads", 1).value_or(cores), 256);
}

}  // namespace

Exit explore_command(const Arguments& arguments) {
  if (const auto file = arguments.text("replay")) return replay(arguments, *file);
  if (arguments.positional().empty())
    throw UsageError("explore needs a SCENARIO, or --replay FILE");
  const auto cells = read_cells(arguments.positional().front(), arguments);
  const std::atomic<bool>& stop = interrupt_flag();
  const std::vector<Expedition> all =
      explore_all(cells, options_in(arguments), threads_in(arguments), stop);
  for (const Expedition& one : all) print_text(text_of(one));
  keep(all, cells, arguments);
  const auto any = [&all](auto which) { return std::ranges::any_of(all, which); };
  if (any([](const Expedition& one) { return !one.rule.empty(); })) return Exit::fails;
  if (stop.load()) return Exit::interrupted;
  return any([](const Expedition& one) { return !one.exhausted; }) ? Exit::inconclusive
                                                                   : Exit::holds;
}

namespace {

std::vector<Option> explore_options() {
  return {
      {.name = "crashes", .value = "N", .help = "how many peers may crash, each at any time (0)"},
      {.name = "restarts", .value = "N", .help = "how many of the crashed peers may restart (0)"},
      {.name = "losses", .value = "N", .help = "how many packets may be lost (0)"},
      {.name = "duplicates", .value = "N", .help = "how many packets may arrive twice (0)"},
      {.name = "early",
       .value = "N",
       .help = "how many timers longer than --moment may fire early, while packets are on their "
               "way (0)"},
      {.name = "moment",
       .value = "TIME",
       .help = "timers up to this length can fire before or after any packet (1ms)"},
      {.name = "depth",
       .value = "N",
       .help = "the most events of one order; longer ones are cut (1000)"},
      {.name = "states", .value = "N", .help = "the most states that are searched (5000000)"},
      {.name = "budget", .value = "TIME", .help = "the longest time of a search (10min)"},
      {.name = "walks",
       .value = "N",
       .help = "if a search was not complete, how many random orders to try as well (0)"},
      {.name = "walk-seed", .value = "N", .help = "the seed of those random orders (1)"},
      {.name = "times", .help = "search states separately that differ only in the time"},
      {.name = "ignore-chance",
       .help = "search states once that differ only in future random numbers"},
      schedulers_option(),
      set_option(),
      seed_option(),
      {.name = "threads", .value = "N", .help = "parallel searches (one per core)"},
      {.name = "to",
       .value = "FILE",
       .help = "where an order that breaks an invariant is written (history.txt)"},
      {.name = "replay",
       .value = "FILE",
       .help = "run the order in that file again, and print its events"}};
}

}  // namespace

Command explore_entry() {
  return {.name = "explore",
          .summary = "try every order of events of a small scenario",
          .positional = "[SCENARIO]",
          .about =
              "Runs the same peers through every order in which packets, timers, ends of work\n"
              "and inputs can come, with every crash, restart, loss and duplicate that\n"
              "--crashes, --restarts, --losses and --duplicates allow. Orders that differ only\n"
              "in events at different peers are tried once, and a state that was searched is\n"
              "not searched again. Timers longer than --moment fire only when nothing shorter\n"
              "is left. Each order must keep the invariants of every run. An order that breaks\n"
              "one is shortened, printed, and kept in a file. Use 2 to 4 peers: the number of\n"
              "orders grows fast.\n"
              "\n"
              "The exit status is 0 if all orders were tried and none failed, 1 if one failed,\n"
              "and 2 if a budget ended the search.",
          .examples = {"rhizome explore small.toml",
                       "rhizome explore small.toml --crashes 1 --losses 1 --budget 5min",
                       "rhizome explore small.toml --states 100000 --walks 10000",
                       "rhizome explore --replay history.txt"},
          .options = explore_options(),
          .run = explore_command,
          .alone = true};
}

}  // namespace rhizome::tools
