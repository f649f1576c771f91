// The shares of an experiment that several machines ran apart, put together again: its outcomes in
// the order in which one machine would have run them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/store/directory.hpp"

namespace rhizome::scenarios {

// Shares that cannot be merged: tells which, and why.
class InconsistentShares : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Shares {
 public:
  // The shares of an experiment of so many runs. Throws InconsistentShares unless each run is
  // there, once: for a directory that is no share, has not ended or was interrupted, and for shares
  // of other numbers, doubled or missing.
  Shares(std::vector<StoredRun> parts, std::size_t runs);

  // The parts in the order of their shares.
  [[nodiscard]] const std::vector<StoredRun>& parts() const { return parts_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  // Throws InconsistentShares where an outcome is of another run than the experiment has there.
  void check_runs(const std::vector<Identity>& expected) const;
  // The i-th outcome of the experiment, as StoredRun::read.
  [[nodiscard]] Outcome read(std::size_t i) const;
  // The records of the parts, for the record of the whole.
  [[nodiscard]] std::vector<PartRecord> records() const;

 private:
  std::vector<StoredRun> parts_;  // all that hold a run: the share of part i is i
  std::size_t runs_;
};

// The options with which the scenario of a share was read. Throws InconsistentShares if the run is
// no share, or is run again by a command of a stranger.
[[nodiscard]] const OrderRecord& order_of_share(const StoredRun& run);

}  // namespace rhizome::scenarios
