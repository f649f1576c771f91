#include "tools/nodes/fleet.hpp"

#include <algorithm>
#include <utility>

#include "agents/provision/facts.hpp"
#include "agents/work/kinds.hpp"
#include "tools/launch/slurm_queue.hpp"

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

using agents::provision::ClusterSeen;
using agents::provision::NodeLost;
using agents::provision::NodeReady;
using agents::provision::NodeReleased;
using agents::provision::NodeReserved;

constexpr auto period = 20ms;

template <class F>
std::optional<core::PeerId> node_in(const core::EncodedFact& fact) {
  F decoded{};
  if (fact.info != &F::info || core::decode(fact.payload, decoded) != core::DecodeError::none)
    return {};
  return decoded.node;
}

}  // namespace

Fleet::Fleet(Options options) : options_(std::move(options)) {
  for (const core::PeerId peer : options_.nodes)
    nodes_[peer] =
        std::make_unique<Node>(peer.value, *options_.places,
                               Node::Hooks{.ready = [this, peer] { tell(NodeReady{peer}); },
                                           .died =
                                               [this, peer](std::uint32_t tasks) {
                                                 tell(NodeLost{peer, tasks});
                                               },
                                           .warn = options_.warn});
  look();
}

Fleet::~Fleet() {
  end();
  for (const auto& [peer, node] : nodes_) node->end();
}

void Fleet::add_to(scenarios::RunHooks& hooks) {
  hooks.nodes = this;
  hooks.watch = [this, others = std::move(hooks.watch)](const scenarios::RunUnderWay& run,
                                                        const core::Board& board) {
    if (others) others(run, board);
    follow(board);
  };
  hooks.unwatch = [this, others = std::move(hooks.unwatch)](const scenarios::RunUnderWay& run) {
    end();
    if (others) others(run);
  };
}

// Emulated work only takes its time, and needs no machine. The kinds of work after those of tasks
// belong to schedulers, and are done in this process.
std::unique_ptr<core::Computation> Fleet::compute(core::PeerId peer, const core::Work& work) {
  const auto node = nodes_.find(peer);
  const auto kind = static_cast<std::size_t>(work.recipe.kind());
  const core::WorkKinds kinds = agents::work_kinds();
  if (node == nodes_.end() || kind >= kinds.size() || !kinds[kind].compute) return nullptr;
  return node->second->compute(work);
}

std::optional<core::Input> Fleet::next(core::Time now, core::PeerId source) {
  const std::scoped_lock lock(mutex_);
  if (news_.empty()) return {};
  const News news = news_.front();
  news_.pop_front();
  return std::visit([&](const auto& said) { return core::make_input(now, source, said); }, news);
}

void Fleet::tell(const News& news) {
  const std::scoped_lock lock(mutex_);
  news_.push_back(news);
}

void Fleet::follow(const core::Board& board) {
  cursors_.resize(board.peers());
  over_ = false;
  follower_ = std::thread([this, &board] {
    for (; !over_; std::this_thread::sleep_for(period)) sweep(board);
  });
  looker_ = std::thread([this] { look_again_and_again(); });
}

void Fleet::end() {
  over_ = true;
  if (follower_.joinable()) follower_.join();
  if (looker_.joinable()) looker_.join();
}

void Fleet::sweep(const core::Board& board) {
  for (std::uint32_t i = 0; i < board.peers(); ++i) {
    const core::PeerId peer{i};
    if (!board.shows(peer)) continue;
    board.facts(peer).read(cursors_[i], [&](core::Time, const core::EncodedFact& fact) {
      if (const auto reserved = node_in<NodeReserved>(fact); reserved && nodes_.contains(*reserved))
        nodes_.at(*reserved)->want(true);
      if (const auto released = node_in<NodeReleased>(fact); released && nodes_.contains(*released))
        nodes_.at(*released)->want(false);
    });
  }
}

void Fleet::look_again_and_again() {
  using Clock = std::chrono::steady_clock;
  for (auto next = Clock::now(); !over_; std::this_thread::sleep_for(period)) {
    if (Clock::now() < next) continue;
    look();
    next = Clock::now() + options_.interval;
  }
}

// While the cluster does not answer nothing is idle, so that no node is reserved in the dark.
void Fleet::look() {
  const auto starting = static_cast<std::uint32_t>(std::count_if(
      nodes_.begin(), nodes_.end(), [](const auto& item) { return item.second->starting(); }));
  try {
    const auto state = options_.places->state(starting);
    blind_ = false;
    tell(ClusterSeen{state.idle, state.required, state.waited});
  } catch (const NoSlurm& error) {
    if (!std::exchange(blind_, true)) options_.warn(error.what());
    tell(ClusterSeen{});
  }
}

}  // namespace rhizome::tools
