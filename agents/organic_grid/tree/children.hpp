// The children of one node: on trial or active, ranked by how fast their results come, and former
// children, which may not come back too soon.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "agents/organic_grid/tree/stream.hpp"
#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

struct Child {
  // The epoch of a grandchild that was offered: it will ask for adoption before it comes.
  static constexpr std::uint64_t adoption = ~std::uint64_t{0};

  PeerId id;
  bool active = false;
  bool promoted = false;    // told to move up: once it has left, it is a former child
  std::uint64_t epoch = 0;  // of its stay; 0 until it has come
  std::uint64_t after = 0;  // messages of epochs up to this one are of an earlier stay
  std::uint64_t demanded = 0;
  Outbox<Task> supplies{};
  StreamInbox results{};
  Time last_heard{};
  Time last_burst{};
  std::uint32_t bursts = 0;
  std::deque<double> paces{};  // seconds a result, or a second of a task, of the last bursts

  [[nodiscard]] std::uint64_t deficit() const {
    return demanded > supplies.next() ? demanded - supplies.next() : 0;
  }
};

class Children {
 public:
  explicit Children(const Options& options) : options_(options) {}

  [[nodiscard]] Child* find(PeerId id);
  [[nodiscard]] const Child* find(PeerId id) const;
  [[nodiscard]] bool has(PeerId id) const;
  [[nodiscard]] const std::vector<Child>& list() const { return list_; }
  [[nodiscard]] std::vector<Child>& list() { return list_; }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  // Whether there is room for one more child on trial, at a node that holds `backlog` tasks.
  [[nodiscard]] bool room(std::size_t backlog) const;
  // Adds a child on trial; a known one starts anew.
  Child& add(PeerId id, Time now);
  void remove(PeerId id) {
    std::erase_if(list_, [id](const Child& c) { return c.id == id; });
  }

  // Times a burst of `results` and activates the child if it has been on trial long enough.
  void count_burst(Child& child, std::span<const Result> results, Time now);
  // How slow a child is; infinite while nothing is known.
  [[nodiscard]] static double metric(const Child& child);
  // The fastest child with a full metric; nullptr if no child has one.
  [[nodiscard]] const Child* best() const;
  // The slowest active child, when there are too many of them.
  [[nodiscard]] std::optional<PeerId> surplus() const;
  // All children but `id`, the slowest first; those without a metric come before the others.
  [[nodiscard]] std::vector<PeerId> others(PeerId id) const;
  [[nodiscard]] std::uint64_t deficits() const;

  // Former children: evicted or promoted away. They are forgotten after a number of results at this
  // node, or after a time, whichever comes first, so that an idle tree admits them again.
  void make_former(PeerId id, Time now);
  [[nodiscard]] bool is_former(PeerId id, Time now) const;
  void count_results(std::size_t results) { results_ += results; }
  [[nodiscard]] std::vector<PeerId> all() const;  // former ones included

 private:
  struct Former {
    PeerId id;
    std::uint64_t results;  // at this node when it is forgotten
    Time until;
  };
  [[nodiscard]] bool full(const Child& child) const {
    return child.paces.size() >= options_.metric_window;
  }
  [[nodiscard]] std::optional<double> pace_of(const Child& child, std::span<const Result> results,
                                              Time now) const;
  // How many active children a backlog needs. A node hands tasks directly to the peers that execute
  // them rather than through a busy child, so the tree is wide where tasks wait and narrow
  // elsewhere.
  [[nodiscard]] std::size_t worth(std::size_t backlog) const;

  const Options& options_;
  std::vector<Child> list_;
  std::deque<Former> former_;
  std::uint64_t results_ = 0;
};

}  // namespace rhizome::agents::grid
