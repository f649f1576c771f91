#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/reproduce/page.hpp"
#include "tools/reproduce/places.hpp"
#include "tools/reproduce/queues.hpp"

namespace rhizome::reproduce_test {

using namespace scenarios;
using namespace tools;

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

TEST_CASE("a published claim holds in every cell that it names, and not in some of them") {
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
  CHECK(verdict("test = \"a.makespan < b.makespan\"\n"
                "where = [\"workload.jobs=200\", \"workload.jobs=800\"]") == Standing::fails);
  CHECK(verdict("test = \"a.makespan < b.makespan\"\n"
                "where = [\"workload.jobs=100\", \"workload.jobs=200\"]") == Standing::holds);
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

TEST_CASE("a claim of a number holds by its margin, not because its interval is wide") {
  Study study;
  study.add("200", "a", "makespan", {9.0, 10.0, 11.0});
  const auto verdict = [&](const std::string& keys) {
    const PublishedClaim claim = claim_of("test = \"a.makespan = 10\"\n" + keys);
    return judge_published(claim, study.runs, 0.95).front().standing;
  };
  CHECK(verdict("within = 0.1") == Standing::not_distinguishable);
  CHECK(verdict("within = 0.5") == Standing::holds);
  CHECK(verdict("within_absolute = 5") == Standing::holds);
  study.runs.clear();
  study.add("200", "a", "makespan", {14.0, 14.1, 14.2});
  CHECK(verdict("within = 0.1") == Standing::fails);
  CHECK(verdict("within_absolute = 4") == Standing::not_distinguishable);
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespan = 10\"") ==
        "x.toml:6:1: \"within\" belongs to the tests \"A same\" and \"A = B\", which need it");
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespan = 0\"\nwithin = 0.1") ==
        "x.toml:6:1: there is no share of 0: state \"within_absolute\"");
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespan < 1\"\nwithin = 0.1") != "");
  CHECK(refusal(head + "[[claim]]\ntest = \"a.makespan < 1\"\nwithin_absolute = 0.1") != "");
}

TEST_CASE("a claim says whether it is published, derived or ours, and so does the page") {
  CHECK(claim_of("test = \"a.makespan < 2\"").origin == Origin::published);
  CHECK(refusal(head + "[[claim]]\norigin = \"theirs\"").starts_with("x.toml:6:1: \"origin\""));
  const auto row = [](const std::string& origin) {
    ReproducedList list;
    const std::string text = head + "[[claim]]\nsays = \"it is so\"\norigin = \"" + origin +
                             "\"\ntest = \"a.makespan < 2\"";
    list.push_back(reproduce(parse_reproduction(text, "x.toml"), {}, 0.95));
    return page_of(*list.front(), {.command = "", .version = ""});
  };
  for (const std::string origin : {"published", "derived", "ours"})
    CHECK(row(origin).find("| it is so | " + origin + " |") != std::string::npos);
}

TEST_CASE("the index counts the verdicts of each result and links to its page") {
  ReproducedList list;
  const std::string text = head + "[[claim]]\nsays = \"it is so\"\ntest = \"a.makespan < 2\"";
  list.push_back(reproduce(parse_reproduction(text, "x.toml"), {}, 0.95));
  const Reproduction& result = list.front()->result;
  const std::string index = index_of(list, {.command = "", .version = ""});
  const std::string open = std::to_string(list.front()->verdicts.size());
  CHECK(index.find("| [" + result.name + "](" + page_name(result) + ") " + result.title +
                   " | 0 | 0 | " + open + " |\n") != std::string::npos);
  CHECK(index.ends_with("| all | 0 | 0 | " + open + " |\n"));
}

TEST_CASE("the name of a page has no folder") {
  Reproduction result;
  result.name = "organic-grid/fig5-1";
  CHECK(page_name(result) == "organic-grid-fig5-1.md");
}

TEST_CASE("pages tell what they lack: figures, and claims that were not judged") {
  ReproducedList list;
  list.push_back(reproduce(parse_reproduction(head, "x.toml"), {}, 0.95));
  const auto page = [&](const PageOptions& options) { return page_of(*list.front(), options); };
  CHECK(page({}).find("no figures") == std::string::npos);
  CHECK(page({.no_figures = "drawing takes a pen: buy one"})
            .find("\n\n**This page has no figures**: drawing takes a pen: buy one, and make it "
                  "again.\n\n") != std::string::npos);
  CHECK(index_of(list, {.partial = {"x is not judged"}}).find("\n\n**!** x is not judged\n\n") !=
        std::string::npos);
}

TEST_CASE("claims that the intervals leave open are not distinguishable") {
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

namespace {

const std::string queues = R"(
peers = {count = 4, speed_min = 2, speed_max = 2}
[workload]
jobs = 10
portions = 1
portion_time = "2s"
portion_distribution = "exponential"
arrivals = "exponential"
spacing = ["500ms", "312500us"]
[[scheduler]]
use = "sparrow"
label = "early"
sampling = "per-task"
probes = 3
[[scheduler]]
use = "round-robin"
)";

std::string points_of(const std::string& law, const std::string& of = "early.mean_response") {
  return head + "[[points]]\nsays = \"it is so\"\nof = \"" + of +
         "\"\nacross = \"workload.spacing\"\nwithin = 0.1\nlaw = \"" + law + "\"\n";
}

Reproduction with_laws(const std::string& text, const std::string& study = queues) {
  Reproduction made = parse_reproduction(text, "x.toml");
  apply_laws(made, parse_scenario(study, "study.toml"));
  return made;
}

std::string misfit(const std::string& text, std::string study, const std::string& what = {},
                   const std::string& instead = {}) {
  if (!what.empty()) study.replace(study.find(what), what.size(), instead);
  try {
    static_cast<void>(with_laws(text, study));
  } catch (const InputError& error) {
    return error.what();
  }
  return "fits";
}

}  // namespace

TEST_CASE("a law computes its points from the cells of the study") {
  const auto point = [](const std::string& law, const std::string& metric, std::size_t cell) {
    return with_laws(points_of(law, "early." + metric)).claims.front().points.at(cell);
  };
  CHECK(point("mg1", "mean_response", 0).first == "500ms");
  CHECK(point("mg1", "mean_response", 0).second == doctest::Approx(mm1_response(0.5)));
  CHECK(point("mg1", "mean_response", 1).second == doctest::Approx(mm1_response(0.8)));
  CHECK(point("mg1", "mean_queueing", 1).second == doctest::Approx(mm1_wait(0.8)));
  CHECK(point("mmn", "mean_queueing", 1).second == doctest::Approx(mmn_wait(4, 0.8)));
  CHECK(point("power-of-choices", "mean_response", 1).second ==
        doctest::Approx(power_of_choices_response(3, 0.8)));
  CHECK(point("least-loaded", "mean_response", 1).second ==
        doctest::Approx(least_loaded_response(3, 0.8)));
}

TEST_CASE("a law holds by the interval of the ratio to it, and its distance is told in per cent") {
  const std::string text = points_of("mg1");
  const Reproduction result = with_laws(text);
  const auto standing = [&](const std::vector<double>& measured) {
    std::vector<RunFigures> runs;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      RunFigures run;
      run.identity.cell = {{"workload.spacing", "\"500ms\""}};
      run.identity.label = "early";
      run.identity.seed = i;
      run.values.assign(metrics().size(), measured[i]);
      runs.push_back(std::move(run));
    }
    ReproducedList list;
    list.push_back(reproduce(result, runs, 0.95));
    return std::pair(list.front()->verdicts.front().standing, text_of(list, {}, true));
  };
  CHECK(standing({1.98, 2.00, 2.02}).first == Standing::holds);
  CHECK(standing({1.5, 2.0, 2.5}).first == Standing::not_distinguishable);
  CHECK(standing({2.98, 3.00, 3.02}).first == Standing::fails);
  const auto told = [&](const std::vector<double>& measured, const std::string& part) {
    return standing(measured).second.find(part) != std::string::npos;
  };
  CHECK(told({1.98, 2.00, 2.02}, "Verdicts: 1 holds, 0 do not hold, 0 are open."));
  CHECK(told({1.5, 2.0, 2.5}, "Verdicts: 0 hold, 0 do not hold, 1 is open."));
  CHECK(told({2.98, 3.00, 3.02}, "Verdicts: 0 hold, 1 does not hold, 0 are open."));
  CHECK(standing({1.90, 1.92, 1.94}).second.find("against 2.000 (theory), -4.0 % [-6.5, -1.5]") !=
        std::string::npos);
  CHECK(told({1.98, 2.00, 2.02}, "\n      " + result.claims.front().test + "\n"));
}

TEST_CASE("a law that does not fit its study is refused where it stands") {
  const std::string needs = "x.toml:10:1: this law needs a study with ";
  const std::string mg1 = points_of("mg1");
  CHECK(misfit(mg1, queues) == "fits");
  CHECK(misfit(mg1, queues, "portion_distribution = \"exponential\"\n", "") ==
        needs + "exponential or Pareto durations");
  CHECK(misfit(mg1, queues, "arrivals = \"exponential\"\n", "") == needs + "exponential arrivals");
  CHECK(misfit(mg1, queues, "portions = 1", "portions = 2") == needs + "jobs of one task");
  CHECK(misfit(mg1, queues, "speed_min = 2", "speed_min = 1") == needs + "peers of one speed");
  CHECK(misfit(mg1, queues, "count = 4", "count = 4, slots = 2") == needs + "peers of one slot");
  CHECK(misfit(mg1, queues, "312500us", "250ms") == needs + "a load below 1");
  CHECK(misfit(mg1, queues, "[\"500ms\", \"312500us\"]", "\"500ms\"") ==
        "x.toml:10:1: the study does not sweep \"workload.spacing\"");
  CHECK(misfit(points_of("mg1", "late.mean_response"), queues) ==
        "x.toml:10:1: the study has no scheduler \"late\"");
  CHECK(misfit(points_of("least-loaded", "round-robin.mean_response"), queues) ==
        "x.toml:10:1: this law needs a scheduler with probes, unlike \"round-robin\"");
}

TEST_CASE("a law that is unknown or has points already is refused") {
  CHECK(refusal(points_of("mm2")) == "x.toml:10:1: there is no law \"mm2\"; did you mean \"mmn\"?");
  CHECK(refusal(points_of("mg1", "early.makespan")).starts_with("x.toml:10:1: laws speak of"));
  CHECK(refusal(points_of("mg1") + "values = [\"500ms\"]\npublished = [2]\n")
            .starts_with("x.toml:10:1: a law computes its points"));
}

TEST_CASE("a figure drawn at the load has the law's curve from the least load to the largest") {
  const std::string figure =
      "[[figure]]\nmetric = \"mean_response\"\nlabels = [\"early\"]\n"
      "across = \"workload.spacing\"\ndrawn_at = \"load\"\naxis = \"load\"\n";
  const auto made = reproduce(with_laws(points_of("mg1") + figure), {}, 0.95);
  const Json& curve = made->charts.front().spec.at("layer").at(0).at("data").at("values");
  CHECK(curve.items().front().at("x").get<double>() == doctest::Approx(0.5));
  CHECK(curve.items().back().at("x").get<double>() == doctest::Approx(0.8));
  CHECK(curve.items().back().at("mean").get<double>() == doctest::Approx(5));
  CHECK(misfit(head + figure, queues).starts_with("x.toml:9:1: a figure drawn at the load needs"));
  CHECK(refusal(head + figure + "values = [\"500ms\"]\n").starts_with("x.toml:9:1: "));
}

TEST_CASE("a claim or a figure about a cell that the study has not is refused, not passed over") {
  const auto refused = [](const std::string& text) {
    try {
      check_places(parse_reproduction(text, "x.toml"), parse_scenario(queues, "study.toml"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("fits");
  };
  const std::string claim =
      head + "[[claim]]\nsays = \"it is so\"\ntest = \"early.makespan > 1\"\n";
  const std::string there = "workload.spacing=500ms";
  CHECK(refused(claim + "where = \"" + there + "\"\n") == "fits");
  CHECK(refused(claim + "where = \"workload#0.spacing=500ms\"\n") ==
        "x.toml:8:1: the study has no cell \"workload#0.spacing=500ms\"");
  CHECK(refused(claim + "except = [\"" + there + "\", \"peers.count=9\"]\n") ==
        "x.toml:8:1: the study has no cell \"peers.count=9\"");
  const std::string points = head +
                             "[[points]]\nsays = \"it is so\"\nof = \"early.makespan\"\n"
                             "across = \"workload.spacing\"\nwithin = 0.1\npublished = [1]\n";
  CHECK(refused(points + "values = [\"500ms\"]\n") == "fits");
  CHECK(refused(points + "values = [\"501ms\"]\n").starts_with("x.toml:11:1: the study has no"));
  const std::string figure = head +
                             "[[figure]]\nmetric = \"makespan\"\nlabels = [\"early\"]\n"
                             "across = \"workload.spacing\"\ndrawn_at = [1]\n";
  CHECK(refused(figure + "values = [\"500ms\"]\n") == "fits");
  CHECK(refused(figure + "values = [\"502ms\"]\n").starts_with("x.toml:10:1: the study has no"));
}

TEST_CASE("every published result names labels and cells that its study has") {
  for (Reproduction& result : all_reproductions()) {
    CAPTURE(result.name);
    // In place of a trace that is not shipped, a sample of the same columns.
    const test::TemporaryDirectory folder;
    if (!result.data.empty())
      std::filesystem::copy_file(test::shipped("scenarios/data/google2011_sample.csv.gz"),
                                 folder.path() / result.data);
    const auto cells =
        parse_scenario(study_text(result.study), (folder.path() / result.study).string());
    apply_laws(result, cells);
    CHECK_NOTHROW(check_places(result, cells));
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

}  // namespace rhizome::reproduce_test
