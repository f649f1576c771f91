// Damaged traces, graphs and tables of delays.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>

#include "test/hostile/judge.hpp"
#include "test/hostile/values.hpp"
#include "test/support/damaged.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::inputs_test {

namespace {

using core::Rng;

// A workload of its own would contradict the trace.
const std::string traced_scenario = R"(peers.count = 6
engine = { kind = "virtual", time_limit = "10min" }
run.repetitions = 1
[[scheduler]]
use = "organic-grid"
)";

// The contents of a file, and the settings of a scenario that reads it.
struct Format {
  std::string name;
  std::string content;
  std::vector<std::string> settings;
};

const std::vector<Format> formats{
    {"trace.csv",
     "job_id,task_index,submit_us,wait_us,run_us,attempts,scheduling_class,priority,cpu_request,"
     "memory_request\n7,0,0,1,20000,1,2,1,0.1,0.1\n7,1,0,1,30000,1,2,1,0.1,0.1\n"
     "8,0,50000,1,20000,1,2,1,0.1,0.1\n",
     {"workload.kind=google-trace", "workload.file=trace.csv"}},
    {"table.csv",
     "when,\"who\",long,cores,ok\n0,a,0.02,1,yes\n0.01,\"b\"\"c\",0.03,1.5,no\n"
     "0.02,a,0.01,0.5,yes\n",
     {"workload.kind=csv", "workload.file=table.csv", "workload.arrival=when",
      "workload.duration=long * cores", "workload.job=who", "workload.estimate=long",
      "workload.task_cpus=ceil(cores / 2)", "workload.filter=ok == 'yes' || cores > 1",
      "workload.on_bad_row=skip", "workload.task_arrivals=apart"}},
    {"trace.swf",
     "; a comment\n1 0 5 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n"
     "2 3 5 20 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n",
     {"workload.kind=swf", "workload.file=trace.swf"}},
    {"jobs.txt",
     "# when, tasks, seconds\n0 2 0.02\n0.5 3 0.01\n",
     {"workload.kind=job-list", "workload.file=jobs.txt"}},
    {"flow.json",
     "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [{\"id\": \"a\", "
     "\"children\": [\"b\"], \"outputFiles\": [\"x\"]}, {\"id\": \"b\", \"parents\": [\"a\"], "
     "\"inputFiles\": [\"x\"]}], \"files\": [{\"id\": \"x\", \"sizeInBytes\": 9}]}, \"execution\": "
     "{\"tasks\": [{\"id\": \"a\", \"runtimeInSeconds\": 0.02}, {\"id\": \"b\", "
     "\"runtimeInSeconds\": 0.03, \"coreCount\": 1}]}}}\n",
     {"workload.kind=wfformat", "workload.file=flow.json"}},
    {"graph.stg",
     "# a graph\n3\n0 0 0\n1 0.02 1 0\n2 0.03 2 0 1\n",
     {"workload.kind=stg", "workload.file=graph.stg"}},
    {"flow.dax",
     "<?xml version=\"1.0\"?><adag><job id=\"a\" runtime=\"0.02\"><uses file=\"x\" "
     "link=\"output\" size=\"9\"/></job><job id=\"b\" runtime=\"0.03\"><uses file=\"x\" "
     "link=\"input\"/></job><child ref=\"b\"><parent ref=\"a\"/></child></adag>",
     {"workload.kind=dax", "workload.file=flow.dax"}},
    {"graph.dot",
     "digraph g { node [duration=0.02]; a -> {b c} [bytes=9]; b [cpus=1] // the last\n}",
     {"workload.kind=dot", "workload.file=graph.dot"}},
    {"graph.graphml",
     "<?xml version=\"1.0\"?><graphml><graph edgedefault=\"undirected\"><node id=\"0\"/>"
     "<node id=\"1\"/><node id=\"2\"/><edge source=\"0\" target=\"1\"/>"
     "<edge source=\"1\" target=\"2\"/></graph></graphml>",
     {"graph.kind=graphml", "graph.file=graph.graphml", "peers.count=3"}},
    {"delays.txt",
     "0 1 2\n1 0 3\n2 3 0\n",
     {"network.latency=matrix", "network.file=delays.txt", "peers.count=3"}},
    {"lives.csv",
     "peer,up_at,down_at\n1,0,1\n1,2,3\n2,0.5,9\n",
     {"faults.lifetimes.distribution=file", "faults.lifetimes.file=lives.csv"}}};

// Sometimes whole, so that it is known to be read otherwise.
std::string content_of(const Format& format, Rng& rng) {
  if (rng.chance(0.05)) return "";
  return rng.chance(0.15) ? format.content
                          : test::damaged(format.content, rng, test::hostile_values());
}

}  // namespace

TEST_CASE("whatever a trace, a graph or a table of delays holds, it is read or refused") {
  std::vector<test::Attempt> attempts;
  for (std::uint64_t seed = 0; seed < test::share(150); ++seed) {
    Rng rng(seed);
    const Format& format = test::any_of(formats, rng);
    test::Attempt attempt{.words = {"run", "s.toml", "-q"},
                          .files = {{"s.toml", format.settings.front().starts_with("workload")
                                                   ? traced_scenario
                                                   : test::small_scenario},
                                    {format.name, content_of(format, rng)}}};
    for (const std::string& setting : format.settings)
      attempt.words.insert(attempt.words.end(), {"-s", setting});
    attempts.push_back(std::move(attempt));
  }
  test::try_all(attempts);
}

TEST_CASE("a device or a pipe that never ends is refused after so many bytes, not read for ever") {
  const test::TemporaryDirectory place;
  const std::vector<std::vector<std::string>> calls{{"run", "/dev/zero"},
                                                    {"validate", "/dev/zero"},
                                                    {"run", "s.toml", "--hostfile", "/dev/zero"},
                                                    {"explore", "--replay", "/dev/zero"},
                                                    {"compare", "/dev/zero"},
                                                    {"replay", "/dev/zero"}};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    test::Attempt attempt{.words = calls[i],
                          .files = {{"s.toml", test::small_scenario}},
                          .signal = test::Attempt::Signal{SIGKILL, std::chrono::seconds(20)}};
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer needs all addresses
    attempt.limits.emplace_back(RLIMIT_AS, rlim_t{2} << 30U);
#endif
    const auto directory = place.path() / std::to_string(i);
    const test::End end = test::carry_out(attempt, directory);
    CHECK_MESSAGE(!end.sent, test::text_of(attempt));
    CHECK_MESSAGE(end.status >= 64, test::text_of(attempt));
    CHECK_MESSAGE(end.status <= 66, test::text_of(attempt) << end.errors);
    CHECK_MESSAGE(test::complaint_of(attempt, end, directory).empty(), end.errors);
  }
}

}  // namespace rhizome::inputs_test
