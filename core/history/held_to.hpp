// Compares a host with its record: its peer must want the same effects, and the host is told the
// recorded observations of other threads.
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
  // `seen` gets the effects of the peer after they were found equal to the recorded ones.
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
