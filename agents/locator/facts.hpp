// The facts that locators note. They suffice to follow every task, every forwarder and every datum
// through a run, so that the invariants can be checked afterwards.
#pragma once

#include <cstdint>

#include "agents/task.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::locator {

using core::operator==;

// How often a task has moved; each time that it was lost and placed again counts more than all
// moves before.
using Epoch = std::uint64_t;
inline constexpr Epoch generation = Epoch{1} << 32U;

struct LocatorStarted {
  static constexpr core::FactInfo info{
      "locator-started",
      "Tasks of this run are found by locators: whether they leave forwarders, and whether these "
      "are taken away once their task begins.",
      "forwards: 1: tasks leave forwarders behind | sweeps: 1: these go once their task begins",
      core::Noted::seldom};
  bool forwards = false;
  bool sweeps = false;
};
struct DatumPromised {
  static constexpr core::FactInfo info{
      "datum-promised",
      "A task, the giver, is placed here, which will give another what this needs, and knows it at "
      "that address.",
      "job | portion | giver_job | giver_portion | address: the peer where the task was known to "
      "be | version | bytes: the size of the datum",
      core::Noted::seldom};
  TaskId task;
  TaskId giver;
  core::PeerId at;
  Epoch version = 0;
  std::uint64_t bytes = 0;
};
struct TaskSettled {
  static constexpr core::FactInfo info{
      "task-settled",
      "A task is here, in that epoch, and waits for the data of so many others, if any.",
      "job | portion | epoch: how often it has moved; 2^32 more each time that it was lost | "
      "awaits: data that it still needs",
      core::Noted::seldom};
  TaskId task;
  Epoch epoch = 0;
  std::uint32_t awaits = 0;
};
struct TaskLeft {
  static constexpr core::FactInfo info{
      "task-left", "A task goes from here to another peer, where it will be in that epoch.",
      "job | portion | receiver: where it goes | epoch: in which it will be there",
      core::Noted::seldom};
  TaskId task;
  core::PeerId receiver;
  Epoch epoch = 0;
};
struct MoveEnded {
  static constexpr core::FactInfo info{
      "move-ended", "A task that went from here is known to be elsewhere, or stays here after all.",
      "job | portion", core::Noted::seldom};
  TaskId task;
};
struct ForwarderLeft {
  static constexpr core::FactInfo info{
      "forwarder-left", "This peer passes on from now on what looks for a task.",
      "job | portion | next: the peer to which it leads | version", core::Noted::seldom};
  TaskId task;
  core::PeerId next;
  Epoch version = 0;
};
struct ForwarderTurned {
  static constexpr core::FactInfo info{
      "forwarder-turned", "A forwarder was told of a later address of its task.",
      "job | portion | next: the peer to which it leads now | version", core::Noted::seldom};
  TaskId task;
  core::PeerId next;
  Epoch version = 0;
};
struct ForwarderGone {
  static constexpr core::FactInfo info{"forwarder-gone",
                                       "This peer passes on no more what looks for a task.",
                                       "job | portion", core::Noted::seldom};
  TaskId task;
};
struct AddressLearned {
  static constexpr core::FactInfo info{
      "address-learned",
      "A task that will give another what it needs, or its datum under way, knows that one at this "
      "address instead of a former one.",
      "job | portion | giver_job | giver_portion | address: the peer where the task was known to "
      "be | version | former: the epoch of the address that it takes the place of",
      core::Noted::seldom};
  TaskId task;
  TaskId giver;
  core::PeerId at;
  Epoch version = 0;
  Epoch former = 0;  // the version of the address that it takes the place of
};
struct DatumSent {
  static constexpr core::FactInfo info{
      "datum-sent", "What a task gives another goes to that address, for the first time or again.",
      "job | portion | giver_job | giver_portion | address: the peer where the task was known to "
      "be | version | again: 1: it was sent before",
      core::Noted::seldom};
  TaskId task;
  TaskId giver;
  core::PeerId at;
  Epoch version = 0;
  bool again = false;
};
struct SearchPassed {
  static constexpr core::FactInfo info{
      "search-passed", "This peer passes on to another what looks for a task.",
      "job | portion | giver_job | giver_portion | next: the peer to which it goes on",
      core::Noted::on_request};
  TaskId task;
  TaskId giver;
  core::PeerId next;
};
struct DatumGiven {
  static constexpr core::FactInfo info{
      "datum-given", "A task has what another gives it, which came by so many messages.",
      "job | portion | giver_job | giver_portion | hops: messages that brought it",
      core::Noted::seldom};
  TaskId task;
  TaskId giver;
  std::uint32_t hops = 0;
};
struct DatumTakenAlong {
  static constexpr core::FactInfo info{
      "datum-taken-along",
      "A task is placed here, in that epoch, that has from the first what another gives it: that "
      "one is known to be done.",
      "job | portion | giver_job | giver_portion | epoch: in which it is placed: 2^32 for each "
      "time that it was lost",
      core::Noted::seldom};
  TaskId task;
  TaskId giver;
  Epoch epoch = 0;
};
struct SearchHeld {
  static constexpr core::FactInfo info{
      "search-held",
      "What looks for a task waits here, until the task has gone or word of it has come.",
      "job | portion | giver_job | giver_portion", core::Noted::seldom};
  TaskId task;
  TaskId giver;
};
struct SearchReleased {
  static constexpr core::FactInfo info{
      "search-released", "What looked for a task, and waited here, waits no more.",
      "job | portion | giver_job | giver_portion", core::Noted::seldom};
  TaskId task;
  TaskId giver;
};

using Facts = core::OneOf<LocatorStarted, DatumPromised, TaskSettled, TaskLeft, MoveEnded,
                          ForwarderLeft, ForwarderTurned, ForwarderGone, AddressLearned, DatumSent,
                          SearchPassed, DatumGiven, DatumTakenAlong, SearchHeld, SearchReleased>;

}  // namespace rhizome::agents::locator
