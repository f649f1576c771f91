// A distributed run: the processes that do the runs of an experiment on threads together, each its
// share of the peers. Process 0 says which run is next, and makes the report of all.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/partial_report.hpp"
#include "core/engine/shared_control.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/mesh.hpp"
#include "scenarios/experiment/member.hpp"
#include "scenarios/experiment/placing.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

// Used by one thread.
class DistributedRun {
 public:
  struct Options {
    bool end_on_loss = false;  // a run ends where a process is lost, instead of going on without
    Placing placing = Placing::blocks;
    // Told by process 0, once of each process that is lost while a run goes on; none: nobody is.
    std::function<void(const std::string&)> tell{};
  };
  // The mesh outlives it.
  DistributedRun(core::Mesh& mesh, Options options);

  // A run of a cell, by its position, and who knows whom in it.
  struct Asked {
    std::size_t cell;
    RunOfCell run;
    const overlay::Graph& graph;
    double time_scale;
    bool real_latency;  // of the network between processes, in place of an emulated one
  };
  // By process 0, with the setup that all others make of it as well. Throws core::ShareFailed where
  // one of them fails.
  [[nodiscard]] core::EngineReport perform(const Asked& asked, core::EngineSetup setup,
                                           const core::Observer& observer);
  // By process 0: there are no more runs.
  void dismiss();
  // By all others: does their share of what process 0 says until there is no more. False where it
  // is lost, or counts on this one no more.
  [[nodiscard]] bool follow(std::span<const Cell> cells, const std::atomic<bool>* stop);

  // By process.
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  struct Order {  // to do that run, by those processes
    std::uint32_t number = 0;
    std::uint64_t cell = 0;
    std::uint64_t scheduler = 0;
    std::uint32_t repetition = 0;
    std::vector<std::uint32_t> processes{};
    std::vector<std::uint32_t> placement{};  // the share of each peer
  };
  struct Dismissal {
    bool all = true;
  };
  struct Crossed {  // packets, with another share
    std::uint64_t handed_over = 0;
    std::uint64_t received = 0;
    core::BurdensByClass burdens{};  // handed over
  };
  struct Part {  // of a run, by one process
    std::uint32_t number = 0;
    std::string failure{};  // why there is none; empty: there is
    core::Duration clock_offset{0};
    core::Duration clock_bound{0};
    core::Duration round_trip{0};
    std::vector<Crossed> crossed{};  // by share
    core::Bytes report{};
  };
  using Word = core::OneOf<Order, Dismissal, Part>;
  struct Engaged;  // what a process has of a run that goes on

  // Throws core::ShareFailed where the order places other peers, or in no share.
  [[nodiscard]] core::RunOfMany shares_of(const Order& order, std::uint32_t peers) const;
  [[nodiscard]] Order order_of(const Asked& asked);
  // The parts of those that were not lost before they had sent them, by share.
  [[nodiscard]] std::vector<std::optional<Part>> await_parts(const core::RunOfMany& run, Part mine);
  [[nodiscard]] core::EngineReport merge(const Engaged& engaged,
                                         const std::vector<std::optional<Part>>& parts);
  [[nodiscard]] core::LostPeers lost_share(const Engaged& engaged, std::uint32_t share,
                                           const std::vector<std::optional<Part>>& parts,
                                           core::Time ended) const;
  // Throws core::ShareFailed where a part does not say what crossed.
  [[nodiscard]] std::vector<core::Passage> passages(
      const core::RunOfMany& run, const std::vector<std::optional<Part>>& parts) const;
  // Those that were lost since the last time.
  void tell_losses(const core::RunOfMany& run);
  void note_members(const core::RunOfMany& run, std::uint32_t peers,
                    const std::vector<std::optional<Part>>& parts);
  [[nodiscard]] Part do_share(const Order& order, const Cell& cell, const std::atomic<bool>* stop);
  void obey(const Order& order, std::span<const Cell> cells, const std::atomic<bool>* stop);

  core::Mesh& mesh_;
  const Options options_;
  std::uint32_t runs_ = 0;
  std::vector<bool> told_;  // by process: that it is lost
  std::vector<Member> members_;
};

}  // namespace rhizome::scenarios
