// The fleet: the nodes of a provisioned run, on machines of a real cluster. It follows the facts of
// provisioning, begins the worker of a reserved node and ends that of a released one, and tells the
// run which nodes are ready and which nodes other users of the cluster leave idle.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "agents/provision/plan.hpp"
#include "agents/provision/signals.hpp"
#include "core/engine/board.hpp"
#include "core/engine/nodes.hpp"
#include "core/peer/fact_log.hpp"
#include "scenarios/experiment/under_way.hpp"
#include "tools/nodes/node.hpp"
#include "tools/nodes/places.hpp"

namespace rhizome::tools {

class Fleet final : public core::Nodes {
 public:
  struct Options {
    std::unique_ptr<Places> places;
    std::vector<core::PeerId> nodes{};    // nodes the run may reserve
    std::chrono::nanoseconds interval{};  // between two looks at the cluster
    std::function<void(const std::string&)> warn{};
  };
  explicit Fleet(Options options);
  // Ends all workers.
  ~Fleet() override;

  // Adds the hooks that this object needs in the run to the others.
  void add_to(scenarios::RunHooks& hooks);
  [[nodiscard]] std::unique_ptr<core::Computation> compute(core::PeerId peer,
                                                           const core::Work& work) override;
  [[nodiscard]] std::optional<core::Input> next(core::Time now, core::PeerId source) override;

 private:
  using News = std::variant<agents::provision::ClusterSeen, agents::provision::NodeReady,
                            agents::provision::NodeLost>;
  void follow(const core::Board& board);
  void end();
  void sweep(const core::Board& board);
  void look();
  void look_again_and_again();
  void tell(const News& news);

  const Options options_;
  std::map<core::PeerId, std::unique_ptr<Node>> nodes_;
  std::vector<core::FactLog::Cursor> cursors_;
  std::mutex mutex_;
  std::deque<News> news_;
  bool blind_ = false;  // the last look has failed
  std::atomic<bool> over_{false};
  std::thread follower_;
  std::thread looker_;
};

}  // namespace rhizome::tools
