#include "overlay/graphml.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <pugixml.hpp>
#include <queue>
#include <set>
#include <string_view>

#include "core/peer/number_text.hpp"
#include "overlay/xml.hpp"

namespace rhizome::overlay {

namespace {

// A file's text, to turn pugixml's offsets into lines and columns.
class Source {
 public:
  Source(const std::string& file, const std::string& text) : file_(file), text_(text) {}
  [[noreturn]] void refuse(std::ptrdiff_t offset, const std::string& message) const {
    const auto size = static_cast<std::ptrdiff_t>(text_.size());
    const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, size);
    const auto line = std::count(text_.begin(), end, '\n') + 1;
    const auto begin = std::find(std::make_reverse_iterator(end), text_.rend(), '\n').base();
    throw GraphmlError(file_, static_cast<std::size_t>(line),
                       static_cast<std::size_t>(end - begin) + 1, message);
  }

 private:
  const std::string& file_;
  const std::string& text_;
};

// A node attribute that is read here: what the file calls it, and what nodes have that say nothing.
// All nodes may have the default value of an attribute, so that it is as short as a name.
constexpr std::size_t longest_value = 200;
constexpr std::uint32_t most_nodes = 1'000'000;

struct Attribute {
  std::string id{};  // empty where the file does not have it
  pugi::xml_node standard{};
};

// The keys of node attributes, whose names are read in any case. A key without "for" counts, too.
struct Attributes {
  explicit Attributes(const pugi::xml_node& root) {
    for (const pugi::xml_node& key : root.children("key")) {
      const std::string_view of = key.attribute("for").value();
      if (!of.empty() && of != "node" && of != "all") continue;
      std::string name = key.attribute("attr.name").value();
      for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      const Attribute made{key.attribute("id").value(), key.child("default")};
      if (name == "label") label = made;
      if (name == "latitude") latitude = made;
      if (name == "longitude") longitude = made;
    }
  }
  Attribute label;
  Attribute latitude;
  Attribute longitude;
};

// The element with the attribute's value; an element without text counts as missing, so that the
// attribute's default holds.
pugi::xml_node data_of(const pugi::xml_node& node, const Attribute& attribute) {
  if (attribute.id.empty()) return {};
  const pugi::xml_node said = node.find_child_by_attribute("data", "key", attribute.id.c_str());
  if (*said.child_value() != '\0') return said;
  return *attribute.standard.child_value() != '\0' ? attribute.standard : pugi::xml_node();
}

double degrees(const Source& source, const pugi::xml_node& data, double most) {
  std::string_view text = data.child_value();
  if (text.size() > longest_value) source.refuse(data.offset_debug(), "a coordinate is too long");
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  const auto value = core::parse_number<double>(text);
  if (!value || !(std::abs(*value) <= most))
    source.refuse(data.offset_debug(), "a coordinate must be a number of degrees");
  return *value;
}

std::optional<GeoPoint> place_of(const Source& source, const pugi::xml_node& node,
                                 const Attributes& ids) {
  const pugi::xml_node latitude = data_of(node, ids.latitude);
  const pugi::xml_node longitude = data_of(node, ids.longitude);
  if (!latitude || !longitude) return {};
  return GeoPoint{degrees(source, latitude, 90), degrees(source, longitude, 360)};
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// Haversine on a sphere of the earth's mean radius, in metres.
double distance(const GeoPoint& a, const GeoPoint& b) {
  constexpr double earth_radius = 6'371'000;
  const double latitude = std::sin(radians(b.latitude - a.latitude) / 2);
  const double longitude = std::sin(radians(b.longitude - a.longitude) / 2);
  const double h = latitude * latitude + std::cos(radians(a.latitude)) *
                                             std::cos(radians(b.latitude)) * longitude * longitude;
  return 2 * earth_radius * std::asin(std::sqrt(std::min(1.0, h)));
}

// The middle of the placed neighbours, as a mean of vectors, so that no pair of them is torn apart
// at the date line. Nothing when no neighbour has a place.
std::optional<GeoPoint> middle_of(std::span<const core::PeerId> neighbours,
                                  const std::vector<std::optional<GeoPoint>>& places) {
  double x = 0;
  double y = 0;
  double z = 0;
  bool any = false;
  for (const core::PeerId next : neighbours) {
    const std::optional<GeoPoint>& place = places[next.value];
    if (!place) continue;
    any = true;
    x += std::cos(radians(place->latitude)) * std::cos(radians(place->longitude));
    y += std::cos(radians(place->latitude)) * std::sin(radians(place->longitude));
    z += std::sin(radians(place->latitude));
  }
  if (!any) return {};
  constexpr double to_degrees = 180 / std::numbers::pi;
  return GeoPoint{std::atan2(z, std::hypot(x, y)) * to_degrees, std::atan2(y, x) * to_degrees};
}

// The place of every node; those without one are placed amid their neighbours, round by round.
std::vector<GeoPoint> settle(const Topology& topology, const Graph& graph,
                             const std::string& file) {
  std::vector<std::optional<GeoPoint>> places = topology.places;
  for (bool changed = true; changed;) {
    changed = false;
    const auto before = places;
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      if (places[i]) continue;
      places[i] = middle_of(graph.neighbours[i], before);
      changed |= places[i].has_value();
    }
  }
  std::vector<GeoPoint> settled;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i])
      throw GraphmlError(
          file, 1, 1,
          "node \"" + topology.labels[i] +
              "\" has no coordinates, nor has any node that it is linked with: give it "
              "data of the keys Latitude and Longitude, or choose another latency");
    settled.push_back(*places[i]);
  }
  return settled;
}

// The lengths of the links of each peer in seconds, in the order of its neighbours.
using Lengths = std::vector<std::vector<double>>;

Lengths lengths_of(const Graph& graph, const std::vector<GeoPoint>& places) {
  constexpr double metres_per_second = 2e8;  // light in fibre
  Lengths lengths(graph.peers());
  for (std::uint32_t node = 0; node < graph.peers(); ++node)
    for (const core::PeerId next : graph.neighbours[node])
      lengths[node].push_back(distance(places[node], places[next.value]) / metres_per_second);
  return lengths;
}

// Dijkstra's shortest paths in seconds.
std::vector<double> paths_from(std::uint32_t start, const Graph& graph, const Lengths& lengths) {
  std::vector<double> best(graph.peers(), std::numeric_limits<double>::infinity());
  std::priority_queue<std::pair<double, std::uint32_t>,
                      std::vector<std::pair<double, std::uint32_t>>, std::greater<>>
      open;
  best[start] = 0;
  open.emplace(0.0, start);
  while (!open.empty()) {
    const auto [at, node] = open.top();
    open.pop();
    if (at > best[node]) continue;
    for (std::size_t i = 0; i < lengths[node].size(); ++i) {
      const std::uint32_t next = graph.neighbours[node][i].value;
      const double there = at + lengths[node][i];
      if (there >= best[next]) continue;
      best[next] = there;
      open.emplace(there, next);
    }
  }
  return best;
}

using Positions = std::map<std::string, std::uint32_t>;

void read_node(const Source& source, const pugi::xml_node& node, const Attributes& ids,
               Positions& positions, Topology& topology) {
  const std::string id = node.attribute("id").value();
  if (id.empty()) source.refuse(node.offset_debug(), "a node has no id");
  const auto position = static_cast<std::uint32_t>(topology.labels.size());
  if (!positions.emplace(id, position).second)
    source.refuse(node.offset_debug(), "two nodes have the id \"" + id + "\"");
  const std::string_view label = data_of(node, ids.label).child_value();
  if (std::max(label.size(), id.size()) > longest_value)
    source.refuse(node.offset_debug(), "a node has an id or a label of more than 200 bytes");
  if (position == most_nodes)
    source.refuse(node.offset_debug(), "there are more than a million nodes");
  topology.labels.push_back(label.empty() ? id : std::string(label));
  topology.places.push_back(place_of(source, node, ids));
}

// What a topology has no place for must not be lost without a word.
void refuse_others(const Source& source, const pugi::xml_node& graph) {
  const auto refuse = [&source](const pugi::xml_node& found, const std::string& what) {
    if (found)
      source.refuse(found.offset_debug(),
                    what +
                        " cannot be read: a topology is one <graph> of nodes and of edges that "
                        "link two of them");
  };
  refuse(graph.next_sibling("graph"), "a second <graph>");
  refuse(graph.child("hyperedge"), "a <hyperedge>");
  for (const pugi::xml_node& node : graph.children("node"))
    refuse(node.child("graph"), "a <graph> within a node");
  for (const pugi::xml_node& edge : graph.children("edge"))
    refuse(edge.child("graph"), "a <graph> within an edge");
}

Edge read_edge(const Source& source, const pugi::xml_node& edge, const Positions& positions) {
  const auto end = [&](const char* name) {
    const std::string id = edge.attribute(name).value();
    const auto found = positions.find(id);
    if (found == positions.end())
      source.refuse(edge.offset_debug(), "the " + std::string(name) + " of this edge, \"" + id +
                                             "\", is the id of no node");
    return found->second;
  };
  const std::uint32_t from = end("source");
  return std::minmax({from, end("target")});
}

}  // namespace

GraphmlError::GraphmlError(std::string in_file, std::size_t at_line, std::size_t at_column,
                           std::string why)
    : std::runtime_error(in_file + ":" + std::to_string(at_line) + ":" + std::to_string(at_column) +
                         ": " + why),
      file(std::move(in_file)),
      line(at_line),
      column(at_column),
      message(std::move(why)) {}

Topology parse_graphml(const std::string& text, const std::string& file) {
  const Source source(file, text);
  if (has_too_many_parts(text)) source.refuse(0, too_many_parts);
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (!result) source.refuse(result.offset, std::string("this is no XML: ") + result.description());
  const pugi::xml_node root = document.child("graphml");
  const pugi::xml_node graph = root.child("graph");
  if (!graph) source.refuse(0, "this is no GraphML: it has no <graph> within <graphml>");
  const Attributes ids(root);
  refuse_others(source, graph);
  Topology topology;
  Positions positions;
  for (const pugi::xml_node& node : graph.children("node"))
    read_node(source, node, ids, positions, topology);
  if (topology.labels.empty()) source.refuse(graph.offset_debug(), "the graph has no nodes");
  std::set<Edge> seen;
  for (const pugi::xml_node& edge : graph.children("edge")) {
    const Edge ends = read_edge(source, edge, positions);
    if (ends.first != ends.second && seen.insert(ends).second) topology.edges.push_back(ends);
  }
  return topology;
}

Graph graph_from(const Topology& topology, std::uint32_t peers) {
  const auto nodes = static_cast<std::uint32_t>(topology.labels.size());
  std::vector<Edge> edges;
  for (std::uint32_t round = 0; round * nodes < peers; ++round)
    for (const auto& [a, b] : topology.edges)
      edges.emplace_back(round * nodes + a, round * nodes + b);
  for (std::uint32_t i = nodes; i < peers; ++i) edges.emplace_back(i, i - nodes);
  std::erase_if(edges, [peers](const Edge& e) { return e.first >= peers || e.second >= peers; });
  Graph graph = graph_of(peers, edges);
  connect(graph);
  return graph;
}

std::vector<std::vector<core::Duration>> delays_of(const Topology& topology,
                                                   const std::string& file) {
  constexpr std::size_t most_nodes = 5000;  // 200 MB of delays
  constexpr std::size_t most_steps = 200'000'000;
  const std::size_t nodes_in_all = topology.labels.size();
  const auto refuse = [&file](const std::string& has, const std::string& at_most) {
    throw GraphmlError(file, 1, 1,
                       "the topology has " + has + ", and delays are computed for at most " +
                           at_most + ": choose another latency");
  };
  if (nodes_in_all > most_nodes)
    refuse(std::to_string(nodes_in_all) + " nodes", std::to_string(most_nodes));
  if (nodes_in_all * topology.edges.size() > most_steps)
    refuse(std::to_string(topology.edges.size()) + " edges",
           std::to_string(most_steps / nodes_in_all) + " between so many nodes");
  const Graph graph = graph_of(static_cast<std::uint32_t>(topology.labels.size()), topology.edges);
  const Lengths lengths = lengths_of(graph, settle(topology, graph, file));
  const std::uint32_t nodes = graph.peers();
  std::vector<std::vector<core::Duration>> delays(nodes, std::vector<core::Duration>(nodes));
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::vector<double> paths = paths_from(i, graph, lengths);
    for (std::uint32_t j = i; j < nodes; ++j) {
      if (std::isinf(paths[j]))
        throw GraphmlError(file, 1, 1,
                           "there is no way from node \"" + topology.labels[i] + "\" to node \"" +
                               topology.labels[j] +
                               "\": add the edges that are missing, or choose another latency");
      delays[i][j] = delays[j][i] = core::from_seconds(paths[j]);
    }
  }
  return delays;
}

}  // namespace rhizome::overlay
