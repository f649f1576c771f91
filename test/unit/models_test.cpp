// The catalogues of models stand in the order of their kinds.
#include <doctest/doctest.h>

#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

TEST_CASE("every kind of graph has the model of its name") {
  CHECK(graph_models().size() == 9);
  CHECK(graph_model(GraphKind::erdos_renyi).word == "erdos-renyi");
  CHECK(graph_model(GraphKind::ring).word == "ring");
  CHECK(graph_model(GraphKind::star).word == "star");
  CHECK(graph_model(GraphKind::k_out).word == "k-out");
  CHECK(graph_model(GraphKind::watts_strogatz).word == "watts-strogatz");
  CHECK(graph_model(GraphKind::barabasi_albert).word == "barabasi-albert");
  CHECK(graph_model(GraphKind::grid).word == "grid");
  CHECK(graph_model(GraphKind::complete).word == "complete");
  CHECK(graph_model(GraphKind::graphml).word == "graphml");
}

TEST_CASE("every kind of latency has the model of its name") {
  CHECK(latency_models().size() == 8);
  CHECK(latency_model(LatencyKind::none).word == "none");
  CHECK(latency_model(LatencyKind::constant).word == "constant");
  CHECK(latency_model(LatencyKind::uniform).word == "uniform");
  CHECK(latency_model(LatencyKind::lognormal).word == "lognormal");
  CHECK(latency_model(LatencyKind::matrix).word == "matrix");
  CHECK(latency_model(LatencyKind::graphml).word == "graphml");
  CHECK(latency_model(LatencyKind::hosts).word == "hosts");
  CHECK(latency_model(LatencyKind::coordinates).word == "coordinates");
}

TEST_CASE("every kind of workload has the model of its name") {
  CHECK(workload_models().size() == 3);
  CHECK(workload_model(WorkloadKind::generated).word == "generated");
  CHECK(workload_model(WorkloadKind::google_trace).word == "google-trace");
  CHECK(workload_model(WorkloadKind::swf).word == "swf");
}

}  // namespace rhizome::scenarios
