#include "agents/locator/finder.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "overlay/hash_ring.hpp"

namespace rhizome::agents::locator {

namespace {

// The task leaves its next address behind wherever it was (Peterson, dissertation, section 6), and
// tells the last of those peers.
class Forwarders final : public Finder {
 public:
  explicit Forwarders(const Options& options) : informed_(options.inform_last_k) {}

  // The last of all knows: the task came from there.
  std::vector<PeerId> to_tell(const Mobile& mobile) const override {
    const auto& visited = mobile.visited;
    if (visited.size() < 2) return {};
    const auto end = visited.end() - 1;
    const auto count = std::min<std::ptrdiff_t>(informed_, end - visited.begin());
    return {end - count, end};
  }
  std::vector<PeerId> to_ask(TaskId) const override { return {}; }
  bool leaves_address() const override { return true; }

 private:
  std::ptrdiff_t informed_;
};

// One peer, the same for all or one for each task, is told of every move and asked for every datum.
class Registry final : public Finder {
 public:
  explicit Registry(std::function<PeerId(TaskId)> home) : home_(std::move(home)) {}

  std::vector<PeerId> to_tell(const Mobile& mobile) const override {
    return {home_(mobile.task.id)};
  }
  std::vector<PeerId> to_ask(TaskId task) const override { return {home_(task)}; }
  void told(TaskId task, const Address& at) override {
    Address& known = known_.try_emplace(task, at).first->second;
    if (at.version > known.version) known = at;
  }
  std::optional<Address> known(TaskId task) const override {
    const auto found = known_.find(task);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  std::map<TaskId, Address> all_known() const override { return known_; }

 private:
  std::function<PeerId(TaskId)> home_;
  std::map<TaskId, Address> known_;
};

// The predecessors and successors of a task are told of every move, at the last address known.
class Eager final : public Finder {
 public:
  std::vector<PeerId> to_tell(const Mobile& mobile) const override {
    std::vector<PeerId> told;
    for (const auto* list : {&mobile.unmet, &mobile.successors})
      for (const Neighbour& neighbour : *list)
        if (neighbour.at.peer != core::no_peer) told.push_back(neighbour.at.peer);
    std::sort(told.begin(), told.end());
    told.erase(std::unique(told.begin(), told.end()), told.end());
    return told;
  }
  std::vector<PeerId> to_ask(TaskId) const override { return {}; }
};

class Broadcast final : public Finder {
 public:
  explicit Broadcast(std::uint32_t peers) : peers_(peers) {}

  std::vector<PeerId> to_tell(const Mobile&) const override { return {}; }
  std::vector<PeerId> to_ask(TaskId) const override {
    std::vector<PeerId> all;
    for (std::uint32_t i = 0; i < peers_; ++i) all.push_back(PeerId{i});
    return all;
  }

 private:
  std::uint32_t peers_;
};

}  // namespace

std::unique_ptr<Finder> make_finder(const Options& options, std::uint32_t peers, PeerId home) {
  switch (options.kind) {
    case Kind::forwarders:
      return std::make_unique<Forwarders>(options);
    case Kind::registry:
      return std::make_unique<Registry>([home](TaskId) { return home; });
    case Kind::ring:
      return std::make_unique<Registry>(
          [ring = overlay::HashRing(peers)](TaskId task) { return ring.owner(subject_of(task)); });
    case Kind::eager:
      return std::make_unique<Eager>();
    case Kind::broadcast:
      return std::make_unique<Broadcast>(peers);
    case Kind::none:
      break;
  }
  return nullptr;
}

}  // namespace rhizome::agents::locator
