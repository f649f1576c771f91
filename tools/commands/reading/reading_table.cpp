// The part of the table of commands whose commands read stored runs.
#include "tools/cli/options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/reading/span_options.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

Command export_entry() {
  return {
      .name = "export",
      .summary = "write the tables of a stored run as CSV files",
      .positional = "RUN",
      .about =
          "One file for each table: summary, runs, peers, burdens, tasks, jobs, facts, samples\n"
          "and so on, by RFC 4180. Of long runs some are large: --table names those to write.",
      .examples = {"rhizome export latest", "rhizome export latest --to figures/data",
                   "rhizome export latest --table summary --table cells",
                   "rhizome export latest --wide --to data"},
      .options = {{.name = "to", .value = "DIR", .help = "where the files go (RUN/csv)"},
                  {.name = "table",
                   .value = "NAME",
                   .help = "only this one (repeatable)",
                   .repeatable = true},
                  {.name = "wide",
                   .help = "only wide.csv: a row for each run, a column for each metric"},
                  runs_dir_option()},
      .run = export_command,
      .alone = true};
}

Command bill_entry() {
  return {
      .name = "bill",
      .summary = "what the messages of a stored run were for, and who carried them",
      .positional = "RUN",
      .about =
          "Messages and bytes for each completed task, by cause, by class, by depth in the tree\n"
          "(a peer that moved counts at each depth for the time it stood there) and by peer; how "
          "hot the hottest peer is; and whether every packet is accounted for.",
      .examples = {"rhizome bill latest", "rhizome bill latest --scheduler air-traffic --top 3"},
      .options = joined({{{.name = "top", .value = "N", .help = "list so many peers (10)"},
                          output_option({"json", "markdown", "csv"})},
                         stored_options()}),
      .run = bill_command};
}

Command fate_entry() {
  return {.name = "fate",
          .summary = "what became of a stored run's tasks: crashes, repeats, losses",
          .positional = "RUN",
          .about =
              "For each scheduler, over its repetitions: peers that came and went; executions\n"
              "that began, ended or were cut off; tasks handed out again, by reason; duplicate\n"
              "results; tasks never completed; packets lost or refused. In totals, means for\n"
              "each run, tasks concerned and their share of all. With --task, all that the\n"
              "facts of a run tell of one task, in order of time; of a task that moved under a\n"
              "locator, also the peers where it was, the forwarders that it left behind, and what\n"
              "each task before it sent it: to where, by which way (noted with\n"
              "engine.log_hops = true), and how long that took.",
          .examples = {"rhizome fate latest", "rhizome fate latest --scheduler air-traffic -o json",
                       "rhizome fate latest --task 3.17",
                       "rhizome fate latest --task 0.21 --scheduler wander-forwarders"},
          .options = joined({{{.name = "task",
                               .value = "JOB.PORTION",
                               .help = "the story of this one, in one repetition"},
                              output_option({"json", "markdown"})},
                             stored_options({.label = "all; of a task, the first",
                                             .repetition = "all; of a task, 1"})}),
          .run = fate_command};
}

Command runs_entry() {
  return {.name = "runs",
          .summary = "list stored runs, or remove old ones",
          .about =
              "Lists the run directories, the newest first, with the number of runs in each and\n"
              "its verdict. rhizome run DIRECTORY --resume completes one that was interrupted or\n"
              "killed. --prune removes the directories that meet all conditions; a run under way\n"
              "is never removed.",
          .examples = {"rhizome runs", "rhizome runs --prune --keep 20 --dry-run",
                       "rhizome runs --prune --older-than 30d --keep 5"},
          .options = {{.name = "prune", .help = "remove runs"},
                      {.name = "keep", .value = "N", .help = "with --prune: keep the N newest"},
                      {.name = "older-than",
                       .value = "AGE",
                       .help = "with --prune: remove only what ended longer ago, such as 30d"},
                      {.name = "dry-run", .help = "with --prune: only tell what would be removed"},
                      output_option({"json"}),
                      runs_dir_option()},
          .run = runs_command,
          .alone = true};
}

Command tree_entry() {
  return {
      .name = "tree",
      .summary = "the tree of a stored run at any time, its moves and its measures",
      .positional = "RUN",
      .about =
          "Parents and children of an Organic Grid, or queue, leaders and workers. The text\n"
          "ends with the measures: speed by depth, moves by reason, time to settle after a\n"
          "crash, messages for each move.",
      .examples = {"rhizome tree latest", "rhizome tree latest --at 2.5s -o svg > tree.svg",
                   "rhizome tree latest --diff 1s..2s"},
      .options = joined(
          {{{.name = "at",
             .value = "TIME",
             .help = "emulated, such as 2.5s, or end: before it dissolved (end)"},
            {.name = "diff", .value = "FROM..TO", .help = "who moved between two times, and why"},
            output_option({"dot", "graphml", "svg"})},
           stored_options()}),
      .run = tree_command};
}

Command timeline_entry() {
  return {
      .name = "timeline",
      .summary = "a stored run as a trace for Perfetto, or as a schedule diagram",
      .positional = "RUN",
      .about =
          "The trace has a process for each peer and a thread for each of its slots, moves and\n"
          "faults as instants, messages as counters. Open it in Perfetto or chrome://tracing.",
      .examples = {"rhizome timeline latest --to trace.json",
                   "rhizome timeline latest --scheduler air-traffic --svg schedule.svg"},
      .options = joined(
          {{{.name = "to", .value = "FILE", .help = "where the trace goes (standard output)"},
            {.name = "svg",
             .value = "FILE",
             .help = "draw the schedule there instead; takes Node.js"}},
           stored_options()}),
      .run = timeline_command};
}

Command report_entry() {
  return {
      .name = "report",
      .summary = "one page with everything about stored runs",
      .positional = "RUN...",
      .about =
          "A single HTML file that needs no network: verdict, comparison, completion,\n"
          "burdens, message bill, trees, schedules, the scenario and how to replay it. For a\n"
          "sweep it shows one metric for each swept value as table and chart (--by), the\n"
          "cells in which claims hold, and a short folded part for each cell.\n"
          "Of a run of rhizome serve, also while it serves, --from and --until choose a span\n"
          "of time: the report then has the jobs that were submitted within it.",
      .examples = {"rhizome report latest", "rhizome report latest --to report.html --svg figures",
                   "rhizome report latest --by job_messages",
                   "rhizome report latest --from 2026-01-31T12:00 --until 13:30"},
      .options = joined(
          {{{.name = "to",
             .value = "FILE",
             .help = "where the page goes; - is standard output (report.html)"},
            {.name = "svg", .value = "DIR", .help = "write every chart as SVG, too; takes Node.js"},
            {.name = "pdf",
             .value = "DIR",
             .help = "write every chart as PDF, too; takes Node.js and rsvg-convert"},
            by_option()},
           span_options(),
           {runs_dir_option()}}),
      .run = report_command,
      .alone = true};
}

}  // namespace

std::vector<Command> reading_commands() {
  return {runs_entry(), export_entry(),   bill_entry(),  fate_entry(),
          tree_entry(), timeline_entry(), report_entry()};
}

}  // namespace rhizome::tools
