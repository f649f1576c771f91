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
          .summary = "write a first scenario, and on request a scheduler of your own",
          .positional = "[FILE]",
          .about =
              "Writes a comparison of two schedulers that runs in seconds. A comment explains\n"
              "each key. FILE is the name of the file (scenario.toml); - is standard output.\n"
              "With --program, init also writes a scheduler of your own in that language\n"
              "(first.py or first.js) and the library that it needs. It never overwrites a\n"
              "file.",
          .examples = {"rhizome init", "rhizome init first.toml && rhizome run first.toml",
                       "rhizome init --program python && rhizome run scenario.toml"},
          .options = {{.name = "program",
                       .value = "LANGUAGE",
                       .help = "also write a scheduler of your own, in python or javascript",
                       .choices = {"python", "javascript"}}},
          .run = init_command};
}

Command run_entry() {
  return {
      .name = "run",
      .summary = "run a scenario: every scheduler, every cell, every repetition",
      .positional = "SCENARIO",
      .about =
          "Prints the means of the most important metrics with their intervals, side by\n"
          "side. Each run is stored when it ends, so an interrupted experiment keeps its\n"
          "finished runs, and --resume completes it. --retry N repeats an invalid run on\n"
          "threads up to N times; the result states how many runs were repeated.\n"
          "\n"
          "A list or a range in place of a value is a sweep: 3..20, 50..500 step 50,\n"
          "1..1000 log 7, 10ms..1s log 3. A sweep prints one table of one metric first\n"
          "(--by; the makespan by default), with a row for each swept value. The table\n"
          "marks the best setting of each scheduler and the settings that are not\n"
          "distinguishable from it, if you can choose the swept key and the metric has a\n"
          "good direction. The tables of single cells follow if there are at most three\n"
          "cells, or with --all. A scheduler that does not depend on a swept key runs once.",
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
          .summary = "join the shares of an experiment that ran on several machines",
          .positional = "RUN...",
          .about =
              "RUN is the run directory of one share (run --share I/N), or the directory that\n"
              "its --runs-dir named. merge joins all shares into one run directory, prints the\n"
              "results, and judges claims as run does. In virtual time the merged\n"
              "results.sqlite is the same to the byte as that of one machine. merge refuses\n"
              "shares of different scenarios, missing shares, shares that occur twice and\n"
              "interrupted shares. It does not change the shares.",
          .examples = {"rhizome run grid.toml --share 0/2 --runs-dir part-0  # on one machine",
                       "rhizome run grid.toml --share 1/2 --runs-dir part-1  # on another",
                       "rhizome merge part-0 part-1 --to grid"},
          .options = {{.name = "to",
                       .value = "DIR",
                       .help = "the folder for the merged run directory (runs)"},
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
                   .help = "with several stored runs: no later run may be worse than the first by "
                           "more than this (repeatable)",
                   .repeatable = true}}});
}

Command compare_entry() {
  return {.name = "compare",
          .summary = "compare schedulers, scenarios or stored runs",
          .positional = "SCENARIO|RUN...",
          .about =
              "Runs each SCENARIO and compares its schedulers. A RUN is a stored run, named by\n"
              "its directory or by latest; it is read, not run again. Runs with the same seed\n"
              "are compared in pairs. If the interval of a difference contains zero, the two\n"
              "are not distinguishable. With --no-worse the exit status is 1 if a later run is\n"
              "worse than the first by more than the bound, and 2 if that is undecided.",
          .examples = {"rhizome compare scenarios/og-vs-atc.toml", "rhizome compare latest --all",
                       "rhizome compare latest --metrics mean_queueing,p99_response",
                       "rhizome compare runs/before runs/after -o markdown",
                       "rhizome compare runs/before runs/after --no-worse makespan=2%"},
          .options = compare_options(),
          .run = compare_command,
          .runs = true};
}

std::vector<Option> tournament_options() {
  return joined(
      {{{.name = "metric",
         .letter = 'm',
         .value = "METRIC",
         .help = "the metric that ranks them (mean_response)"},
        {.name = "schedulers",
         .value = "FILE",
         .help = "take the [[scheduler]]s of FILE instead of those in each scenario"},
        {.name = "width",
         .letter = 'w',
         .value = "PERCENT",
         .help = "add repetitions until half of each interval is at most this (5%)"},
        repetitions_option(
            "begin with N runs of each scheduler: short for --set run.repetitions=N"),
        {.name = "most",
         .value = "N",
         .help = "the most runs of each scheduler in a scenario (100)"},
        {.name = "budget",
         .value = "TIME",
         .help = "add no more repetitions after this time, such as 10min"},
        {.name = "keep",
         .value = "FILE",
         .help = "write the figures of all runs to FILE; runs that it has are not repeated"},
        set_option("override a key; a list sweeps (repeatable)"),
        engine_option(),
        seed_option(),
        output_option({"json", "markdown"}),
        jobs_option(),
        quiet_option()},
       keeping_options()});
}

Command tournament_entry() {
  return {.name = "tournament",
          .summary = "rank schedulers over several scenarios",
          .positional = "SCENARIO...",
          .about =
              "Runs every scheduler in every scenario with the same seeds, and ranks the\n"
              "schedulers by one metric. Each pair of schedulers is tested, and the tests are\n"
              "corrected together (Holm). Schedulers that share a letter are not\n"
              "distinguishable. Bounds (omniscient, heft) are shown without a rank. A scheduler\n"
              "that loses tasks or breaks an invariant has no rank either. Repetitions are\n"
              "added until the interval of every ratio to the first is narrow enough (--width),\n"
              "or until --most or --budget is reached; finished runs are kept.\n"
              "\n"
              "The exit status is 0 if all intervals are narrow enough, 1 if an invariant was\n"
              "broken or a run was invalid, and 2 if a scheduler lost tasks or a limit was\n"
              "reached first. Each scenario has a run directory that compare, report and export\n"
              "can read.",
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
        schedulers_option(),
        repetitions_option("N runs of each scheduler on each engine (10)"),
        seed_option(),
        {.name = "margin",
         .letter = 'm',
         .value = "METRIC=PERCENT",
         .help = "by how much the engines may differ in METRIC (repeatable)",
         .repeatable = true},
        output_option({"json"}),
        {.name = "beside",
         .value = "WHAT",
         .help = "compare threads with virtual time (the default), or threads of several "
                 "processes with those of one process (process)",
         .choices = {"virtual", "process"}},
        {.name = "calibrate",
         .help = "measure the processor time of events here, and charge it in virtual time"},
        retry_option(),
        quiet_option()},
       together_options()});
}

Command agree_entry() {
  return {.name = "agree",
          .summary = "test whether threads and virtual time agree on a scenario",
          .positional = "SCENARIO",
          .about =
              "Runs the scenario on both engines with the same seeds, and tests for each metric\n"
              "whether the results are equivalent: the whole 90 % interval of the difference\n"
              "must lie within a margin (two one-sided tests at 5 %). For a metric that\n"
              "differs, agree prints the tenth of the tasks from which on it differs. It does\n"
              "so for the most loaded peers only with --set engine.log_messages=true.\n"
              "\n"
              "The exit status is 0 if all metrics are equivalent, 1 if a metric is different,\n"
              "and 2 if an interval is too wide or a run was invalid.",
          .examples = {"rhizome agree scenarios/og-vs-atc.toml",
                       "rhizome agree scenarios/og-vs-atc.toml -n 5 --margin makespan=5"},
          .options = agree_options(),
          .run = agree_command};
}

Command reproduce_entry() {
  return {
      .name = "reproduce",
      .summary = "repeat published comparisons and judge their claims",
      .positional = "[RESULT...]",
      .about =
          "Repeats the experiment of each RESULT in virtual time, with the schedulers that\n"
          "its claims and figures name. Each claim holds, does not hold, or is undecided.\n"
          "Claims about messages are judged twice, by the number of messages and by the\n"
          "number of tasks in them. RESULT is a name such as vector/phases, the first part\n"
          "of names (vector: all that begin with it), or the name in the source (\"figure\n"
          "5.1\").\n"
          "\n"
          "Finished runs are kept. If reproduce was interrupted or is called again, it uses\n"
          "them. The exit status is 0 if all claims hold, and 1 if one does not.",
      .examples = {"rhizome reproduce --list", "rhizome reproduce organic-grid/fig5-1 --details",
                   "rhizome reproduce vector",
                   "rhizome reproduce --all --page scenarios/reproductions"},
      .options =
          {{.name = "list",
            .help = "list these published results, or all, with their sources and durations"},
           {.name = "all", .letter = 'a', .help = "repeat every result"},
           repetitions_option("runs of each scheduler in each cell (as many as its study says)"),
           {.name = "seed", .value = "N", .help = "the seed of all random numbers (1)"},
           {.name = "data",
            .value = "DIR",
            .help = "the folder of the traces that some results need (this folder)"},
           {.name = "details", .letter = 'd', .help = "print every claim for each cell"},
           {.name = "page",
            .value = "DIR",
            .help = "write an index, DIR/README.md, and a page with figures for each result"},
           {.name = "runs-dir",
            .value = "DIR",
            .help = "the folder of stored runs (runs/reproductions)"},
           {.name = "no-store", .help = "store no runs, and use no stored ones"},
           output_option({"json"}),
           quiet_option()},
      .run = reproduce_command,
      .alone = true};
}

Command validate_entry() {
  return {
      .name = "validate",
      .summary = "check scenarios; show defaults, memory, events and run time",
      .positional = "SCENARIO...",
      .about =
          "Prints the effective scenario with its defaults, how many runs it spans, and what a\n"
          "run of it takes. The files that it names are read too. For each scenario it takes at\n"
          "most 2 GiB of memory and two minutes of a processor, unless --trusted is said.",
      .examples = {"rhizome validate scenarios/*.toml",
                   "rhizome validate scenarios/og-vs-atc.toml -s peers.count=600"},
      .options =
          joined({scenario_options(),
                  {schedulers_option(),
                   {.name = "workflow",
                    .value = "FILE",
                    .help = "write the first job whose tasks depend on each other as WfFormat 1.5"},
                   trusted_option()}}),
      .run = validate_command};
}

Command list_entry() {
  return {.name = "list",
          .summary = "list schedulers, graphs, workloads, metrics, keys and more",
          .positional = "[WHAT [NAME]]",
          .about =
              "WHAT is schedulers, disciplines, graphs, workloads, work, latencies, lifetimes,\n"
              "provision, metrics, invariants, facts, sections or keys. Without WHAT, all lists\n"
              "but the keys are printed. NAME selects one metric, the keys of one section, or\n"
              "the keys of that name. JSON output is an object with an array for each list;\n"
              "Markdown output is a table for each list.",
          .examples = {"rhizome list", "rhizome list keys workload",
                       "rhizome list keys scheduler.organic-grid", "rhizome list metrics makespan",
                       "rhizome list schedulers -o json"},
          .options = {output_option({"json", "markdown"})},
          .run = list_command};
}

Command schema_entry() {
  return {.name = "schema",
          .summary = "print the JSON Schema of scenario files, for editors",
          .about =
              "Editors check and complete scenario files by this schema. It has every key with\n"
              "its meaning and bounds.",
          .examples = {"rhizome schema > rhizome.schema.json"},
          .run = schema_command};
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list{init_entry(),
                              run_entry(),
                              monitor_entry(),
                              merge_entry(),
                              reading(compare_entry()),
                              tournament_entry(),
                              agree_entry(),
                              reproduce_entry(),
                              replay_entry(),
                              explore_entry(),
                              validate_entry(),
                              list_entry(),
                              schema_entry(),
                              doctor_entry(),
                              serve_entry(),
                              worker_entry()};
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
