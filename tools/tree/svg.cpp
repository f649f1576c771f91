// The tree as a picture: the root in the centre, a ring for each depth. Leaves share the circle
// evenly, and a peer with children stands at the mean angle of its children.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tools/tree/picture.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tools {

namespace {

using core::PeerId;

constexpr double middle = 500;
constexpr double margin = 40;

struct Point {
  double x = middle;
  double y = middle;
};

std::string number(double value) { return fmt::format("{:.1f}", value); }

// Slow is orange, fast is blue.
std::string colour_of(double share) {
  constexpr std::array<double, 3> slow{0xe6, 0x9f, 0x00};
  constexpr std::array<double, 3> fast{0x00, 0x72, 0xb2};
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i)
    text += fmt::format("{:02x}", std::lround(slow[i] + share * (fast[i] - slow[i])));
  return text;
}

class Picture {
 public:
  Picture(const Tree& tree, const Outcome& outcome)
      : tree_(tree), outcome_(outcome), height_(tree.height()) {
    points_.resize(tree.depth.size());
    for (const PeerOutcome& peer : outcome.peers) {
      slowest_ = std::min(slowest_, peer.speed);
      fastest_ = std::max(fastest_, peer.speed);
    }
    if (tree.root == core::no_peer) return;
    dot_ = std::clamp(56 / std::sqrt(static_cast<double>(tree.members() + 1)), 2.2, 14.0);
    leaves_ = count_leaves();
    place_all();
  }

  [[nodiscard]] std::string text(const std::string& title) const {
    const Markup picture = blank_picture(title, description());
    Element svg = picture.root();
    for (std::uint32_t depth = 1; depth <= height_; ++depth)
      add(svg, "circle",
          {{"cx", "500"},
           {"cy", "500"},
           {"r", number(ring(depth))},
           {"fill", "none"},
           {"stroke", "#eee"}});
    for (std::uint32_t i = 0; i < tree_.depth.size(); ++i)
      if (tree_.depth[i] && tree_.parent[i] != core::no_peer)
        add_line(svg, points_[tree_.parent[i].value], points_[i]);
    for (std::uint32_t i = 0; i < tree_.depth.size(); ++i)
      if (tree_.depth[i]) add_dot(svg, i);
    add_legend(svg, title);
    return picture.text();
  }

 private:
  [[nodiscard]] std::string description() const {
    const std::size_t members = tree_.members();
    if (members == 0) return "No peer belongs to a tree.";
    return "A tree of " + std::to_string(members) + " of " + std::to_string(tree_.depth.size()) +
           " peers, " + std::to_string(height_) + " deep, with peer " +
           std::to_string(tree_.root.value) +
           " in the middle; a ring for each depth, the colour from slow (orange) to fast (blue).";
  }

  [[nodiscard]] std::size_t count_leaves() const {
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < tree_.depth.size(); ++i)
      leaves += tree_.depth[i] && tree_.children[i].empty() ? 1 : 0;
    return leaves;
  }

  // Inner rings have larger radii than in proportion, to give their peers room.
  [[nodiscard]] double ring(std::uint32_t depth) const {
    return (middle - margin) * std::sqrt(static_cast<double>(depth) / std::max(1U, height_));
  }

  // Each parent before its children, and these in their order.
  [[nodiscard]] std::vector<PeerId> from_the_root() const {
    std::vector<PeerId> order;
    std::vector<PeerId> stack{tree_.root};
    while (!stack.empty()) {
      order.push_back(stack.back());
      stack.pop_back();
      const auto& children = tree_.children[order.back().value];
      stack.insert(stack.end(), children.rbegin(), children.rend());
    }
    return order;
  }

  // Without recursion: a tree may be as deep as it has peers.
  void place_all() {
    const std::vector<PeerId> order = from_the_root();
    std::vector<double> at(points_.size());  // angles, in units of leaves
    std::size_t leaf = 0;
    for (const PeerId peer : order)
      if (tree_.children[peer.value].empty()) at[peer.value] = static_cast<double>(leaf++);
    for (auto peer = order.rbegin(); peer != order.rend(); ++peer) {
      const auto& children = tree_.children[peer->value];
      double sum = 0;
      for (const PeerId child : children) sum += at[child.value];
      if (!children.empty()) at[peer->value] = sum / static_cast<double>(children.size());
      points_[peer->value] = point_at(at[peer->value], tree_.depth[peer->value].value_or(0));
    }
  }

  [[nodiscard]] Point point_at(double leaf, std::uint32_t depth) const {
    const double angle =
        2 * std::numbers::pi * leaf / static_cast<double>(std::max<std::size_t>(leaves_, 1));
    const double radius = ring(depth);
    return {middle + radius * std::sin(angle), middle - radius * std::cos(angle)};
  }

  // An element on a line of its own.
  static Element add(Element svg, const char* name, std::initializer_list<Attribute> attributes) {
    Element made = svg.add(name, attributes);
    svg.end_line();
    return made;
  }

  static void add_line(Element svg, const Point& a, const Point& b) {
    add(svg, "line",
        {{"x1", number(a.x)},
         {"y1", number(a.y)},
         {"x2", number(b.x)},
         {"y2", number(b.y)},
         {"stroke", "#999"},
         {"stroke-width", "0.8"}});
  }

  void add_dot(Element svg, std::uint32_t i) const {
    const double speed = outcome_.peers[i].speed;
    const double share = fastest_ > slowest_ ? (speed - slowest_) / (fastest_ - slowest_) : 1;
    const bool root = PeerId{i} == tree_.root;
    add(svg, "circle",
        {{"cx", number(points_[i].x)},
         {"cy", number(points_[i].y)},
         {"r", number(root ? dot_ * 1.5 : dot_)},
         {"fill", colour_of(share)},
         {"stroke", root ? "black" : "white"}})
        .add("title")
        .text("peer " + std::to_string(i) + ", speed " + number(speed * 100) + " %");
  }

  void add_legend(Element svg, const std::string& title) const {
    Element gradient = add(svg, "defs", {}).add("linearGradient", {{"id", "speed"}});
    gradient.add("stop", {{"offset", "0"}, {"stop-color", "#e69f00"}});
    gradient.add("stop", {{"offset", "1"}, {"stop-color", "#0072b2"}});
    add(svg, "rect",
        {{"x", "760"}, {"y", "1015"}, {"width", "160"}, {"height", "12"}, {"fill", "url(#speed)"}});
    add(svg, "text", {{"x", "840"}, {"y", "1046"}, {"text-anchor", "middle"}, {"font-size", "15"}})
        .text(fmt::format("speed {:.2f} … {:.2f}", slowest_, fastest_));
    add(svg, "text", {{"x", "40"}, {"y", "1032"}, {"font-size", "18"}}).text(title);
  }

  const Tree& tree_;
  const Outcome& outcome_;
  const std::uint32_t height_;
  std::vector<Point> points_;
  double dot_ = 6;
  std::size_t leaves_ = 0;
  double slowest_ = 1e300;
  double fastest_ = -1e300;
};

}  // namespace

std::string svg_of(const Tree& tree, const Outcome& outcome, const std::string& title) {
  return Picture(tree, outcome).text(title);
}

}  // namespace rhizome::tools
