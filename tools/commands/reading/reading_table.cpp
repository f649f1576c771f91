// The part of the table of commands whose commands read stored runs.
#include "tools/cli/options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/span_options.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

Command export_entry() {
  return {.name = "export",
          .summary = "write the tables of a stored run as CSV files",
          .positional = "RUN",
          .about =
              "Writes one CSV file (RFC 4180) for each table of the results store: summary,\n"
              "runs, peers, burdens, tasks, jobs, facts, samples and others. The tables of long\n"
              "runs are large: --table selects tables.",
          .examples = {"rhizome export latest", "rhizome export latest --to figures/data",
                       "rhizome export latest --table summary --table cells",
                       "rhizome export latest --wide --to data"},
          .options = {{.name = "to", .value = "DIR", .help = "the folder for the files (RUN/csv)"},
                      {.name = "table",
                       .value = "NAME",
                       .help = "write only this table (repeatable)",
                       .repeatable = true},
                      {.name = "wide",
                       .help = "write only wide.csv: a row for each run, a column for each metric"},
                      runs_dir_option()},
          .run = export_command,
          .alone = true};
}

Command bill_entry() {
  return {
      .name = "bill",
      .summary = "show what messages were for, and which peers carried them",
      .positional = "RUN",
      .about =
          "Prints messages and bytes per completed task by cause, by message class, by\n"
          "depth in the tree, and by peer. A peer that moved in the tree counts at each\n"
          "depth for the time that it spent there. bill also prints how many times the\n"
          "messages of the median peer the busiest peer carried, and whether every packet\n"
          "is accounted for.",
      .examples = {"rhizome bill latest", "rhizome bill latest --scheduler air-traffic --top 3"},
      .options = joined({{{.name = "top", .value = "N", .help = "list the N busiest peers (10)"},
                          output_option({"json", "markdown", "csv"})},
                         stored_options()}),
      .run = bill_command};
}

Command fate_entry() {
  return {.name = "fate",
          .summary = "show crashes, repetitions and losses of tasks in a stored run",
          .positional = "RUN",
          .about =
              "Prints for each scheduler, over its repetitions: peers that left and returned;\n"
              "executions that began, ended or were cut off; tasks that were handed out again,\n"
              "by reason; duplicate results; tasks that were never completed; packets that were\n"
              "lost or refused. Each has its total, its mean per run, the number of tasks\n"
              "concerned, and their share of all tasks.\n"
              "\n"
              "--task prints the story of one task: all recorded events of the task in order of\n"
              "time. If the task moved under a locator, the story also has the peers where it\n"
              "was, the forwarders that it left behind, and for each input from another task:\n"
              "the destination, the path (recorded only with engine.log_hops = true) and the\n"
              "delay.",
          .examples = {"rhizome fate latest", "rhizome fate latest --scheduler air-traffic -o json",
                       "rhizome fate latest --task 3.17",
                       "rhizome fate latest --task 0.21 --scheduler wander-forwarders"},
          .options = joined({{{.name = "task",
                               .value = "JOB.PORTION",
                               .help = "print the story of this task in one repetition"},
                              output_option({"json", "markdown"})},
                             stored_options({.label = "all; of a task, the first",
                                             .repetition = "all; of a task, 1"})}),
          .run = fate_command};
}

Command runs_entry() {
  return {.name = "runs",
          .summary = "list stored runs, or remove old ones",
          .about =
              "Lists the run directories, the newest first, with the number of runs and the\n"
              "verdict of each. \"rhizome run DIRECTORY --resume\" completes a directory that was\n"
              "interrupted or killed. --prune removes the directories that meet all given\n"
              "conditions. It never removes one whose runs are still going on.",
          .examples = {"rhizome runs", "rhizome runs --prune --keep 20 --dry-run",
                       "rhizome runs --prune --older-than 30d --keep 5"},
          .options = {{.name = "prune", .help = "remove run directories"},
                      {.name = "keep",
                       .value = "N",
                       .help = "with --prune: do not remove the N newest"},
                      {.name = "older-than",
                       .value = "AGE",
                       .help = "with --prune: remove only runs that ended longer ago, such as 30d"},
                      {.name = "dry-run", .help = "with --prune: only list what would be removed"},
                      output_option({"json"}),
                      runs_dir_option()},
          .run = runs_command,
          .alone = true};
}

Command tree_entry() {
  return {.name = "tree",
          .summary = "show the tree or the overlay of a stored run",
          .positional = "RUN",
          .about =
              "Prints parents and children in the Organic Grid, or queue, leaders and workers\n"
              "in Air Traffic Control. Text output ends with measures: mean speed by depth,\n"
              "moves by reason, time to settle after a crash, and messages per move. Of a run\n"
              "that measures an overlay, the links at the end.",
          .examples = {"rhizome tree latest", "rhizome tree latest --at 2.5s -o svg > tree.svg",
                       "rhizome tree latest --diff 1s..2s"},
          .options = joined(
              {{{.name = "at",
                 .value = "TIME",
                 .help = "emulated time, such as 2.5s; end: just before the tree dissolved (end)"},
                {.name = "diff",
                 .value = "FROM..TO",
                 .help = "list the peers that moved between two times, and why"},
                output_option({"dot", "graphml", "svg"})},
               stored_options()}),
          .run = tree_command};
}

Command timeline_entry() {
  return {
      .name = "timeline",
      .summary = "write a stored run as a trace for Perfetto, or as an SVG schedule",
      .positional = "RUN",
      .about =
          "The trace has a process for each peer, a thread for each of its slots, instants\n"
          "for moves and faults, and counters for messages. Perfetto (ui.perfetto.dev) and\n"
          "chrome://tracing show it.",
      .examples = {"rhizome timeline latest --to trace.json",
                   "rhizome timeline latest --scheduler air-traffic --svg schedule.svg"},
      .options = joined(
          {{{.name = "to", .value = "FILE", .help = "write the trace to FILE (standard output)"},
            {.name = "svg",
             .value = "FILE",
             .help = "draw the schedule in FILE instead; needs Node.js"}},
           stored_options()}),
      .run = timeline_command};
}

Command report_entry() {
  return {
      .name = "report",
      .summary = "write one HTML page with the results of stored runs",
      .positional = "RUN...",
      .about =
          "The page is a single file that needs no network. It has the verdict, the\n"
          "comparison, charts of completion and load, causes of messages, trees, schedules,\n"
          "the scenario, and the command that repeats the run. For a sweep it shows a table\n"
          "and a chart of one metric over the swept values (--by), the cells in which\n"
          "claims hold, and a short folded part for each cell. Of a run of rhizome serve,\n"
          "also while it serves, --from and --until choose a span of time. The report then\n"
          "has the jobs that were submitted within it.",
      .examples = {"rhizome report latest", "rhizome report latest --to report.html --svg figures",
                   "rhizome report latest --by job_messages",
                   "rhizome report latest --from 2026-01-31T12:00 --until 13:30"},
      .options = joined(
          {{{.name = "to",
             .value = "FILE",
             .help = "write the page to FILE; - is standard output (report.html)"},
            {.name = "svg", .value = "DIR", .help = "also write every chart as SVG; needs Node.js"},
            {.name = "pdf",
             .value = "DIR",
             .help = "also write every chart as PDF; needs Node.js and rsvg-convert"},
            by_option()},
           span_options(),
           {runs_dir_option()}}),
      .run = report_command,
      .alone = true};
}

}  // namespace

std::vector<Command> reading_commands() {
  return {runs_entry(),           reading(export_entry()), reading(bill_entry()),
          reading(fate_entry()),  reading(tree_entry()),   reading(timeline_entry()),
          reading(report_entry())};
}

}  // namespace rhizome::tools
