// Which processors of this machine stand for those that groups of peers share. The real work of a
// group is bound to its own processors by affinity, which child processes inherit. Groups take
// processors in their order; where the machine has too few for all of them, no group is bound.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/engine/crowd.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::core {

class Allotment {
 public:
  // Binds no peer to any processor.
  Allotment() = default;
  // Allots the processors that this process may use.
  explicit Allotment(const std::vector<ProcessorGroup>& groups);
  Allotment(const std::vector<ProcessorGroup>& groups, const std::vector<int>& processors);

  // Nothing for a peer that may use them all.
  [[nodiscard]] std::optional<std::size_t> group_of(PeerId peer) const;
  [[nodiscard]] std::size_t cores_of(std::size_t group) const { return own_[group].size(); }
  // Binds the calling thread to processors of this peer.
  void bind_to(PeerId peer) const;

 private:
  std::map<PeerId, std::size_t> groups_;
  std::vector<std::vector<int>> own_;  // by group
  std::vector<int> rest_;  // processors of peers without a group: the remaining ones, or all
};

}  // namespace rhizome::core
