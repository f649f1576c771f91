// Nodes: other machines that do the work of peers of this process, and that come and go while a run
// on threads goes on.
#pragma once

#include <memory>
#include <optional>

#include "core/peer/ids.hpp"
#include "core/peer/input.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/time.hpp"
#include "core/peer/work.hpp"
#include "core/work/computation.hpp"

namespace rhizome::core {

class Nodes : public Interface {
 public:
  // A computation of the work on the node of that peer; null: this process does it. Called from
  // several threads.
  [[nodiscard]] virtual std::unique_ptr<Computation> compute(PeerId peer, const Work& work) = 0;
  // News of the nodes for the peer where work enters, as InputSource::next gives inputs.
  [[nodiscard]] virtual std::optional<Input> next(Time now, PeerId source) = 0;
};

}  // namespace rhizome::core
