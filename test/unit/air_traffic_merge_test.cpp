#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/air_traffic.hpp"

namespace rhizome::air_traffic_merge_test {

using core::PeerId;
using test::Controller;
using test::done;
using test::groups;
using test::let_pass;
using test::queue;
using test::small_world;
using test::started;
using namespace agents::traffic;

namespace {

// The leaders of a world of thirteen with three groups, all neighbours: {1: 2, 3, 4}, {5: 6, 7, 8},
// {9: ...}.
constexpr PeerId lowest{1};
constexpr PeerId middle{5};
constexpr PeerId highest{9};

test::World three_groups(std::uint32_t portions) {
  return small_world({.jobs = 2, .portions = portions, .peers = 13});
}

std::uint64_t ticket(const Controller& peer) { return peer.sent<Take>().back().second.ticket; }

void give(Controller& peer, const test::World& world, std::uint32_t job, std::uint32_t total) {
  std::vector<agents::Task> tasks = world.workload.jobs[job].portions;
  tasks.resize(total);
  peer.deliver(queue, Portion{ticket(peer), 0, total, tasks});
}

// The middle leader, lent to the suitor.
Controller lent(const test::World& world, PeerId suitor) {
  auto peer = started(middle, world, groups(3));
  peer.deliver(suitor, MergeAsk{});
  peer.deliver(queue, Withdrawn{ticket(peer)});
  return peer;
}

// The middle leader with a job of six tasks, which the lowest has lent its group.
Controller merged(const test::World& world) {
  auto peer = started(middle, world, groups(3));
  give(peer, world, 0, 6);
  peer.deliver(lowest, MergeGrant{1, 4, {{PeerId{2}, 1}, {PeerId{3}, 1}}, {PeerId{12}, highest}});
  return peer;
}

}  // namespace

TEST_CASE("a job smaller than the group splits the rest off, with a leader of its own") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  give(peer, world, 0, 1);
  REQUIRE(peer.sent<Lead>().size() == 1);
  CHECK(peer.sent<Lead>().front().first == PeerId{7});
  CHECK(peer.sent<Lead>().front().second.members.size() == 1);
  REQUIRE(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Follow>().front().first == PeerId{8});
  CHECK(peer.sent<Follow>().front().second.leader == PeerId{7});
  REQUIRE(peer.sent<Assign>().size() == 1);
  CHECK(peer.sent<Assign>().front().first == PeerId{6});
  CHECK(peer.protocol().leader()->edges().contains(PeerId{7}));  // A and A' stay neighbours
}

TEST_CASE("a worker that was split off and has not heard of it is told again, but not at once") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = started(middle, world, options);
  give(peer, world, 0, 1);
  peer.deliver(PeerId{8}, WorkerAlive{1, 1, {}});  // may have crossed the order
  peer.deliver(PeerId{7}, WorkerAlive{1, 1, {}});
  CHECK(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Lead>().size() == 1);
  peer.pass(options.round_trip() + std::chrono::milliseconds(1));
  peer.deliver(PeerId{8}, WorkerAlive{1, 1, {}});
  peer.deliver(PeerId{7}, WorkerAlive{1, 1, {}});
  CHECK(peer.sent<Follow>().size() == 2);
  REQUIRE(peer.sent<Lead>().size() == 2);
  CHECK(peer.sent<Lead>().back().second.members.size() == 1);
}

TEST_CASE("a leader merges with the partner that it split off first, then by address") {
  const test::World world = three_groups(10);
  auto peer = started(middle, world, groups(3));
  give(peer, world, 0, 1);
  peer.deliver(PeerId{6}, done({0, 0}, PeerId{6}));
  give(peer, world, 1, 10);
  for (const PeerId refusing : {PeerId{7}, lowest}) peer.deliver(refusing, MergeRefuse{});
  const auto asked = peer.sent<MergeAsk>();
  REQUIRE(asked.size() == 3);
  CHECK(asked[0].first == PeerId{7});
  CHECK(asked[1].first == lowest);
  CHECK(asked[2].first == highest);
}

TEST_CASE("an idle leader lends its group once the queue agrees that no job is on its way") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  peer.deliver(highest, MergeAsk{});
  CHECK(peer.sent<MergeGrant>().empty());
  REQUIRE(peer.sent<Withdraw>().size() == 1);
  CHECK(peer.sent<Withdraw>().front().second.ticket == ticket(peer));
  peer.deliver(queue, Withdrawn{ticket(peer)});
  REQUIRE(peer.sent<MergeGrant>().size() == 1);
  const auto [to, grant] = peer.sent<MergeGrant>().front();
  CHECK(to == highest);
  CHECK(grant.members.size() == 3);
  CHECK(grant.edges == std::vector<PeerId>{lowest, highest});
}

TEST_CASE("a job that was on its way is run, and the suitor refused") {
  const test::World world = three_groups(3);
  auto peer = started(middle, world, groups(3));
  peer.deliver(highest, MergeAsk{});
  give(peer, world, 0, 3);
  CHECK(peer.sent<MergeRefuse>().size() == 1);
  CHECK(peer.sent<Assign>().size() == 3);
  peer.deliver(queue, Withdrawn{ticket(peer)});  // of an older question
  CHECK(peer.sent<MergeGrant>().empty());
}

TEST_CASE("if two leaders ask to merge, the job goes to the one with the lower address") {
  const test::World world = three_groups(6);
  for (const bool lower_first : {true, false}) {
    CAPTURE(lower_first);
    auto peer = started(middle, world, groups(3));
    peer.deliver(lower_first ? lowest : highest, MergeAsk{});
    peer.deliver(lower_first ? highest : lowest, MergeAsk{});
    peer.deliver(queue, Withdrawn{ticket(peer)});
    REQUIRE(peer.sent<MergeGrant>().size() == 1);
    CHECK(peer.sent<MergeGrant>().front().first == lowest);
    REQUIRE(peer.sent<MergeRefuse>().size() == 1);
    CHECK(peer.sent<MergeRefuse>().front().first == highest);
  }
}

TEST_CASE("a leader that is busy, lent or static grants no merge") {
  const test::World world = three_groups(3);
  auto busy = started(middle, world, groups(3));
  give(busy, world, 0, 3);
  busy.deliver(lowest, MergeAsk{});
  CHECK(busy.sent<MergeRefuse>().size() == 1);
  CHECK(busy.sent<Withdraw>().empty());
  auto taken = lent(world, highest);
  taken.deliver(lowest, MergeAsk{});
  CHECK(taken.sent<MergeRefuse>().size() == 1);
  CHECK(taken.sent<MergeGrant>().size() == 1);
  Options options = groups(3);
  options.reorganise = false;
  auto fixed = started(middle, world, options);
  fixed.deliver(lowest, MergeAsk{});
  CHECK(fixed.sent<MergeRefuse>().size() == 1);
}

TEST_CASE("a lease without a commit ends, and its group asks for work with a new ticket") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = lent(world, highest);
  const std::uint64_t withdrawn = ticket(peer);
  const std::size_t asked = peer.sent<Take>().size();
  let_pass(peer, options.merge_patience / 2);
  CHECK(peer.sent<Take>().size() == asked);  // lent, it does not ask
  let_pass(peer, options.merge_patience / 2 + options.heartbeat());
  REQUIRE(peer.sent<Take>().size() > asked);
  CHECK(ticket(peer) == withdrawn + 1);
  peer.deliver(highest, MergeCommit{9});  // too late
  CHECK(peer.protocol().leader() != nullptr);
}

TEST_CASE("a leader whose wish to withdraw is not answered refuses and goes on") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = started(middle, world, options);
  peer.deliver(highest, MergeAsk{});
  let_pass(peer, options.merge_patience + options.heartbeat());
  CHECK(peer.sent<MergeRefuse>().size() == 1);
  CHECK(ticket(peer) == 2);
}

TEST_CASE("an absorbed leader sends its workers and hands its neighbours over") {
  const test::World world = three_groups(6);
  auto peer = lent(world, highest);
  peer.forget();
  peer.deliver(highest, MergeCommit{9});
  CHECK(peer.protocol().leader() == nullptr);
  CHECK(peer.protocol().follows() == highest);
  const auto follows = peer.sent<Follow>();
  REQUIRE(follows.size() == 3);
  for (const auto& [to, follow] : follows) {
    CHECK(follow.leader == highest);
    CHECK(follow.epoch == 9);
  }
  const auto unlinked = peer.sent<Unlinked>();
  REQUIRE(unlinked.size() == 2);
  CHECK(unlinked[0].first == lowest);
  CHECK(unlinked[1].first == highest);
  for (const auto& [to, message] : unlinked) CHECK(message.instead == highest);
  REQUIRE(peer.sent<WorkerAlive>().size() == 1);
  CHECK(peer.sent<WorkerAlive>().front().first == highest);
}

TEST_CASE("only the suitor's commit absorbs") {
  const test::World world = three_groups(6);
  auto peer = lent(world, highest);
  peer.deliver(lowest, MergeCommit{9});
  CHECK(peer.protocol().leader() != nullptr);
}

TEST_CASE("a neighbour that was absorbed is replaced by the leader that absorbed it") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  peer.deliver(lowest, Unlinked{PeerId{12}});
  CHECK(peer.protocol().leader()->edges().list() == std::vector<PeerId>{highest, PeerId{12}});
  let_pass(peer, groups(3).heartbeat());
  REQUIRE(peer.sent<Linked>().size() == 2);
  CHECK(peer.sent<Linked>().back().first == PeerId{12});
}

TEST_CASE("two that no longer lead and name each other are not asked for ever") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  for (int i = 0; i < 10; ++i) {
    peer.deliver(lowest, Unlinked{PeerId{12}});
    peer.deliver(PeerId{12}, Unlinked{lowest});
  }
  CHECK(peer.sent<Linked>().empty());
}

TEST_CASE("a leader whose neighbour knows of no other leader tells the queue") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = started(middle, world, options);
  peer.deliver(lowest, Unlinked{core::no_peer});
  let_pass(peer, options.heartbeat());
  REQUIRE_FALSE(peer.sent<Bereaved>().empty());
  peer.deliver(queue, Neighbour{highest});
  peer.forget();
  let_pass(peer, options.heartbeat());
  CHECK(peer.sent<Bereaved>().empty());
}

TEST_CASE("a neighbour that falls silent is given up, and the queue is told") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = started(middle, world, options);
  for (int i = 0; i < 10; ++i) {
    let_pass(peer, options.heartbeat());
    peer.deliver(highest, Linked{});
    for (const std::uint32_t id : {6U, 7U, 8U}) peer.deliver(PeerId{id}, WorkerAlive{1, 1, {}});
  }
  CHECK(peer.protocol().leader()->edges().list() == std::vector<PeerId>{highest});
  CHECK_FALSE(peer.sent<Bereaved>().empty());
}

TEST_CASE("a grant brings the neighbours of the group that is lent") {
  const test::World world = three_groups(6);
  const auto peer = merged(world);
  REQUIRE(peer.sent<MergeCommit>().size() == 1);
  CHECK(peer.sent<MergeCommit>().front().second.epoch == 5);  // above both groups'
  CHECK(peer.protocol().leader()->edges().list() == std::vector<PeerId>{highest, PeerId{12}});
  std::vector<PeerId> told;
  for (const auto& [to, linked] : peer.sent<Linked>()) told.push_back(to);
  CHECK(told == std::vector<PeerId>{PeerId{12}, highest});
}

// They once went where their former leader was sent next, and the tasks given to them were lost.
TEST_CASE("workers that were lent are not moved by messages they sent before they heard of it") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = lent(world, lowest);
  peer.deliver(lowest, MergeCommit{5});
  peer.deliver(lowest, Follow{highest, 6});
  peer.forget();
  peer.deliver(PeerId{6}, WorkerAlive{1, 1, {}});
  CHECK(peer.sent<Follow>().empty());
  peer.pass(options.round_trip() + std::chrono::milliseconds(1));
  peer.deliver(PeerId{6}, WorkerAlive{1, 1, {}});
  REQUIRE(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Follow>().front().second.leader == highest);
}

// The leaders once came apart for a heartbeat.
TEST_CASE("a peer that was told to lead, and says that it follows still, stays a neighbour") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  give(peer, world, 0, 1);
  peer.deliver(PeerId{7}, Unlinked{middle});
  CHECK(peer.protocol().leader()->edges().contains(PeerId{7}));
  peer.deliver(PeerId{7}, Unlinked{highest});
  CHECK_FALSE(peer.protocol().leader()->edges().contains(PeerId{7}));
}

TEST_CASE("workers of a merged group get tasks once they say that they follow") {
  const test::World world = three_groups(6);
  auto peer = merged(world);
  CHECK(peer.sent<Assign>().size() == 3);
  peer.deliver(PeerId{2}, WorkerAlive{1, 5, {}});
  CHECK(peer.sent<Assign>().size() == 4);
  peer.deliver(lowest, WorkerAlive{1, 5, {}});
  REQUIRE(peer.sent<Assign>().size() == 5);
  CHECK(peer.sent<Assign>().back().first == lowest);
}

TEST_CASE("a grant that comes too late is not taken up") {
  const test::World world = three_groups(6);
  auto peer = started(middle, world, groups(3));
  give(peer, world, 0, 6);
  peer.deliver(lowest, MergeRefuse{});
  peer.deliver(lowest, MergeGrant{1, 4, {}, {}});
  CHECK(peer.sent<MergeCommit>().empty());
}

TEST_CASE("a leader that is asked to merge is not waited for longer than the patience") {
  const test::World world = three_groups(6);
  const Options options = groups(3);
  auto peer = started(middle, world, options);
  give(peer, world, 0, 6);
  REQUIRE(peer.sent<MergeAsk>().size() == 1);
  CHECK(peer.sent<Assign>().empty());
  let_pass(peer, options.merge_patience);
  REQUIRE(peer.sent<MergeAsk>().size() == 2);
  let_pass(peer, options.merge_patience);
  CHECK(peer.sent<Assign>().size() == 3);  // in rounds
}

TEST_CASE("after its job a merged group returns to the size of the layout") {
  const test::World world = three_groups(6);
  auto peer = merged(world);
  for (const PeerId id : {lowest, PeerId{2}, PeerId{3}}) peer.deliver(id, WorkerAlive{1, 5, {}});
  for (const auto& [to, assign] : peer.sent<Assign>())
    peer.deliver(to, done(assign.tasks.front().id, to));
  REQUIRE(peer.sent<Lead>().size() == 1);
  CHECK(peer.sent<Lead>().front().second.members.size() == 2);
  CHECK(peer.sent<Take>().back().second.size == 3);
}

}  // namespace rhizome::air_traffic_merge_test
