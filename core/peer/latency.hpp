// Links that take time. Random latencies reorder: the packets of a pair are first-in-first-out only
// where the pair's latency is fixed.
#pragma once

#include <cstdint>
#include <memory>
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

// A latency, and for every packet a time of its own, uniform between 0 and `most`, both included.
class Jitter final : public Link {
 public:
  // Without `latency` that time is all.
  Jitter(std::unique_ptr<Link> latency, Duration most)
      : latency_(std::move(latency)), most_(most) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;

 private:
  std::unique_ptr<Link> latency_;
  Duration most_;
};

// The latency of a pair of peers is the same for the whole run.
class PairLatency : public Link {
 public:
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader& header, Rng&) const final {
    return LinkVerdict::deliver(between(header.from, header.to));
  }
  // One way.
  [[nodiscard]] virtual Duration between(PeerId from, PeerId to) const = 0;
};

// Latencies measured elsewhere: peer p stands at row and column p modulo the size of the matrix,
// and peers of one row have the latency on its diagonal, which is commonly zero.
class MatrixLatency final : public PairLatency {
 public:
  using Matrix = std::vector<std::vector<Duration>>;  // one way, [from][to]; square, not empty
  explicit MatrixLatency(Matrix matrix) : matrix_(std::move(matrix)) {}
  [[nodiscard]] Duration between(PeerId from, PeerId to) const override;
  [[nodiscard]] Duration longest() const;

 private:
  Matrix matrix_;
};

// Peers of one machine have no latency, and all pairs of machines have the same.
class MachineLatency final : public PairLatency {
 public:
  // `machine_of`: the machine of each peer.
  MachineLatency(std::vector<std::uint32_t> machine_of, Duration between)
      : machine_of_(std::move(machine_of)), between_(between) {}
  [[nodiscard]] Duration between(PeerId from, PeerId to) const override;
  [[nodiscard]] Duration longest() const { return between_; }

 private:
  std::vector<std::uint32_t> machine_of_;
  Duration between_;
};

// A latency with a part for each host, so that a far host is far from all others.
// The latency is the same both ways, and lognormal over the pairs: its logarithm is a sum of one
// term for each of the two hosts and one for the pair, all normal and independent. Two pairs with a
// host in common are correlated by sigma_host² / sigma². Among hosts of PlanetLab (scenarios/data)
// the terms of hosts deviate by .38. Without terms of hosts all pairs are independent.
class HostLatency final : public PairLatency {
 public:
  struct Options {
    std::uint32_t hosts = 1;   // peers beyond them repeat the hosts; at least one
    Duration mean{0};          // one way, over all pairs
    double sigma = 0.52;       // of the logarithm, over all pairs
    double sigma_host = 0.36;  // of the term of a host: 2·sigma_host² is at most sigma²
    std::uint64_t seed = 0;
  };
  explicit HostLatency(Options options);
  [[nodiscard]] Duration between(PeerId from, PeerId to) const override;
  // 999 of 1,000 pairs are no slower, on average over all draws of hosts.
  [[nodiscard]] Duration longest() const;

 private:
  [[nodiscard]] double term(PeerId peer) const { return terms_[peer.value % terms_.size()]; }

  Options options_;
  double mu_;
  double sigma_pair_;
  std::vector<double> terms_;  // of hosts
};

// A latency from places: how far apart two peers are, and how far each is from the network's core.
// Dabek, Cox, Kaashoek, Morris: Vivaldi, SIGCOMM 2004, section 5: coordinates with heights.
// Hosts are uniform in a square or a cube of more dimensions; each has a height besides,
// exponential over the hosts, for the access link that all its packets cross. The delay of a pair
// is their distance and both heights. Vivaldi finds such places for measured delays; here they are
// drawn.
class CoordinateLatency final : public PairLatency {
 public:
  static constexpr std::uint32_t most_dimensions = 5;
  struct Options {
    std::uint32_t hosts = 0;  // beyond them they repeat; at least one
    Duration mean{0};         // one way, over all pairs
    // At least 1. With more dimensions, pairs become more alike, and fewer of them are near.
    std::uint32_t dimensions = 2;
    // The part of the mean that is due to heights. More makes the hosts themselves, rather than
    // their places, near or far.
    double height_share = 0.5;
    std::uint64_t seed = 0;
  };
  explicit CoordinateLatency(Options options);
  [[nodiscard]] Duration between(PeerId from, PeerId to) const override;
  // No pair is slower.
  [[nodiscard]] Duration longest() const { return longest_; }

 private:
  std::uint32_t dimensions_;
  std::vector<double> places_;   // in seconds, host after host
  std::vector<double> heights_;  // in seconds
  Duration longest_{0};
};

}  // namespace rhizome::core
