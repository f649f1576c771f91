// Holds a host to its record: what its peer wants must be what it wanted, and of other threads it
// sees what it saw.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/history/track_reader.hpp"
#include "core/history/witness.hpp"

namespace rhizome::core {

// The host does something else; what, in half a sentence.
class Unlike : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class HeldTo final : public Witness {
 public:
  // `seen`: who else is to see what the peer wants, once it has turned out to be the same.
  HeldTo(TrackReader& track, std::function<void(const Effects&)> seen)
      : track_(track), seen_(std::move(seen)) {}

  void wants(const Effects& effects) override;
  [[nodiscard]] Incarnation sees_life(PeerId peer, Incarnation seen) override;
  [[nodiscard]] bool sees_change(bool seen) override;
  [[nodiscard]] double sees_share(double seen) override;

 private:
  TrackReader& track_;
  const std::function<void(const Effects&)> seen_;
  std::map<PeerId, Incarnation> lives_;  // as it saw them last; without entry the first
};

}  // namespace rhizome::core
