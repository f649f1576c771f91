// The structure of peers at the end of a run, in a sentence, and as a part of a report.
#include "tools/report/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/outcome/held_links.hpp"
#include "scenarios/outcome/tree.hpp"
#include "tools/report/blocks.hpp"

namespace rhizome::tools {

namespace {

using core::PeerId;
using scenarios::Tree;

std::string counted(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// The spread of counts, such as the children of each parent.
struct Spread {
  std::size_t count = 0;
  std::size_t sum = 0;
  std::size_t most = 0;

  void add(std::size_t value) {
    ++count;
    sum += value;
    most = std::max(most, value);
  }
  // "2.3 children in the mean, and 5 at most".
  [[nodiscard]] std::string text(const std::string& what) const {
    return fmt::format(
        "{:.1f} {} in the mean, and {} at most",
        static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(count, 1)), what,
        most);
  }
};

std::string outside_text(const Tree& tree) {
  const std::size_t outside = tree.depth.size() - tree.members();
  return outside == 0 ? "" : fmt::format("; {} outside of it", counted(outside, "peer"));
}

std::string led_text(const Outcome& outcome) {
  std::set<PeerId> leaders;
  for (const auto& noted : outcome.facts.of<agents::GroupChanged>())
    if (noted.fact.leader == noted.peer) leaders.insert(noted.peer);
  return leaders.empty()
             ? ""
             : "; in the course of the run " + counted(leaders.size(), "peer") + " led a group";
}

std::string tree_text(const Outcome& outcome, const Tree& tree) {
  Spread children;
  for (const auto& below : tree.children)
    if (!below.empty()) children.add(below.size());
  return fmt::format("The last tree has {} in {} below its root, peer {}; a parent has {}{}{}.",
                     counted(tree.members(), "peer"), counted(tree.height(), "level"),
                     tree.root.value, children.text("children"), outside_text(tree),
                     led_text(outcome));
}

// The leaders hang below the queue, and the workers of each below it.
std::string groups_text(const Tree& tree) {
  Spread workers;
  for (const PeerId leader : tree.children[tree.root.value])
    workers.add(tree.children[leader.value].size());
  return fmt::format("The last structure has {} below the queue, peer {}; a leader has {}{}.",
                     counted(workers.count, "group"), tree.root.value, workers.text("workers"),
                     outside_text(tree));
}

// Peers note the links that they hold after the last cycle.
std::string overlay_text(const Outcome& outcome) {
  std::map<std::uint32_t, std::size_t> held;
  std::map<std::uint32_t, std::size_t> known;
  for (const auto& [holder, peer] : scenarios::held_links(outcome).links) {
    ++held[holder];
    ++known[peer];
  }
  Spread out;
  Spread in;
  for (const auto& [peer, count] : held) out.add(count);
  for (const auto& [peer, count] : known) in.add(count);
  return fmt::format("The last overlay has {}; a peer has {}, and {} have a link to it at most.",
                     counted(held.size(), "peer"), out.text("links"), counted(in.most, "peer"));
}

}  // namespace

std::string structure_text(const Outcome& outcome) {
  const Tree tree = scenarios::tree_at(outcome, Time::max());
  if (tree.members() > 1)
    return outcome.facts.any<agents::ParentChanged>() ? tree_text(outcome, tree)
                                                      : groups_text(tree);
  return outcome.facts.any<agents::LinkHeld>() ? overlay_text(outcome) : "";
}

void add_structures(Element page, std::span<const Contestant> contestants, Outline& outline) {
  const auto has_none = [](const Contestant& contestant) {
    return contestant.structure.empty() && contestant.tree_svg.empty();
  };
  if (std::ranges::all_of(contestants, has_none)) return;
  outline.add(page, "Structure");
  add_paragraph(page, "soft", "The last state in the first repetition.");
  for (const Contestant& contestant : contestants) {
    if (has_none(contestant)) continue;
    add_line(page, "h3", contestant.name);
    add_line(page, "p", contestant.structure);
    if (contestant.tree_svg.empty()) continue;
    page.add("figure", {{"class", "tree"}}).insert(contestant.tree_svg);
    page.end_line();
  }
}

}  // namespace rhizome::tools
