// The links of an overlay.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "tools/tree/picture.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tools {

namespace {

constexpr double ring_middle = 500;
constexpr double ring_radius = 455;

struct Spot {
  std::string x;
  std::string y;
};

Spot place_of(std::size_t peer, std::size_t peers) {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(peer) / static_cast<double>(peers);
  return {fmt::format("{:.1f}", ring_middle + ring_radius * std::sin(angle)),
          fmt::format("{:.1f}", ring_middle - ring_radius * std::cos(angle))};
}

// By peer: how many of the living know it.
struct Degrees {
  explicit Degrees(const HeldLinks& held) : known_by(held.living.size()) {
    for (const auto& [holder, peer] : held.links)
      if (held.living[holder]) {
        ++known_by[peer];
        ++links;
      }
    living = static_cast<std::size_t>(std::ranges::count(held.living, true));
    for (std::size_t i = 0; i < known_by.size(); ++i) {
      if (!held.living[i]) continue;
      least = std::min(least, known_by[i]);
      most = std::max(most, known_by[i]);
    }
    mean = living == 0 ? 0 : static_cast<double>(links) / static_cast<double>(living);
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} links of {} living peers, {:.3g} a peer, who is known by {} to {}",
                       links, living, mean, std::min(least, most), most);
  }
  std::vector<std::size_t> known_by;
  std::size_t links = 0;
  std::size_t living = 0;
  std::size_t least = ~std::size_t{0};
  std::size_t most = 0;
  double mean = 0;
};

void add_spot(Element svg, const Spot& at, double size, bool alive, const std::string& text) {
  svg.add("circle", {{"cx", at.x},
                     {"cy", at.y},
                     {"r", fmt::format("{:.1f}", size)},
                     {"fill", alive ? "#0072b2" : "white"},
                     {"stroke", alive ? "white" : "#d55e00"}})
      .add("title")
      .text(text);
  svg.end_line();
}

}  // namespace

std::string text_of(const HeldLinks& held) {
  std::map<std::uint32_t, std::string> lines;
  for (const auto& [holder, peer] : held.links) lines[holder] += " " + std::to_string(peer);
  std::string text;
  for (const auto& [holder, known] : lines)
    text += std::to_string(holder) + " knows" + known + "\n";
  return text + Degrees(held).text() + "\n";
}

std::string dot_of(const HeldLinks& held) {
  std::string text = "digraph overlay {\n  node [shape=circle];\n";
  for (std::size_t i = 0; i < held.living.size(); ++i)
    text += fmt::format("  {}{};\n", i, held.living[i] ? "" : " [style=dotted]");
  for (const auto& [holder, peer] : held.links) text += fmt::format("  {} -> {};\n", holder, peer);
  return text + "}\n";
}

std::string graphml_of(const HeldLinks& held) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"alive\" for=\"node\" attr.name=\"alive\" attr.type=\"boolean\"/>\n"
      "  <graph edgedefault=\"directed\">\n";
  for (std::size_t i = 0; i < held.living.size(); ++i)
    text += fmt::format("    <node id=\"{}\"><data key=\"alive\">{}</data></node>\n", i,
                        static_cast<bool>(held.living[i]));
  for (const auto& [holder, peer] : held.links)
    text += fmt::format("    <edge source=\"{}\" target=\"{}\"/>\n", holder, peer);
  return text + "  </graph>\n</graphml>\n";
}

std::string svg_of(const HeldLinks& held, const std::string& title) {
  const Degrees degrees(held);
  const std::size_t peers = held.living.size();
  const Markup picture = blank_picture(title, degrees.text());
  Element svg = picture.root();
  const double opacity = std::clamp(2500.0 / static_cast<double>(held.links.size() + 1), 0.05, 0.6);
  Element lines = svg.add("g", {{"stroke", "#777"},
                                {"stroke-width", "0.6"},
                                {"stroke-opacity", fmt::format("{:.2f}", opacity)}});
  for (const auto& [holder, peer] : held.links) {
    if (!held.living[holder]) continue;
    const Spot from = place_of(holder, peers);
    const Spot to = place_of(peer, peers);
    lines.add("line", {{"x1", from.x}, {"y1", from.y}, {"x2", to.x}, {"y2", to.y}});
    lines.end_line();
  }
  // The dot of a peer that as many know as in the mean just touches its neighbours.
  const double base =
      std::clamp(std::numbers::pi * ring_radius / static_cast<double>(peers), 1.0, 12.0);
  for (std::size_t i = 0; i < peers; ++i) {
    const double share = static_cast<double>(degrees.known_by[i]) / std::max(1.0, degrees.mean);
    add_spot(svg, place_of(i, peers), base * std::clamp(share, 0.4, 3.0), held.living[i],
             fmt::format("peer {}, known by {}{}", i, degrees.known_by[i],
                         held.living[i] ? "" : ", down"));
  }
  svg.add("text", {{"x", "40"}, {"y", "1030"}, {"font-size", "18"}}).text(title);
  svg.add("text", {{"x", "40"}, {"y", "1051"}, {"font-size", "15"}}).text(degrees.text());
  return picture.text();
}

}  // namespace rhizome::tools
