#include "overlay/graphml.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "overlay/xml.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/graphs.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::graphml_test {

using core::PeerId;
using overlay::GraphmlError;
using overlay::Topology;
using test::shipped;
using test::TemporaryFile;

namespace {

// A file whose <graph> begins on line 5.
std::string graphml(const std::string& graph) {
  return "<?xml version=\"1.0\"?><graphml>\n"
         "<key attr.name=\"label\" for=\"node\" id=\"d0\"/>\n"
         "<key attr.name=\"Latitude\" for=\"node\" id=\"d1\"/>\n"
         "<key attr.name=\"Longitude\" for=\"node\" id=\"d2\"/>\n"
         "<graph>\n" +
         graph + "\n</graph></graphml>\n";
}

std::string node(const std::string& id, const std::string& latitude, const std::string& longitude) {
  return "<node id=\"" + id + "\"><data key=\"d0\">town " + id + "</data><data key=\"d1\">" +
         latitude + "</data><data key=\"d2\">" + longitude + "</data></node>\n";
}

std::string edge(const std::string& from, const std::string& to) {
  return "<edge source=\"" + from + "\" target=\"" + to + "\"/>\n";
}

Topology read(const std::string& text) {
  return scenarios::read_topology(TemporaryFile(text).name());
}

// The error in a text, without the name of its file.
std::string complaint(const std::string& text) {
  const TemporaryFile file(text);
  try {
    (void)scenarios::read_topology(file.name());
  } catch (const GraphmlError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "nothing";
}

double milliseconds(core::Duration d) { return core::seconds(d) * 1e3; }

}  // namespace

TEST_CASE("Abilene is read with its names, places and links") {
  const Topology topology = scenarios::read_topology(shipped("scenarios/data/Abilene.graphml"));
  CHECK(topology.labels.size() == 11);
  CHECK(topology.edges.size() == 14);
  CHECK(topology.labels[7] == "Kansas City");
  CHECK(topology.places[7]->latitude == doctest::Approx(39.11417));
  CHECK(topology.places[7]->longitude == doctest::Approx(-94.62746));
}

TEST_CASE("delays are great circles at two thirds of light along the shortest path") {
  const std::string file = shipped("scenarios/data/Abilene.graphml");
  const Topology topology = scenarios::read_topology(file);
  const auto delays = overlay::delays_of(topology, file);
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(
        std::find(topology.labels.begin(), topology.labels.end(), name) - topology.labels.begin());
  };
  // Kansas City and Denver are linked and 893 km apart.
  CHECK(milliseconds(delays[at("Kansas City")][at("Denver")]) ==
        doctest::Approx(4.47).epsilon(0.01));
  // New York to Los Angeles must go round by the links, longer than the 3,940 km of the great
  // circle.
  CHECK(milliseconds(delays[at("New York")][at("Los Angeles")]) > 19.7);
  CHECK(milliseconds(delays[at("New York")][at("Los Angeles")]) < 30);
  for (std::size_t i = 0; i < delays.size(); ++i) {
    CHECK(delays[i][i].count() == 0);
    for (std::size_t j = 0; j < delays.size(); ++j) CHECK(delays[i][j] == delays[j][i]);
  }
}

TEST_CASE("a default that every node would copy is short, as ids and labels are") {
  const auto with = [](const std::string& value, const std::string& name) {
    return "<graphml><key id=\"k\" for=\"node\" attr.name=\"" + name + "\"><default>" + value +
           "</default></key><key id=\"l\" for=\"node\" "
           "attr.name=\"longitude\"><default>1</default></key>"
           "<graph><node id=\"1\"/></graph></graphml>";
  };
  CHECK_THROWS_AS((void)overlay::parse_graphml(with(std::string(201, 'x'), "label"), "f"),
                  overlay::GraphmlError);
  CHECK_THROWS_AS((void)overlay::parse_graphml(with(std::string(201, ' ') + "1", "latitude"), "f"),
                  overlay::GraphmlError);
  CHECK(overlay::parse_graphml(with(std::string(200, 'x'), "label"), "f").labels.size() == 1);
}

TEST_CASE("loops and repeated links of a file are left out") {
  const Topology topology = read(graphml("<node id=\"a\"/><node id=\"b\"/>" + edge("a", "b") +
                                         edge("b", "a") + edge("a", "a") + edge("a", "b")));
  CHECK(topology.edges == std::vector<overlay::Edge>{{0, 1}});
  CHECK(topology.labels == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a node without a place stands amid its placed neighbours, over the date line too") {
  const auto delays_from = [](const std::string& text) {
    return overlay::delays_of(read(text), "file");
  };
  const auto equator = delays_from(graphml(node("a", "0", "179") + node("b", "0", "-179") +
                                           "<node id=\"c\"/>\n" + edge("a", "c") + edge("c", "b")));
  CHECK(milliseconds(equator[0][2]) == doctest::Approx(0.556).epsilon(0.01));  // one degree
  CHECK(milliseconds(equator[0][1]) == doctest::Approx(1.112).epsilon(0.01));
}

TEST_CASE("a chain of nodes without places is placed from its ends") {
  const auto delays =
      overlay::delays_of(read(graphml(node("a", "10", "20") + "<node id=\"b\"/><node id=\"c\"/>" +
                                      edge("a", "b") + edge("b", "c"))),
                         "file");
  CHECK(delays[0][2].count() == 0);
}

TEST_CASE("a topology whose delays cannot be known is refused in a sentence") {
  const Topology nowhere = read(graphml("<node id=\"a\"/><node id=\"b\"/>" + edge("a", "b")));
  CHECK_THROWS_WITH_AS(
      (void)overlay::delays_of(nowhere, "net.graphml"),
      "net.graphml:1:1: node \"a\" has no coordinates, nor has any node that it is linked with: "
      "give it data of the keys Latitude and Longitude, or choose another latency",
      GraphmlError);
  const Topology torn = read(graphml(node("a", "1", "1") + node("b", "2", "2")));
  CHECK_THROWS_WITH_AS(
      (void)overlay::delays_of(torn, "net.graphml"),
      "net.graphml:1:1: there is no way from node \"town a\" to node \"town b\": add the "
      "edges that are missing, or choose another latency",
      GraphmlError);
}

TEST_CASE("delays between more nodes than memory has room for are refused") {
  std::string nodes;
  for (int i = 0; i <= 5000; ++i) nodes += node(std::to_string(i), "1", "1");
  CHECK_THROWS_WITH_AS(
      (void)overlay::delays_of(read(graphml(nodes)), "net.graphml"),
      "net.graphml:1:1: the topology has 5001 nodes, and delays are computed for at "
      "most 5000: choose another latency",
      GraphmlError);
}

TEST_CASE("delays over more edges than are followed within seconds are refused") {
  overlay::Topology topology;
  topology.labels.resize(5000, "node");
  topology.places.resize(5000, overlay::GeoPoint{1, 1});
  for (std::uint32_t i = 0; topology.edges.size() <= 40'000; ++i)
    topology.edges.emplace_back(i % 4000, i % 4000 + 1 + i / 4000);
  CHECK_THROWS_WITH_AS(
      (void)overlay::delays_of(topology, "net.graphml"),
      "net.graphml:1:1: the topology has 40001 edges, and delays are computed for at most 40000 "
      "between so many nodes: choose another latency",
      overlay::GraphmlError);
}

TEST_CASE("more peers than nodes share the nodes, fewer take the first ones") {
  const Topology topology = scenarios::read_topology(shipped("scenarios/data/Abilene.graphml"));
  const overlay::Graph same = overlay::graph_from(topology, 11);
  CHECK(overlay::edges(same) == 14);
  const overlay::Graph more = overlay::graph_from(topology, 40);
  CHECK(more.peers() == 40);
  CHECK(overlay::is_connected(more));
  CHECK(std::binary_search(more.neighbours[5].begin(), more.neighbours[5].end(), PeerId{16}));
  const overlay::Graph fewer = overlay::graph_from(topology, 6);
  CHECK(fewer.peers() == 6);
  CHECK(overlay::is_connected(fewer));
}

TEST_CASE("errors in a GraphML file are reported with line and column") {
  CHECK(complaint("") == "1:1: this is no XML: No document element found");
  CHECK(complaint("<graphml>\n  <graph>\n</grph></graphml>") ==
        "3:3: this is no XML: Start-end tags mismatch");
  CHECK(complaint(std::string(10'000'001, '=')) == std::string("1:1: ") + overlay::too_many_parts);
  CHECK(complaint("<html/>") == "1:1: this is no GraphML: it has no <graph> within <graphml>");
  CHECK(complaint(graphml("")) == "5:2: the graph has no nodes");
  CHECK(complaint(graphml("<node/>")) == "6:2: a node has no id");
  CHECK(complaint(graphml("<node id=\"a\"/>\n <node id=\"a\"/>")) ==
        "7:3: two nodes have the id \"a\"");
  CHECK(complaint(graphml("<node id=\"a\"/>\n" + edge("a", "z"))) ==
        "7:2: the target of this edge, \"z\", is the id of no node");
  CHECK(complaint(graphml(node("a", "91", "0"))) ==
        "6:43: a coordinate must be a number of degrees");
  CHECK(complaint(graphml(node("a", "0", "west"))) ==
        "6:66: a coordinate must be a number of degrees");
  CHECK(complaint(graphml(node("a", "nan", "0")))
            .ends_with("a coordinate must be a number of degrees"));
}

TEST_CASE("a GraphML file that cannot be read is named") {
  CHECK_THROWS_WITH_AS((void)scenarios::read_topology("/nowhere/net.graphml"),
                       "/nowhere/net.graphml: cannot be read", scenarios::UnreadableFile);
  CHECK_THROWS_AS((void)scenarios::read_topology("/"), scenarios::UnreadableFile);
}

TEST_CASE("keys may have defaults, names in any case, and no \"for\"") {
  const Topology topology = read(
      "\xEF\xBB\xBF<graphml><key id=\"x\" attr.name=\"latitude\"><default>5</default></key>"
      "<key id=\"y\" attr.name=\"LONGITUDE\" for=\"all\"><default>6</default></key>"
      "<key id=\"l\" attr.name=\"Label\" for=\"node\"/><key id=\"e\" attr.name=\"label\" "
      "for=\"edge\"/><graph><node id=\"a\"><data key=\"x\">1</data><data key=\"y\"/>"
      "<data key=\"l\">town</data></node><node id=\"b\"/></graph></graphml>");
  CHECK(topology.labels == std::vector<std::string>{"town", "b"});
  CHECK(topology.places[0]->latitude == 1);
  CHECK(topology.places[0]->longitude == 6);
  CHECK(topology.places[1]->latitude == 5);
}

TEST_CASE("parts of a GraphML file that would be lost are refused with their place") {
  const std::string why =
      " cannot be read: a topology is one <graph> of nodes and of edges that link two of them";
  CHECK(complaint(graphml("<node id=\"a\"><graph/></node>")) ==
        "6:15: a <graph> within a node" + why);
  CHECK(complaint(graphml("<node id=\"a\"/><hyperedge/>")) == "6:16: a <hyperedge>" + why);
  CHECK(complaint(graphml("<node id=\"a\"/></graph>\n<graph>")) == "7:2: a second <graph>" + why);
}

TEST_CASE("no damage to a GraphML file does worse than an error with a position") {
  const std::string whole = test::content_of(shipped("scenarios/data/Abilene.graphml"));
  core::Rng rng(20);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::string text = whole;
    for (int damage = 0; damage < 3; ++damage)
      text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    if (round % 3 == 0) text.resize(rng.below(text.size()));
    const std::string what = complaint(text);
    refused += what == "nothing" ? 0 : 1;
  }
  CHECK(refused > 100);
}

}  // namespace rhizome::graphml_test
