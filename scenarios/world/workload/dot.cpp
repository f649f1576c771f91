// Graphs of tasks in the DOT language of Graphviz, as SimGrid, DAGGEN and people write them.
#include "scenarios/world/workload/graph_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/source_text.hpp"
#include "scenarios/world/workload/dot_tokens.hpp"
#include "scenarios/world/workload/named_graph.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr std::size_t most_nested = 100;  // subgraphs
// Two sets of nodes have an edge for every pair: no more than a file of this length would name, and
// of a short file not very many.
constexpr std::size_t most_edges_of_short = 1'000'000;
constexpr std::size_t most_edges = 10'000'000;
constexpr double largest_file = 1e15;
constexpr double most_cores = 1024;
// The attributes that mean something here, all of them numbers. Each node has a copy of its
// defaults, so that no others are kept.
constexpr std::array<std::string_view, 6> meant{"bytes",    "cores",   "cpus",
                                                "duration", "runtime", "size"};
constexpr std::size_t longest_number = 30;

// A value and where it stands; empty for none.
struct Value {
  std::string text{};
  std::size_t offset = 0;
};
using Attributes = std::array<Value, meant.size()>;  // in the order of `meant`

std::size_t place_of(std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(meant, key) - meant.begin());
}

struct Node {
  std::string name{};
  std::size_t offset = 0;
  Attributes attributes{};
};
struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint64_t bytes = 0;
};

// The nodes and edges of a file.
class DotReader {
 public:
  explicit DotReader(const SourceText& source) : source_(source), tokens_(source) {}

  void read() {
    tokens_.accept_keyword("strict");
    const std::size_t begin = tokens_.next().offset;
    if (tokens_.accept_keyword("graph"))
      source_.refuse(begin, "this graph has no directions: a graph of tasks is a digraph");
    if (!tokens_.accept_keyword("digraph"))
      source_.refuse(begin, "this is no DOT file: it does not begin with \"digraph\"");
    if (tokens_.next().kind == DotToken::Kind::word) tokens_.take();
    tokens_.expect("{");
    statements({});
    if (tokens_.next().kind != DotToken::Kind::end)
      source_.refuse(tokens_.next().offset, "a file has one digraph, and this stands behind it");
    if (nodes_.empty()) source_.refuse(begin, "the digraph has no node");
  }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

 private:
  using Places = std::vector<std::size_t>;  // of nodes
  struct Defaults {
    Attributes node{};
    Attributes edge{};
  };

  // Reads statements up to and including the closing brace. Returns the nodes in them.
  Places statements(Defaults defaults) {
    if (++nested_ > most_nested) source_.refuse(tokens_.next().offset, "subgraphs nest too deep");
    Places all;
    while (!tokens_.accept("}")) {
      if (tokens_.next().kind == DotToken::Kind::end)
        source_.refuse(tokens_.next().offset, "the closing \"}\" is missing");
      if (!tokens_.accept(";") && !tokens_.accept(",")) statement(defaults, all);
    }
    --nested_;
    return all;
  }

  void statement(Defaults& defaults, Places& all) {
    if (tokens_.accept_keyword("node")) return read_attributes(defaults.node);
    if (tokens_.accept_keyword("edge")) return read_attributes(defaults.edge);
    if (tokens_.accept_keyword("graph")) {
      Attributes ignored;
      return read_attributes(ignored);
    }
    chain(defaults, all);
  }

  // A node, or nodes with edges between them: `a`, `a -> b -> {c d}`; or `name = value` of a graph.
  void chain(const Defaults& defaults, Places& all) {
    std::vector<Places> ends{endpoint(defaults)};
    if (ends.front().empty()) return;
    while (tokens_.accept("->")) ends.push_back(endpoint(defaults));
    if (tokens_.next().text == "--" && tokens_.next().kind == DotToken::Kind::sign)
      source_.refuse(tokens_.next().offset, "an edge of a digraph is \"->\"");
    for (const Places& places : ends) all.insert(all.end(), places.begin(), places.end());
    if (ends.size() == 1) {
      Attributes said;
      read_attributes(said);
      for (const std::size_t place : ends.front())
        for (std::size_t i = 0; i < said.size(); ++i)
          if (!said[i].text.empty()) nodes_[place].attributes[i] = said[i];
      return;
    }
    Attributes said = defaults.edge;
    read_attributes(said);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) connect(ends[i], ends[i + 1], bytes_in(said));
  }

  // Nothing for `name = value`.
  Places endpoint(const Defaults& defaults) {
    const bool named = tokens_.accept_keyword("subgraph");
    if (named && tokens_.next().kind == DotToken::Kind::word) tokens_.take();
    if (tokens_.accept("{")) return statements(defaults);
    const DotToken word = tokens_.take();
    if (named || word.kind != DotToken::Kind::word)
      source_.refuse(word.offset, "expected a node here");
    if (tokens_.accept("=")) {
      (void)value();
      return {};
    }
    for (int i = 0; i < 2 && tokens_.accept(":"); ++i) tokens_.take();  // ports do not matter
    return {node_of(word, defaults)};
  }

  std::size_t node_of(const DotToken& word, const Defaults& defaults) {
    const auto [found, is_new] = places_.emplace(word.text, nodes_.size());
    if (is_new && nodes_.size() == most_graph_tasks)
      source_.refuse(word.offset, "the graph has more than a million tasks");
    if (is_new) nodes_.push_back({word.text, word.offset, defaults.node});
    return found->second;
  }

  void connect(const Places& from, const Places& to, std::uint64_t bytes) {
    for (const std::size_t a : from)
      for (const std::size_t b : to) {
        if (edges_.size() == most_edges_)
          source_.refuse(nodes_[a].offset, "the digraph has more than " +
                                               std::to_string(most_edges_) +
                                               " edges, too many for a file of its length");
        edges_.push_back({a, b, bytes});
      }
  }

  // `[a = 1, b = 2] [c = 3]`, or nothing.
  void read_attributes(Attributes& into) {
    while (tokens_.accept("[")) {
      while (!tokens_.accept("]")) {
        const DotToken key = tokens_.take();
        if (key.kind != DotToken::Kind::word)
          source_.refuse(key.offset, "expected an attribute, or \"]\", here");
        keep(into, key.text, tokens_.accept("=") ? value() : Value{"true", key.offset});
        if (!tokens_.accept(",")) tokens_.accept(";");
      }
    }
  }

  void keep(Attributes& into, const std::string& key, const Value& said) const {
    const std::size_t place = place_of(key);
    if (place == meant.size()) return;
    if (said.text.size() > longest_number)
      source_.refuse(said.offset, "the " + key + " is too long for a number");
    into[place] = said;
  }

  Value value() {
    const DotToken word = tokens_.take();
    if (word.kind != DotToken::Kind::word) source_.refuse(word.offset, "expected a value here");
    Value said{word.text, word.offset};
    while (tokens_.accept("+")) said.text += tokens_.take().text;
    return said;
  }

  [[nodiscard]] std::uint64_t bytes_in(const Attributes& said) const {
    for (const char* key : {"bytes", "size"})
      if (const Value& value = said[place_of(key)]; !value.text.empty())
        return static_cast<std::uint64_t>(bounded_number(source_, value.offset, value.text,
                                                         "the " + std::string(key) + " of an edge",
                                                         largest_file));
    return 0;
  }

  const SourceText& source_;
  DotTokens tokens_;
  const std::size_t most_edges_ =
      std::clamp(source_.text().size(), most_edges_of_short, most_edges);
  std::size_t nested_ = 0;
  std::map<std::string, std::size_t> places_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

// The first of these attributes that the node has, checked against its bounds; nothing if it has
// none.
std::optional<double> number_of(const SourceText& source, const Node& node,
                                std::initializer_list<const char*> keys, double most) {
  for (const char* key : keys)
    if (const Value& value = node.attributes[place_of(key)]; !value.text.empty())
      return bounded_number(source, value.offset, value.text,
                            "the " + std::string(key) + " of \"" + node.name + "\"", most);
  return {};
}

agents::Job job_of(const SourceText& source, double scale) {
  DotReader reader(source);
  reader.read();
  NamedGraph graph(source);
  for (const Node& node : reader.nodes()) {
    const auto seconds = number_of(source, node, {"duration", "runtime", "size"}, longest_seconds);
    if (!seconds)
      source.refuse(node.offset,
                    "the task \"" + node.name + "\" has no duration: give it [duration = SECONDS]");
    const double cores = number_of(source, node, {"cpus", "cores"}, most_cores).value_or(1);
    graph.add(node.name,
              {.duration = core::from_seconds(*seconds * scale),
               .cpus = static_cast<std::uint32_t>(std::max(1.0, std::ceil(cores)))},
              node.offset);
  }
  for (const Edge& edge : reader.edges()) {
    const Node& to = reader.nodes()[edge.to];
    if (edge.from == edge.to) source.refuse(to.offset, "the task \"" + to.name + "\" needs itself");
    graph.connect(to.name, reader.nodes()[edge.from].name, edge.bytes);
  }
  return graph.job();
}

}  // namespace

std::unique_ptr<agents::Arrivals> open_dot(const WorkloadSection& section) {
  const SourceText source(section.file, most_bytes);
  agents::Workload workload;
  workload.jobs.push_back(job_of(source, section.duration_scale));
  return std::make_unique<agents::ListedArrivals>(std::move(workload));
}

}  // namespace rhizome::scenarios
