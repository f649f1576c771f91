// The catalogues of models: their contents, and the cost of a new model.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/format/section_parts.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios::models_test {

namespace {

using Words = std::vector<std::string>;

// The options of a kind that is in no catalogue.
struct Torus {
  std::uint32_t width = 4;
};

}  // namespace

TEST_CASE("the catalogues of models have the names that scenarios may use, in order") {
  CHECK(words_of(graph_models()) == Words{"erdos-renyi", "ring", "star", "k-out", "watts-strogatz",
                                          "barabasi-albert", "grid", "complete", "graphml"});
  CHECK(words_of(latency_models()) == Words{"none", "constant", "uniform", "lognormal", "matrix",
                                            "graphml", "hosts", "coordinates", "real"});
  CHECK(words_of(workload_models()) == Words{"generated", "google-trace", "swf", "job-list",
                                             "matrix", "wfformat", "stg", "dax", "dot", "growing",
                                             "csv", "alibaba-trace", "azure-trace"});
  CHECK(words_of(lifetime_models()) == Words{"none", "exponential", "pareto", "weibull", "file"});
  CHECK(words_of(downtime_models()) ==
        Words{"never", "constant", "exponential", "pareto", "weibull"});
}

TEST_CASE("a model is found by its position, the first being the default") {
  CHECK(graph_model({}).word == "erdos-renyi");
  CHECK(graph_model(GraphKind{8}).word == "graphml");
  CHECK(latency_model({}).word == "none");
  CHECK(workload_model(WorkloadKind{2}).word == "swf");
  CHECK(lifetime_model({}).word == "none");
  CHECK(downtime_model(DowntimeKind{1}).word == "constant");
}

TEST_CASE("a new kind brings its keys: they are read, written and bound to it") {
  const auto torus = core::Settings<Torus>{}.add("width", &Torus::width, {"Peers in a row."});
  const std::vector<Model> models{
      {"line", "one after the other"},
      {"torus", "a grid without edges", {"file"}, own_settings<GraphSection>(torus)}};
  const auto settings = with_own({}, models);
  REQUIRE(settings.size() == 1);
  GraphSection section;
  CHECK(std::get<std::int64_t>(settings[0].read(&section)) == 4);
  settings[0].assign(&section, std::int64_t{7});
  CHECK(std::get<std::int64_t>(settings[0].read(&section)) == 7);
  CHECK(section.own.of<Torus>().width == 7);
  CHECK(GraphSection{}.own.of<Torus>().width == 4);
  const auto conditions = conditions_of(models, "kind");
  REQUIRE(conditions.size() == 2);
  CHECK(conditions[1].key == "width");
  CHECK(conditions[1].words == Words{"torus"});
}

}  // namespace rhizome::scenarios::models_test
