// The position of a node in its tree: the tree, the node's ancestors, and the age of the last news
// of the root.
#pragma once

#include <vector>

#include "agents/organic_grid/home.hpp"
#include "agents/organic_grid/messages.hpp"

namespace rhizome::agents::grid {

class Lineage {
 public:
  Lineage(PeerId root, Home& home) : root_(root), home_(home) {}

  void become_root() { is_root_ = true; }
  [[nodiscard]] bool is_root() const { return is_root_; }
  [[nodiscard]] PeerId root() const { return root_; }

  // A message says that the root lived `age` ago.
  void learn(Duration age, Time now) { home_.sightings.learn(root_, age, now); }
  [[nodiscard]] Duration age(Time now) const;
  // The root is not known to live for so long that no news can be under way. News waits a sign of
  // life or two at every step down.
  [[nodiscard]] bool hopeless(Time now) const;

  // Takes over a parent's chain of ancestors: the parent first, the root last. True if it has a new
  // member.
  bool descend(const std::vector<PeerId>& ancestors);
  [[nodiscard]] const std::vector<PeerId>& ancestors() const { return ancestors_; }
  [[nodiscard]] bool has(PeerId ancestor) const;
  [[nodiscard]] std::vector<PeerId> for_child(PeerId self) const;

 private:
  const PeerId root_;
  Home& home_;
  bool is_root_ = false;
  std::vector<PeerId> ancestors_;
};

}  // namespace rhizome::agents::grid
