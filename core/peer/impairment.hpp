// Links that harm: loss, duplication, and partitions that come and go by a schedule.
#pragma once

#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Drops each packet with the same probability.
class Loss final : public Link {
 public:
  explicit Loss(double probability) : probability_(probability) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;

 private:
  double probability_;
};

// Makes a second copy of each packet with the same probability.
class Duplication final : public Link {
 public:
  explicit Duplication(double probability) : probability_(probability) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;

 private:
  double probability_;
};

// Cuts a side off from all other peers for a while; packets that cross then are dropped at their
// sender.
class Partition final : public Link {
 public:
  struct Cut {
    Time from{};
    Time until{};            // not included
    std::vector<bool> side;  // by peer; peers beyond its end are on the other side
  };
  explicit Partition(std::vector<Cut> cuts) : cuts_(std::move(cuts)) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;

 private:
  std::vector<Cut> cuts_;
};

}  // namespace rhizome::core
