#include <doctest/doctest.h>

#include <set>

#include "scenarios/format/parser.hpp"
#include "scenarios/input_error.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/reproduce/page.hpp"

namespace rhizome {

using namespace scenarios;

namespace {

const std::string head = "name = \"x/y\"\ntitle = \"t\"\nsource = \"s\"\nstudy = \"study.toml\"\n";

PublishedClaim claim_of(const std::string& keys) {
  return parse_reproduction(head + "[[claim]]\nsays = \"it is so\"\n" + keys, "x.toml")
      .claims.front();
}

// Runs of two schedulers in cells that differ in the number of jobs.
class Study {
 public:
  void add(const std::string& jobs, const std::string& label, const std::string& metric,
           const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      RunFigures run;
      run.identity.cell = {{"workload.jobs", jobs}};
      run.identity.label = label;
      run.identity.seed = i;
      run.values.assign(metrics().size(), 0);
      run.values[static_cast<std::size_t>(find_metric(metric) - metrics().data())] = values[i];
      runs.push_back(std::move(run));
    }
  }
  std::vector<RunFigures> runs;
};

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_reproduction(text, "x.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a published claim holds with the published number of cells, and not with fewer") {
  Study study;
  study.add("200", "a", "makespan", {1.0, 1.1, 1.2});
  study.add("200", "b", "makespan", {2.0, 2.1, 2.3});
  study.add("800", "a", "makespan", {5.0, 5.1, 5.2});
  study.add("800", "b", "makespan", {2.0, 2.1, 2.3});
  const auto verdict = [&](const std::string& keys) {
    const PublishedClaim claim = claim_of(keys);
    const auto verdicts = judge_published(claim, study.runs, 0.95);
    REQUIRE(verdicts.size() == 1);
    return verdicts.front().standing;
  };
  CHECK(verdict("test = \"a.makespan < b.makespan\"") == Standing::fails);
  CHECK(verdict("test = \"a.makespan < b.makespan\"\ncells = 1") == Standing::holds);
  CHECK(verdict("test = \"a.makespan < b.makespan\"\nwhere = \"workload.jobs=200\"") ==
        Standing::holds);
  CHECK(verdict("test = \"a.makespan < b.makespan\"\nexcept = \"workload.jobs=800\"") ==
        Standing::holds);
  CHECK(verdict("test = \"a.makespan = b.makespan\"\nwithin = 0.1") == Standing::fails);
  CHECK(verdict("test = \"a.makespan / b.makespan < 0.9\"\nwhere = \"workload.jobs=200\"") ==
        Standing::holds);
  CHECK(verdict("test = \"a.makespan largest\"\nwhere = \"workload.jobs=800\"") == Standing::holds);
  CHECK(verdict("test = \"a.makespan / b.makespan largest\"\nwhere = \"workload.jobs=200\"") ==
        Standing::fails);
  CHECK(verdict("test = \"b.makespan same\"\nacross = \"workload.jobs\"\nwithin = 0.05") ==
        Standing::holds);
  CHECK(verdict("test = \"a.makespan same\"\nacross = \"workload.jobs\"\nwithin = 0.05") ==
        Standing::fails);
}

TEST_CASE("what the intervals leave open is not distinguishable") {
  Study study;
  study.add("200", "a", "makespan", {1.0, 2.0, 3.0});
  study.add("200", "b", "makespan", {1.5, 1.4, 3.6});
  const PublishedClaim less = claim_of("test = \"a.makespan < b.makespan\"");
  CHECK(judge_published(less, study.runs, 0.95).front().standing == Standing::not_distinguishable);
  study.runs.clear();
  study.add("200", "a", "makespan", {1.00, 1.10, 1.20});
  study.add("200", "b", "makespan", {1.08, 1.06, 1.30});
  const PublishedClaim equal = claim_of("test = \"a.makespan = b.makespan\"\nwithin = 0.1");
  CHECK(judge_published(equal, study.runs, 0.95).front().standing == Standing::not_distinguishable);
}

TEST_CASE("a claim about messages is judged in both countings unless it was published in one") {
  Study study;
  study.add("200", "a", "job_messages", {10, 11, 12});
  const PublishedClaim both = claim_of("test = \"a.job_messages > 5\"");
  const auto verdicts = judge_published(both, study.runs, 0.95);
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].standing == Standing::holds);
  CHECK(verdicts[1].counting == Counting::portions);
  CHECK(verdicts[1].standing == Standing::fails);
  const PublishedClaim one = claim_of("test = \"a.job_messages > 5\"\ncounting = \"messages\"");
  CHECK(judge_published(one, study.runs, 0.95).size() == 1);
}

TEST_CASE("runs that are not sound leave a published claim inconclusive") {
  Study study;
  study.add("200", "a", "makespan", {1.0, 1.1, 1.2});
  study.runs.front().unfinished = 1;
  const PublishedClaim claim = claim_of("test = \"a.makespan < 2\"");
  CHECK(judge_published(claim, study.runs, 0.95).front().standing == Standing::inconclusive);
}

TEST_CASE("a wrong file of a published result is refused with its position") {
  CHECK(refusal(head + "sorce = \"s\"") ==
        "x.toml:5:1: there is no key \"sorce\"; did you mean \"source\"?");
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespam < 1\"").starts_with("x.toml:6:1: "));
  CHECK(refusal(head + "[[claim]]\ntest = \"makespan\"").starts_with("x.toml:6:1: "));
  CHECK(refusal(head + "[[claim]]\nsays = \"x\"").find("has no test") != std::string::npos);
  CHECK(refusal(head + "[[figure]]\nmetric = \"job_message\"").starts_with("x.toml:6:1: "));
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespan largest\"").find("where") !=
        std::string::npos);
}

TEST_CASE("every published result names labels and cells that its study has") {
  for (const Reproduction& result : all_reproductions()) {
    CAPTURE(result.name);
    const auto cells = parse_scenario(study_text(result.study), result.study);
    std::set<std::string> labels;
    for (const auto& scheduler : cells.front().scenario.schedulers) labels.insert(scheduler.label);
    for (const PublishedClaim& claim : result.claims) {
      CAPTURE(claim.test);
      CHECK_FALSE(claim.says.empty());
      CHECK(labels.contains(claim.left.operand.label));
      if (const auto* right = std::get_if<Operand>(&claim.right))
        CHECK(labels.contains(right->label));
    }
    for (const PublishedFigure& figure : result.figures)
      for (const std::string& label : figure.labels) CHECK(labels.contains(label));
  }
}

}  // namespace rhizome
