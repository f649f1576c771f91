// Facts of the head of a central scheduler: its election, its standby, the shares of workers, and
// batch times.
#pragma once

#include <cstdint>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::central {

struct HeadElected {
  static constexpr core::FactInfo info{"head-elected",
                                       "The peer is the only head of this epoch from now on.",
                                       "epoch: the number of its term, which no other head has"};
  static constexpr bool seldom = true;
  std::uint64_t epoch = 0;
  friend bool operator==(const HeadElected&, const HeadElected&) = default;
};
struct StandbyChanged {
  static constexpr core::FactInfo info{
      "standby-changed",
      "The head's books are copied to this peer, which may succeed it, or to no peer.",
      "epoch: that of the head | standby: the peer that has a copy of the head's books; nobody: "
      "no peer has"};
  static constexpr bool seldom = true;
  std::uint64_t epoch = 0;
  core::PeerId standby;
  friend bool operator==(const StandbyChanged&, const StandbyChanged&) = default;
};
struct ShareChanged {
  static constexpr core::FactInfo info{
      "share-changed", "The number of workers that the head gives a model with work.",
      "model | workers: the number of its workers | models: the number of models with work"};
  static constexpr bool seldom = true;
  std::uint32_t model = 0;
  std::uint32_t workers = 0;
  std::uint32_t models = 0;  // models with work
  friend bool operator==(const ShareChanged&, const ShareChanged&) = default;
};
struct BatchEnded {
  static constexpr core::FactInfo info{
      "batch-ended", "A worker has executed a batch of a model, and the head has its results.",
      "model | queries: tasks of the batch | took: from its begin to its end at the worker"};
  std::uint32_t model = 0;
  std::uint32_t queries = 0;
  core::Duration took{0};  // from its begin to its end at the worker
  friend bool operator==(const BatchEnded&, const BatchEnded&) = default;
};

using OwnFacts = core::OneOf<HeadElected, StandbyChanged, ShareChanged, BatchEnded>;

}  // namespace rhizome::agents::central
