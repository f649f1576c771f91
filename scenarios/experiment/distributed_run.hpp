// A distributed run: several processes do the runs of an experiment on threads together, each with
// its share of the peers. Process 0 orders each run, and merges the reports of all processes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/partial_report.hpp"
#include "core/engine/share.hpp"
#include "core/engine/shared_control.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/mesh.hpp"
#include "scenarios/experiment/member.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

// Which process runs which peer of a run that several share.
enum class Placing : std::uint8_t {
  blocks,       // neighbouring addresses together
  round_robin,  // neighbouring addresses apart
  graph,        // neighbours of the graph together, as well as that can be
  last = graph
};
inline constexpr std::array<std::string_view, 3> placing_names{"blocks", "round-robin", "graph"};
// One of those names.
[[nodiscard]] Placing placing_named(std::string_view name);

// Gives each share peers in proportion to its weight, of which at least one is not 0; in
// round-robin, equally many. The same library gives the same placement everywhere.
[[nodiscard]] core::Placement place(Placing placing, const overlay::Graph& graph,
                                    std::span<const std::uint32_t> weights);

// Used by one thread.
class DistributedRun {
 public:
  struct Options {
    // Whether the loss of a process ends the run; else the run goes on without it.
    bool end_on_loss = false;
    Placing placing = Placing::blocks;
    // Process 0 calls it once for each process that is lost during a run. May be empty.
    std::function<void(const std::string&)> tell{};
  };
  // The mesh outlives it.
  DistributedRun(core::Mesh& mesh, Options options);

  // A run of a cell, which is given by its position, and its world.
  struct Asked {
    std::size_t cell;
    RunOfCell run;
    const agents::World& world;
    double time_scale;
    bool real_latency;  // whether the real network between processes replaces an emulated one
  };
  // Called by process 0, with the setup that all other processes make for this run as well. Throws
  // core::ShareFailed where one of the processes fails.
  [[nodiscard]] core::EngineReport perform(const Asked& asked, core::EngineSetup setup,
                                           const core::Observer& observer);
  // Called by process 0: there are no more runs.
  void dismiss();
  // Called by all other processes: does this process's share of each run that process 0 orders,
  // until process 0 dismisses it. Returns false where process 0 is lost, or expects nothing more of
  // this process.
  [[nodiscard]] bool follow(std::span<const Cell> cells, const std::atomic<bool>* stop);

  // One entry for each process.
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  struct Order {  // which run to do, and which processes do it
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
  struct Crossed {  // packets exchanged with another share
    std::uint64_t handed_over = 0;
    std::uint64_t received = 0;
    core::BurdensByClass burdens{};  // handed over
  };
  struct Part {  // the part of a run that one process did
    std::uint32_t number = 0;
    std::string failure{};  // why there is no report; empty: there is one
    core::Duration clock_offset{0};
    core::Duration clock_bound{0};
    core::Duration round_trip{0};
    std::vector<Crossed> crossed{};  // by share
    core::Bytes report{};
  };
  using Word = core::OneOf<Order, Dismissal, Part>;
  struct Engaged;  // the state of a process during a run

  // Throws core::ShareFailed if the order places other peers than those of the scenario, or places
  // a peer in a share that does not exist.
  [[nodiscard]] core::RunOfMany shares_of(const Order& order, std::uint32_t peers) const;
  [[nodiscard]] Order order_of(const Asked& asked);
  // The parts of the run, by share; none for a process that was lost before it had sent its part.
  [[nodiscard]] std::vector<std::optional<Part>> await_parts(const core::RunOfMany& run, Part mine);
  [[nodiscard]] core::EngineReport merge(const Engaged& engaged,
                                         const std::vector<std::optional<Part>>& parts);
  [[nodiscard]] core::LostPeers lost_share(const Engaged& engaged, std::uint32_t share,
                                           const std::vector<std::optional<Part>>& parts,
                                           core::Time ended) const;
  // Throws core::ShareFailed where a part lacks the packet counts of a share.
  [[nodiscard]] std::vector<core::Passage> passages(
      const core::RunOfMany& run, const std::vector<std::optional<Part>>& parts) const;
  // Reports the processes that were lost since the last call.
  void tell_losses(const core::RunOfMany& run, core::PeerId source);
  void note_members(const core::RunOfMany& run, std::uint32_t peers,
                    const std::vector<std::optional<Part>>& parts);
  [[nodiscard]] Part do_share(const Order& order, const Cell& cell, const std::atomic<bool>* stop);
  void obey(const Order& order, std::span<const Cell> cells, const std::atomic<bool>* stop);

  core::Mesh& mesh_;
  const Options options_;
  std::uint32_t runs_ = 0;
  std::vector<bool> told_;  // by process: whether its loss was reported
  std::vector<Member> members_;
};

}  // namespace rhizome::scenarios
