// Links that take time. Random latencies reorder: the packets of a pair are first-in-first-out only
// where the pair's latency is fixed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Every packet takes the same time.
class ConstantLatency final : public Link {
 public:
  explicit ConstantLatency(Duration delay) : delay_(delay) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration longest() const { return delay_; }

 private:
  Duration delay_;
};

// Every packet draws its own time between the two bounds, both included.
class UniformLatency final : public Link {
 public:
  struct Options {
    Duration least{0};
    Duration most{0};
  };
  explicit UniformLatency(Options options) : options_(options) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration longest() const { return options_.most; }

 private:
  Options options_;
};

// Every pair of peers has a latency of its own, the same both ways and for the whole run, lognormal
// over the pairs.
class LognormalLatency final : public Link {
 public:
  struct Options {
    Duration mean{0};        // one way, over all pairs
    double sigma = 0.5;      // deviation of the logarithm; more spreads the pairs further
    std::uint64_t seed = 0;  // chooses the draw of all pairs
  };
  explicit LognormalLatency(Options options);
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration between(PeerId a, PeerId b) const;
  // 999 of 1,000 pairs are no slower.
  [[nodiscard]] Duration longest() const;

 private:
  Options options_;
  double mu_;
};

// Latencies measured elsewhere: peer p stands at row and column p modulo the size of the matrix,
// and peers of one row have the latency on its diagonal, which is commonly zero.
class MatrixLatency final : public Link {
 public:
  using Matrix = std::vector<std::vector<Duration>>;  // one way, [from][to]; square, not empty
  explicit MatrixLatency(Matrix matrix) : matrix_(std::move(matrix)) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration longest() const;

 private:
  Matrix matrix_;
};

// Peers of one machine have no latency, and all pairs of machines have the same.
class MachineLatency final : public Link {
 public:
  // `machine_of`: the machine of each peer.
  MachineLatency(std::vector<std::uint32_t> machine_of, Duration between)
      : machine_of_(std::move(machine_of)), between_(between) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration longest() const { return between_; }

 private:
  std::vector<std::uint32_t> machine_of_;
  Duration between_;
};

}  // namespace rhizome::core
