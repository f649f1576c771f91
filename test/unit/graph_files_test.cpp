// Graphs of tasks that are read from files, right and wrong: WfFormat, DAX, DOT and the Standard
// Task Graph Set.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "agents/graph_shape.hpp"
#include "overlay/xml.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/graph_files.hpp"
#include "scenarios/world/workload/task_graphs.hpp"
#include "test/support/jobs_of.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::graph_files_test {

using namespace std::chrono_literals;
using agents::Dependency;
using agents::Job;
using test::jobs_of;

namespace {

Job read(const std::string& kind, const std::string& text, double scale = 1) {
  const test::TemporaryFile file(text);
  const auto jobs = jobs_of(kind, {.file = file.name(), .duration_scale = scale});
  REQUIRE(jobs.size() == 1);
  return jobs.front();
}

// "line:column: sentence".
std::string refusal(const std::string& kind, const std::string& text) {
  const test::TemporaryFile file(text);
  try {
    static_cast<void>(jobs_of(kind, {.file = file.name()}));
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "accepted";
}

// A workflow whose second task has that in its specification, and these runs.
std::string workflow(const std::string& second, const std::string& runs) {
  return "{\"schemaVersion\": \"1.5\", \"workflow\": {\n\"specification\": {\"tasks\": [\n"
         "{\"id\": \"a\", \"children\": [], \"outputFiles\": [\"x\", \"y\"]},\n{\"id\": \"b\"" +
         second +
         "}],\n\"files\": [{\"id\": \"x\", \"sizeInBytes\": 7}, {\"id\": \"y\", \"sizeInBytes\": "
         "5}]},\n\"execution\": {\"tasks\": [" +
         runs + "]}}}\n";
}
const std::string two_runs =
    R"({"id": "a", "runtimeInSeconds": 1.5}, {"id": "b", "runtimeInSeconds": 2, "coreCount": 3})";

}  // namespace

TEST_CASE("a workflow has runtimes, cores, and the files that one task writes and another reads") {
  const Job job =
      read("wfformat", workflow(R"(, "parents": ["a"], "inputFiles": ["x", "z"])", two_runs), 2);
  REQUIRE(job.portions.size() == 2);
  CHECK(job.portions[0].duration == 3s);
  CHECK(job.portions[0].cpus == 1);
  CHECK(job.portions[1].duration == 4s);
  CHECK(job.portions[1].cpus == 3);
  CHECK(job.dependencies == std::vector<Dependency>{{1, 0, 7}});
}

TEST_CASE("a workflow of an older version has all in its tasks, which may be called jobs") {
  const std::string tasks = R"([
    {"name": "one", "runtime": 1.5, "files": [{"name": "x", "link": "output", "size": 7}]},
    {"name": "two", "runtime": 2, "cores": 3, "parents": ["one"],
     "files": [{"name": "x", "link": "input", "size": 7}]}]}})";
  for (const std::string word : {"jobs", "tasks"}) {
    const Job job =
        read("wfformat", R"({"schemaVersion": "1.1", "workflow": {")" + word + "\": " + tasks);
    REQUIRE(job.portions.size() == 2);
    CHECK(job.portions[0].duration == 1500ms);
    CHECK(job.portions[1].cpus == 3);
    CHECK(job.dependencies == std::vector<Dependency>{{1, 0, 7}});
  }
  const Job named = read("wfformat", R"({"schemaVersion": "1.4", "workflow": {"tasks": [
    {"id": "1", "name": "one", "runtimeInSeconds": 1},
    {"id": "2", "name": "two", "runtimeInSeconds": 1, "parents": ["one"]}]}})");
  CHECK(named.dependencies == std::vector<Dependency>{{1, 0, 0}});
}

TEST_CASE("tasks of an older version without parents are connected by their files") {
  const Job job = read("wfformat", R"({"schemaVersion": "1.3", "workflow": {"tasks": [
    {"name": "two", "runtime": 1, "files": [{"name": "x", "link": "input", "size": 7}]},
    {"name": "one", "runtime": 1, "files": [{"name": "x", "link": "output", "size": 7},
                                            {"name": "y", "link": "output", "size": 1}]},
    {"name": "odd", "runtime": 1, "files": [{"name": "y", "link": "output", "size": 1},
                                            {"name": "z", "link": "input", "size": 1}]}]}})");
  CHECK(job.dependencies == std::vector<Dependency>{{0, 1, 7}});
}

TEST_CASE("a child that is named by its parent alone needs it as well") {
  const Job job = read("wfformat", workflow(R"(, "children": ["a"], "outputFiles": [])", two_runs));
  CHECK(job.dependencies == std::vector<Dependency>{{0, 1, 0}});
}

TEST_CASE("errors in a workflow are reported with line and column") {
  const auto with = [](const std::string& second, const std::string& runs = two_runs) {
    return refusal("wfformat", workflow(second, runs));
  };
  CHECK(with(R"(, "parents": ["c"])") == "4:25: there is no task with the id \"c\"");
  CHECK(with(R"(, "parents": ["b"])") == "6:70: the task \"b\" is its own parent");
  CHECK(
      with(R"(, "parents": ["a"], "children": ["a"])").ends_with("by way of those that it needs"));
  CHECK(with("}, {\"id\": \"b\"").find("two tasks have the id \"b\"") != std::string::npos);
  CHECK(with(", ").starts_with("4:13: this is no JSON"));
  CHECK(with(R"(, "parents": 3)") ==
        "1:1: this is no workflow of WfFormat 1.0 to 1.5: this JSON value is no list");
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": 1})")
            .ends_with("the execution of the task \"b\" is missing"));
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": -1})")
            .ends_with("the runtimeInSeconds of \"a\" is no number between 0 and 1000000000.0"));
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": 1e400})")
            .ends_with("this JSON has a number that is too large"));
  CHECK(refusal("wfformat", "") == "1:1: this is no JSON");
  CHECK(refusal("wfformat", "{}").find("there is no \"schemaVersion\"") != std::string::npos);
  CHECK(refusal("wfformat", R"({"schemaVersion": "2.0", "workflow": {}})") ==
        "1:19: a workflow of schemaVersion 1.0 to 1.5 is needed, not of 2.0");
  CHECK(with("", two_runs + R"(, {"id": "a", "runtimeInSeconds": 100})")
            .ends_with("the task \"a\" has two executions: which one counts?"));
  CHECK(with("", R"({"id": "a"}, {"id": "b", "runtimeInSeconds": 2})")
            .ends_with("the runtimeInSeconds of \"a\" is missing"));
}

TEST_CASE("a workflow that is nested without end, or has keys without end, is refused") {
  CHECK(refusal("wfformat", std::string(100'000, '[')) == "1:1: this JSON is nested too deep");
  std::string keys = "{\"a\": 1";
  for (int i = 0; i < 2000; ++i) keys += ", \"" + std::to_string(i) + "\": 1";
  CHECK(refusal("wfformat", keys + "}") == "1:1: this JSON has an object of too many keys");
  std::string object = "{\"a\": 1";
  for (int i = 0; i < 900; ++i) object += ", \"" + std::to_string(i) + "\": 1";
  std::string objects = "[" + object + "}";
  for (int i = 0; i < 500; ++i) objects += "," + object + "}";
  CHECK(refusal("wfformat", objects + "]") ==
        "1:1: this JSON has too many objects of very many keys");
}

TEST_CASE("a DAX has runtimes, cores, and the files that a parent writes and a child reads") {
  const Job job = read("dax", R"(<?xml version="1.0"?>
<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1">
  <job id="a" name="first" runtime="1.5">
    <uses file="x" link="output" size="7"/><uses file="y" link="output" size="100"/></job>
  <job id="b"><profile namespace="pegasus" key="runtime">2</profile>
    <profile namespace="pegasus" key="cores">3</profile><uses name="x" link="input"/></job>
  <child ref="b"><parent ref="a"/></child>
</adag>)",
                       2);
  REQUIRE(job.portions.size() == 2);
  CHECK(job.portions[0].duration == 3s);
  CHECK(job.portions[1].duration == 4s);
  CHECK(job.portions[1].cpus == 3);
  CHECK(job.dependencies == std::vector<Dependency>{{1, 0, 7}});
}

TEST_CASE("errors in a DAX are reported with line and column") {
  const auto with = [](const std::string& inner) {
    return refusal("dax", "<adag>\n" + inner + "\n</adag>");
  };
  const std::string a = R"(<job id="a" runtime="1"/>)";
  CHECK(with("") == "1:2: the workflow has no <job>");
  CHECK(with("<job runtime=\"1\"/>") == "2:2: <job> has no attribute \"id\"");
  CHECK(with("<job id=\"a\"/>").starts_with("2:2: the job \"a\" has no runtime"));
  CHECK(with(R"(<job id="a" runtime="-1"/>)") ==
        "2:2: the runtime of \"a\" must be a number between 0 and 1000000000, not \"-1\"");
  CHECK(with(a + "\n" + a) == "3:2: two tasks have the id \"a\"");
  CHECK(with(a + R"(<child ref="a"><parent ref="z"/></child>)") ==
        "2:42: there is no job with the id \"z\"");
  CHECK(with(a + R"(<child ref="a"><parent ref="a"/></child>)") ==
        "2:42: the job \"a\" is its own parent");
  CHECK(with(a + R"(<job id="b" runtime="1"/><child ref="a"><parent ref="b"/></child>)" +
             R"(<child ref="b"><parent ref="a"/></child>)")
            .ends_with("needs itself, by way of those that it needs"));
  CHECK(refusal("dax", "<dag/>") == "1:2: a DAX has the root element <adag>, not <dag>");
  CHECK(refusal("dax", "").starts_with("1:1: this is no XML"));
  CHECK(refusal("dax", std::string(5'000'001, '<')) ==
        std::string("1:1: ") + overlay::too_many_parts);
}

TEST_CASE("a digraph in DOT has durations, slots, bytes, defaults and subgraphs") {
  const Job job = read("dot", R"(# made by hand
strict digraph "a graph" {
  rankdir = LR; node [duration=1.5 shape=box]; /* defaults */
  a [label=<<b>A</b>>]; "b one" [size="2", cpus=3];
  a -> { "b one" c:n } -> d [bytes="7"]
  subgraph cluster_1 { edge [size=5]; d -> e; } // the end
})",
                       2);
  REQUIRE(job.portions.size() == 5);
  CHECK(job.portions[0].duration == 3s);
  CHECK(job.portions[1].cpus == 3);
  CHECK(job.dependencies ==
        std::vector<Dependency>{{1, 0, 7}, {2, 0, 7}, {3, 1, 7}, {3, 2, 7}, {4, 3, 5}});
}

TEST_CASE("a duration of a node in DOT counts before a size") {
  const Job job =
      read("dot", "digraph { a [duration=1, size=2]; b [runtime=3, size=2]; c [size=4] }");
  CHECK(job.portions[0].duration == 1s);
  CHECK(job.portions[1].duration == 3s);
  CHECK(job.portions[2].duration == 4s);
}

TEST_CASE("a digraph in DOT keeps of its attributes those that mean something, which are short") {
  const std::string label(1U << 20U, 'x');
  const auto with = [](const std::string& attributes) {
    std::string text = "digraph { node [" + attributes + ", duration = 1] ";
    for (int i = 0; i < 100; ++i) text += "n" + std::to_string(i) + ";";
    return text + "}";
  };
  CHECK(read("dot", with("label = " + label)).portions.size() == 100);
  CHECK(refusal("dot", with("cpus = 1" + std::string(64, '0')))
            .ends_with("the cpus is too long for a number"));
}

TEST_CASE("a digraph in DOT has a million nodes at most, and is refused as soon as it has more") {
  std::string text = "digraph { node [duration = 1] ";
  for (int i = 0; i < 1'000'001; ++i) text += "n" + std::to_string(i) + " ";
  CHECK(refusal("dot", text + "; no end").find("more than a million tasks") != std::string::npos);
}

TEST_CASE("what is wrong with a graph in DOT is told with line and column") {
  const auto with = [](const std::string& inner) {
    return refusal("dot", "digraph {\n" + inner + "\n}");
  };
  CHECK(with("a").starts_with("2:1: the task \"a\" has no duration"));
  CHECK(with("a [duration=x]") ==
        "2:13: the duration of \"a\" must be a number between 0 and 1000000000, not \"x\"");
  CHECK(with("a -- b") == "2:3: an edge of a digraph is \"->\"");
  CHECK(with("a -> ") == "3:1: expected a node here");
  CHECK(with("a [duration=1] b [duration=1] a -> b -> a")
            .ends_with("needs itself, by way of those that it needs"));
  CHECK(with("a [duration=1] a -> a") == "2:1: the task \"a\" needs itself");
  CHECK(with("a [duration=1").starts_with("3:1: expected an attribute"));
  CHECK(with("\"a") == "2:1: this text has no closing quote");
  CHECK(with("<a") == "2:1: this text of HTML has no closing bracket");
  CHECK(with("?") == "2:1: this character has no meaning in DOT");
  CHECK(with(std::string(1000, '{')).ends_with("subgraphs nest too deep"));
  CHECK(refusal("dot", "graph { a }").starts_with("1:1: this graph has no directions"));
  CHECK(refusal("dot", "digraph { a [size=1]").ends_with("the closing \"}\" is missing"));
  CHECK(refusal("dot", "digraph { a [size=1] } b").starts_with("1:24: a file has one digraph"));
  CHECK(refusal("dot", "digraph { }") == "1:1: the digraph has no node");
  CHECK(refusal("dot", "") == "1:1: this is no DOT file: it does not begin with \"digraph\"");
}

TEST_CASE("two sets of nodes in a short file in DOT have a million edges at the most") {
  const auto set = [](const std::string& name, int nodes) {
    std::string text = "{";
    for (int i = 0; i < nodes; ++i) text += name + std::to_string(i) + " ";
    return text + "}";
  };
  const auto between = [&](int nodes) {
    return "digraph { node [size = 1] " + set("a", nodes) + " -> " + set("b", 1000) + " }";
  };
  CHECK(read("dot", between(1000)).dependencies.size() == 1'000'000);
  CHECK(refusal("dot", between(1001)).find("more than 1000000 edges") != std::string::npos);
}

TEST_CASE("tasks that share very many files are refused") {
  constexpr int tasks = 100;
  constexpr int files = 2100;
  std::string uses;
  std::string list;
  for (int i = 0; i < files; ++i) {
    const std::string name = std::to_string(i);
    uses += "<uses file='" + name + "' link='inout'/>";
    list += (i == 0 ? "\"" : ", \"") + name + "\"";
  }
  std::string dax = "<adag>";
  std::string edges;
  std::string specified;
  std::string runs;
  for (int i = 0; i < tasks; ++i) {
    const std::string id = "t" + std::to_string(i);
    dax += "<job id='" + id + "' runtime='1'>" + uses + "</job>";
    edges += "<child ref='" + id + "'>";
    std::string parents;
    for (int j = 0; j < i; ++j) {
      edges += "<parent ref='t" + std::to_string(j) + "'/>";
      parents += (j == 0 ? "\"t" : ", \"t") + std::to_string(j) + "\"";
    }
    edges += "</child>";
    const char* const comma = i == 0 ? "" : ", ";
    specified += comma + ("{\"id\": \"" + id) + "\", \"parents\": [" + parents +
                 "], \"inputFiles\": [" + list + "], \"outputFiles\": [" + list + "]}";
    runs += comma + ("{\"id\": \"" + id) + "\", \"runtimeInSeconds\": 1}";
  }
  CHECK(refusal("dax", dax + edges + "</adag>").ends_with("ten million were compared up to here"));
  std::string sizes;
  for (int i = 0; i < files; ++i)
    sizes +=
        (i == 0 ? "{\"id\": \"" : ", {\"id\": \"") + std::to_string(i) + "\", \"sizeInBytes\": 1}";
  CHECK(refusal("wfformat",
                "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [" +
                    specified + "], \"files\": [" + sizes + "]}, \"execution\": {\"tasks\": [" +
                    runs + "]}}}")
            .ends_with("ten million were compared up to here"));
}

TEST_CASE("a graph that is written as a workflow is read as the same graph") {
  WorkloadSection section;
  section.own.change<MatrixOptions>() = {.dims = 6, .tg_prob_connected = 0.5, .edge_bytes = 12};
  const Job job = jobs_of("matrix", section, 4).front();
  const Job again = read("wfformat", text_of(wfformat_of(job)));
  CHECK(again.dependencies.size() == job.dependencies.size());
  CHECK(agents::shape_of(again) == agents::shape_of(job));
  CHECK(agents::levels_of(again) == agents::levels_of(job));
}

TEST_CASE("a standard task graph has its dummies or not, and comments") {
  const std::string rows = "0 0 0\n1 4 1 0 # a task\n2 3 2 0 1\n3 0 1 2\n";
  for (const char* count : {"2\n", "4\n"}) {
    const Job job = read("stg", std::string("# a graph\n") + count + rows, 0.5);
    REQUIRE(job.portions.size() == 4);
    CHECK(job.portions[1].duration == 2s);
    CHECK(job.dependencies == std::vector<Dependency>{{1, 0}, {2, 0}, {2, 1}, {3, 2}});
  }
}

TEST_CASE("errors in a standard task graph are reported with line and column") {
  CHECK(refusal("stg", "") == "1:1: the file has no graph");
  CHECK(refusal("stg", "3\n0 1 0\n") == "3:1: the file says 3 tasks and has 1");
  CHECK(refusal("stg", "1\n1 1 0\n") == "2:1: task 0 should stand here");
  CHECK(refusal("stg", "2\n0 1 0\n1 1 1 1\n") ==
        "3:7: a task needs only those that stand before it");
  CHECK(refusal("stg", "3\n0 1 0\n1 1 0\n2 1 2 0\n")
            .starts_with("4:7: a task that needs 2 has 5 fields"));
  CHECK(refusal("stg", "3\n0 1 0\n1 1 0\n2 1 2 0 0\n") == "4:9: a task needs another once");
  CHECK(refusal("stg", "1\n0 -1 0\n").starts_with("2:3: "));
  CHECK(refusal("stg", "1\n0 1e300 0\n").starts_with("2:3: "));
  CHECK(refusal("stg", "1\n0 1\n") == "2:1: a task has a number, a time, and how many it needs");
  CHECK(refusal("stg", "x\n").starts_with("1:1: "));
}

}  // namespace rhizome::scenarios::graph_files_test
