// The table of commands: help, parsing and completion are made from it.
#include "tools/cli/options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

Command init_entry() {
  return {.name = "init",
          .summary = "write a first scenario, and a scheduler of one's own if asked to",
          .positional = "[FILE]",
          .about =
              "A comparison of two schedulers that runs in seconds, explained key by key. FILE is\n"
              "scenario.toml if none is given, and - is standard output. With --program, a\n"
              "scheduler in that language stands beside them: its source, first.py or first.js,\n"
              "and the library that it needs. No file is ever overwritten.",
          .examples = {"rhizome init", "rhizome init first.toml && rhizome run first.toml",
                       "rhizome init --program python && rhizome run scenario.toml"},
          .options = {{.name = "program",
                       .value = "LANGUAGE",
                       .help = "a scheduler of one's own, in python or javascript",
                       .choices = {"python", "javascript"}}},
          .run = init_command};
}

Command run_entry() {
  return {
      .name = "run",
      .summary = "run a scenario: every scheduler, every cell, every repetition",
      .positional = "SCENARIO",
      .about =
          "Prints the means of the headline metrics with their intervals, side by side. Each\n"
          "outcome is stored when its run ends, so an interrupted experiment keeps its\n"
          "finished runs. With --retry N an invalid run on threads is repeated; the result\n"
          "states how many runs were repeated.\n"
          "\n"
          "A list or a range in place of a value sweeps: 3..20, 50..500 step 50, 1..1000 log\n"
          "7, 10ms..1s log 3. First comes a table of one metric (--by, or the makespan) for\n"
          "each swept value. If the user can choose the swept key and the metric has a good\n"
          "direction, the table marks the best setting of each scheduler and those that are\n"
          "not distinguishable from it. Then come the tables of the cells, if there are at\n"
          "most three, or with --all. A scheduler that does not depend on a swept key runs\n"
          "once.",
      .examples = {"rhizome run scenarios/og-vs-atc.toml",
                   "rhizome run scenarios/og-vs-atc.toml --engine virtual -n 20",
                   "rhizome run scenarios/og-vs-atc.toml --retry 2",
                   "rhizome run scenarios/og-vs-atc.toml -s 'workload.jobs=[200, 800]'",
                   "rhizome run scenarios/og-vs-atc.toml --engine virtual "
                   "-s scheduler.organic-grid.max_children=3..8 --by job_messages",
                   "rhizome run scenarios/churn.toml -s scheduler.organic-grid.max_children=10",
                   "rhizome run scenarios/og-vs-atc.toml -n 1 --record && rhizome replay latest"},
      .options = run_options(),
      .run = run_command};
}

Command merge_entry() {
  return {.name = "merge",
          .summary = "put together the shares of an experiment that several machines ran",
          .positional = "RUN...",
          .about =
              "Each RUN is what run or compare --share has left behind: its run directory, or the\n"
              "directory that --runs-dir named. Makes a run directory of them all, as of one\n"
              "machine that ran the whole: in virtual time its results.sqlite is the same to the\n"
              "byte. Then prints and judges as run does. Shares of different scenarios, missing,\n"
              "doubled and interrupted ones are refused. The shares stay as they are.",
          .examples = {"rhizome run grid.toml --share 0/2 --runs-dir part-0  # on one machine",
                       "rhizome run grid.toml --share 1/2 --runs-dir part-1  # on another",
                       "rhizome merge part-0 part-1 --to grid"},
          .options = {{.name = "to",
                       .value = "DIR",
                       .help = "where the run directory of the whole goes (runs)"},
                      output_option({"json", "markdown"}),
                      all_option(),
                      metrics_option(),
                      by_option()},
          .run = merge_command,
          .alone = true};
}

std::vector<Option> compare_options() {
  return joined({running_options(),
                 {{.name = "no-worse",
                   .value = "METRIC=PERCENT",
                   .help = "of several stored runs: none may be worse than the first by more "
                           "(repeatable)",
                   .repeatable = true}}});
}

Command compare_entry() {
  return {
      .name = "compare",
      .summary = "compare schedulers, scenarios or stored runs",
      .positional = "SCENARIO|RUN...",
      .about =
          "A scenario file is run first. A run is the directory of a stored one, or the\n"
          "word latest; it is not run again. Differences are paired over common seeds;\n"
          "where their interval contains zero, they are not distinguishable. With --no-worse\n"
          "the status is 1 where a later run is worse than the first, and 2 where that is open.",
      .examples = {"rhizome compare scenarios/og-vs-atc.toml", "rhizome compare latest --all",
                   "rhizome compare latest --metrics mean_queueing,p99_response",
                   "rhizome compare runs/before runs/after -o markdown",
                   "rhizome compare runs/before runs/after --no-worse makespan=2%"},
      .options = compare_options(),
      .run = compare_command};
}

std::vector<Option> tournament_options() {
  return joined(
      {{{.name = "metric",
         .letter = 'm',
         .value = "METRIC",
         .help = "by which they are ranked (mean_response)"},
        {.name = "schedulers",
         .value = "FILE",
         .help = "the [[scheduler]]s of FILE compete instead of each scenario's own"},
        {.name = "width",
         .letter = 'w',
         .value = "PERCENT",
         .help = "how narrow the intervals are to be, on each side (5%)"},
        repetitions_option("runs of each scheduler at first: short for --set run.repetitions=N"),
        {.name = "most", .value = "N", .help = "and at most (100)"},
        {.name = "budget",
         .value = "TIME",
         .help = "add no more repetitions after this time, such as 10min"},
        {.name = "keep",
         .value = "FILE",
         .help = "keep the figures there, and begin with those that are there"},
        set_option("override a key; a list sweeps (repeatable)"),
        engine_option(),
        seed_option(),
        output_option({"json", "markdown"}),
        jobs_option(),
        quiet_option()},
       keeping_options()});
}

Command tournament_entry() {
  return {
      .name = "tournament",
      .summary = "rank schedulers over several scenarios",
      .positional = "SCENARIO...",
      .about =
          "Runs every scheduler in every scenario with common seeds, and ranks them by one\n"
          "metric: every pair is tested, all tests are corrected together, and who cannot be\n"
          "told apart shares a letter. Repetitions are added, and the earlier ones kept, until\n"
          "the interval of every ratio to the first is narrow enough. Ends with 0 then, with 1\n"
          "when an invariant was broken or a run invalid, with 2 when a scheduler lost tasks or\n"
          "--most or --budget came first. Each scenario has a run directory, as after\n"
          "rhizome run, which compare, report and export read.",
      .examples = {"rhizome tournament scenarios/og-vs-atc.toml --engine virtual",
                   "rhizome tournament scenarios/tournament.toml scenarios/random-tasks.toml "
                   "scenarios/google-sample.toml --schedulers scenarios/tournament.toml",
                   "rhizome tournament scenarios/tournament.toml -m job_messages_top2 -w 2% "
                   "--budget 10min --keep figures.jsonl",
                   "rhizome compare latest"},
      .options = tournament_options(),
      .run = tournament_command,
      .alone = true};
}

std::vector<Option> agree_options() {
  return joined(
      {{set_option("override a key; a list sweeps (repeatable)"),
        repetitions_option("runs of each scheduler on each engine (10)"),
        seed_option(),
        {.name = "margin",
         .letter = 'm',
         .value = "METRIC=PERCENT",
         .help = "how far the engines may differ (repeatable)",
         .repeatable = true},
        output_option({"json"}),
        {.name = "beside",
         .value = "WHAT",
         .help = "compare threads with virtual time (the default), or those of several processes "
                 "with those of this one alone",
         .choices = {"virtual", "process"}},
        {.name = "calibrate",
         .help = "measure what events cost here, and charge virtual time with it"},
        retry_option(),
        quiet_option()},
       together_options()});
}

Command agree_entry() {
  return {.name = "agree",
          .summary = "test whether threads and virtual time agree on a scenario",
          .positional = "SCENARIO",
          .about =
              "Runs the scenario on both engines with the same seeds and tests equivalence metric\n"
              "by metric: two one-sided tests at 5 %, within a margin. Where they differ it says\n"
              "from which tenth of the tasks on; of the most loaded peers it knows that with\n"
              "--set engine.log_messages=true. Ends with 0 when all are equivalent, 1 when one is\n"
              "different, 2 when intervals are too wide or runs invalid.",
          .examples = {"rhizome agree scenarios/og-vs-atc.toml",
                       "rhizome agree scenarios/og-vs-atc.toml -n 5 --margin makespan=5"},
          .options = agree_options(),
          .run = agree_command};
}

Command reproduce_entry() {
  return {
      .name = "reproduce",
      .summary = "run published comparisons again and judge their findings",
      .positional = "[RESULT...]",
      .about =
          "Runs the study of each published result in virtual time, for the schedulers that its\n"
          "claims and figures name, and says of every claim\n"
          "whether it holds, does not hold or cannot be told, counting messages and counting\n"
          "the portions that they move. The first part of a name, as in vector, means all that\n"
          "begin with it; \"figure 5.1\" means what its source calls so. Runs are kept: what was\n"
          "interrupted, or is asked for again, takes what this program has done already. Ends\n"
          "with 0 when all hold, 1 when one does not.",
      .examples = {"rhizome reproduce --list", "rhizome reproduce organic-grid/fig5-1 --details",
                   "rhizome reproduce vector",
                   "rhizome reproduce --all --page scenarios/reproductions"},
      .options = {{.name = "list",
                   .help = "the published results, where they are from, and how long they take"},
                  {.name = "all", .letter = 'a', .help = "every one of them"},
                  repetitions_option("runs of each scheduler in each cell (20)"),
                  {.name = "seed", .value = "N", .help = "from which all chance derives (1)"},
                  {.name = "data",
                   .value = "DIR",
                   .help = "where the traces are that some results need (this folder)"},
                  {.name = "details", .letter = 'd', .help = "every claim cell by cell"},
                  {.name = "page",
                   .value = "DIR",
                   .help =
                       "write an index, DIR/README.md, and a page with figures for each result"},
                  {.name = "runs-dir",
                   .value = "DIR",
                   .help = "where runs are kept and taken from (runs/reproductions)"},
                  {.name = "no-store", .help = "keep no runs, and take none"},
                  output_option({"json"}),
                  quiet_option()},
      .run = reproduce_command,
      .alone = true};
}

Command validate_entry() {
  return {.name = "validate",
          .summary = "check scenario files and print what they mean",
          .positional = "SCENARIO...",
          .about =
              "Prints the effective scenario, defaults included, and how many runs it spans.\n"
              "The files that it names are read too.",
          .examples = {"rhizome validate scenarios/*.toml",
                       "rhizome validate scenarios/og-vs-atc.toml -s peers.count=600"},
          .options = joined(
              {scenario_options(),
               {{.name = "workflow",
                 .value = "FILE",
                 .help = "write the first job whose tasks need each other as WfFormat 1.5"}}}),
          .run = validate_command};
}

Command list_entry() {
  return {
      .name = "list",
      .summary = "what there is: schedulers, graphs, workloads, metrics, keys ...",
      .positional = "[WHAT [NAME]]",
      .about =
          "WHAT is schedulers, disciplines, graphs, workloads, work, latencies, lifetimes,\n"
          "provision, metrics, invariants, facts, sections or keys; without it, all but the keys.\n"
          "NAME chooses one metric, one section of keys, or the keys of that name. JSON is an\n"
          "object with an array for each list. Markdown is a table for each list.",
      .examples = {"rhizome list", "rhizome list keys workload",
                   "rhizome list keys scheduler.organic-grid", "rhizome list metrics makespan",
                   "rhizome list schedulers -o json"},
      .options = {output_option({"json", "markdown"})},
      .run = list_command};
}

Command schema_entry() {
  return {.name = "schema",
          .summary = "the JSON Schema of scenario files, for editors",
          .about = "Made from the same table as the parser and the documentation of keys.",
          .examples = {"rhizome schema > rhizome.schema.json"},
          .run = schema_command};
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list{
        init_entry(),    run_entry(),        monitor_entry(),  merge_entry(),
        compare_entry(), tournament_entry(), agree_entry(),    reproduce_entry(),
        replay_entry(),  explore_entry(),    validate_entry(), list_entry(),
        schema_entry(),  doctor_entry(),     serve_entry(),    worker_entry()};
    const std::vector<Command> clients = client_entries();
    list.insert(list.end(), clients.begin(), clients.end());
    const std::vector<Command> readers = reading_commands();
    list.insert(list.end(), readers.begin(), readers.end());
    const std::vector<Command> shells = shell_commands();
    list.insert(list.end(), shells.begin(), shells.end());
    return list;
  }();
  return all;
}

std::span<const CommandGroup> command_groups() {
  static const std::vector<CommandGroup> all{
      {"Start", {"init", "validate", "list", "schema", "doctor"}},
      {"Run", {"run", "compare", "tournament", "agree", "explore", "replay", "reproduce"}},
      {"Serve", {"serve", "submit", "status", "results", "cancel", "worker"}},
      {"Watch", {"monitor"}},
      {"Look into stored runs", {"runs", "bill", "fate", "tree", "timeline"}},
      {"Publish", {"report", "export"}},
      {"Machines", {"merge"}},
      {"Shell", {"completion", "man"}}};
  return all;
}

}  // namespace rhizome::tools
