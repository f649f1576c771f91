// The parts of an agent of the Organic Grid, each alone.
#include <doctest/doctest.h>

#include <chrono>

#include "agents/organic_grid/home.hpp"
#include "agents/organic_grid/tree/children.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/stream.hpp"
#include "agents/organic_grid/tree/trail.hpp"
#include "agents/organic_grid/tree/window.hpp"

namespace rhizome::parts_test {

using namespace agents::grid;
using namespace std::chrono_literals;

namespace {

core::Time at(core::Duration since_start) { return core::Time{} + since_start; }

agents::Task lasting(std::uint32_t portion, core::Duration duration) {
  return {.id = {0, portion}, .duration = duration};
}

// The result of a task that its executor ran at `pace` seconds for each second.
std::vector<Result> one_result(core::PeerId executor, double pace = 1) {
  return {{{0, 0}, executor, pace}};
}

// A child whose bursts of one result come `gap` apart, until its metric is full.
void let_work(Children& children, core::PeerId id, core::Duration gap, const Options& options) {
  Child& child = children.add(id, at(0s));
  for (std::uint32_t i = 0; i <= options.metric_window; ++i)
    children.count_burst(child, one_result(id), at(gap * (i + 1)));
}

}  // namespace

TEST_CASE("a stream takes every item once, whatever comes twice, late or too early") {
  StreamInbox inbox;
  CHECK(inbox.take(0, 2) == 0);
  CHECK(inbox.take(0, 2) == 2);  // a second copy
  CHECK(inbox.take(3, 1) == 1);  // an earlier item is missing
  CHECK(inbox.next() == 2);
  CHECK(inbox.take(1, 3) == 1);  // sent again, with more
  CHECK(inbox.next() == 4);
  CHECK(inbox.take(~std::uint64_t{0}, 5) == 5);
  CHECK(inbox.next() == 4);
}

TEST_CASE("an outbox keeps items that are not acknowledged") {
  Outbox<int> outbox;
  for (int i = 0; i < 3; ++i) outbox.push(i, at(0s));
  outbox.acknowledge(2);
  CHECK(outbox.first() == 2);
  CHECK(outbox.next() == 3);
  CHECK(outbox.again(at(1s)) == std::vector<int>{2});
  outbox.acknowledge(1);  // an old one
  CHECK(outbox.first() == 2);
  outbox.acknowledge(99);  // items that were never sent cannot be acknowledged
  CHECK(outbox.empty());
  CHECK(outbox.next() == 3);
}

TEST_CASE("an outbox has waited since it last sent its oldest item") {
  Outbox<int> outbox;
  CHECK_FALSE(outbox.waits_since(at(9s)));
  outbox.push(1, at(1s));
  outbox.push(2, at(3s));
  CHECK(outbox.waits_since(at(2s)));
  outbox.acknowledge(1);
  CHECK_FALSE(outbox.waits_since(at(2s)));
  CHECK(outbox.waits_since(at(4s)));
  static_cast<void>(outbox.again(at(5s)));
  CHECK_FALSE(outbox.waits_since(at(4s)));
}

TEST_CASE("a window widens as batches come faster, up to its most, and narrows down to one") {
  Window window(1, 3);
  window.begin(at(0s));
  core::Duration now = 0s;
  for (int i = 0; i < 6; ++i) {
    now += core::Duration(1s) / (1 << i);
    window.count(at(now));
  }
  CHECK(window.tasks() == 3);
  for (int i = 0; i < 6; ++i) {
    now += core::Duration(1s) * (1 << i);
    window.count(at(now));
  }
  CHECK(window.tasks() == 1);
}

TEST_CASE("a window that sees no change stays as it is") {
  Window window(2, 4);
  window.begin(at(0s));
  for (int i = 1; i <= 20; ++i) window.count(at(100ms * i));
  CHECK(window.tasks() == 1);
}

TEST_CASE("a task is asked for after several times the usual time, and then after twice as long") {
  Books books;
  const Books::Patience patience{.factor = 3, .least = 2s, .pace = 1};
  for (std::uint32_t i = 0; i < 50; ++i) {
    books.lend(lasting(i, 1s), {core::PeerId{1}, 1}, at(0s));
    books.settle({0, i}, 4);  // peers take four seconds for each
  }
  books.lend(lasting(99, 1s), {core::PeerId{1}, 1}, at(1000s));
  CHECK(books.doubtful(at(1012s), patience).empty());
  REQUIRE(books.doubtful(at(1013s), patience).size() == 1);
  CHECK(books.doubtful(at(1024s), patience).empty());
  CHECK(books.doubtful(at(1025s), patience).size() == 1);
}

TEST_CASE("no task is asked for sooner than after a time-out, and again after twice that") {
  Books books;
  const Books::Patience patience{.factor = 3, .least = 2s, .pace = 1};
  books.lend(lasting(0, 1ms), {core::PeerId{1}, 1}, at(0s));
  CHECK(books.doubtful(at(2s), patience).empty());
  CHECK(books.doubtful(at(2001ms), patience).size() == 1);
  CHECK(books.doubtful(at(4s), patience).empty());
  CHECK(books.doubtful(at(4001ms), patience).size() == 1);
}

TEST_CASE("before the first result the usual pace is that of the peer itself") {
  Books books;
  books.lend(lasting(0, 1s), {core::PeerId{1}, 1}, at(0s));
  const Books::Patience slow{.factor = 3, .least = 0s, .pace = 10};
  CHECK(books.doubtful(at(30s), slow).empty());
  CHECK(books.doubtful(at(31s), slow).size() == 1);
}

TEST_CASE("a node knows where a task that it had went, unless its lender has the result") {
  const core::PeerId lender{1}, other{2}, child{3};
  Trail trail;
  trail.come({0, 0}, {lender, 1});
  CHECK_FALSE(trail.to({0, 0}));
  CHECK_FALSE(trail.strays({0, 0}, {lender, 1}));
  trail.deliver({0, 0}, {lender, 1}, false);
  CHECK_FALSE(trail.to({0, 0}));
  trail.come({0, 1}, {lender, 1});
  CHECK(trail.strays({0, 1}, {other, 2}));
  trail.deliver({0, 1}, {other, 2}, true);
  CHECK(trail.to({0, 1}) == other);
  trail.come({0, 2}, {lender, 1});
  trail.leave({0, 2}, child, 1);
  CHECK(trail.to({0, 2}) == child);
  trail.come({0, 2}, {other, 2});
  CHECK_FALSE(trail.to({0, 2}));
}

TEST_CASE("a node remembers a task that came twice, for others may send inquiries for it here") {
  const core::PeerId lender{1}, child{3};
  Trail trail;
  trail.come({0, 0}, {lender, 1});
  trail.leave({0, 0}, child, 1);
  trail.come({0, 0}, {child, 2});  // which is the parent now
  CHECK(trail.strays({0, 0}, {child, 2}));
  trail.deliver({0, 0}, {child, 2}, true);
  CHECK(trail.to({0, 0}) == child);
}

TEST_CASE("late news that a former parent has a result does not hide where it went later") {
  const core::PeerId former{1}, parent{2};
  Trail trail;
  trail.come({0, 0}, {former, 1});
  trail.deliver({0, 0}, {parent, 3}, true);  // it came back from below, and went up again
  trail.deliver({0, 0}, {former, 1}, false);
  CHECK(trail.to({0, 0}) == parent);
  trail.come({0, 1}, {parent, 3});
  trail.deliver({0, 1}, {former, 1}, true);  // about an earlier loan
  CHECK_FALSE(trail.to({0, 1}));
  trail.deliver({0, 1}, {parent, 3}, false);
  CHECK_FALSE(trail.to({0, 1}));
}

TEST_CASE("a window that was closed opens after a batch") {
  Window window(2, 4);
  window.begin(at(0s));
  window.close();
  window.count(at(1s));
  CHECK(window.closed());
  window.count(at(2s));
  CHECK_FALSE(window.closed());
}

TEST_CASE("a window restarts after two heartbeats without work, until a batch is done") {
  Window window(2, 4);
  window.tick(true);
  window.count(core::Time{1s});
  window.tick(true);
  window.tick(false);
  window.tick(true);
  CHECK_FALSE(window.restarted());
  window.tick(true);
  CHECK(window.restarted());
  window.tick(false);
  CHECK(window.restarted());
  window.count(core::Time{2s});
  window.count(core::Time{3s});
  window.count(core::Time{4s});
  CHECK_FALSE(window.restarted());
}

TEST_CASE("the tasks that a child holds can be recalled, and only of that stay") {
  Books books;
  books.lend(lasting(0, 1s), {core::PeerId{1}, 1}, at(0s));
  books.lend(lasting(1, 1s), {core::PeerId{1}, 2}, at(0s));
  books.lend(lasting(2, 1s), {core::PeerId{2}, 1}, at(0s));
  REQUIRE(books.recall({core::PeerId{1}, 2}).size() == 1);
  CHECK(books.size() == 2);
  books.disown({core::PeerId{2}, 1});  // the root goes on answering for it
  CHECK(books.size() == 2);
  CHECK(books.recall({core::PeerId{2}, 1}).empty());
  CHECK(books.find({0, 2})->borrower.peer == core::PeerId{2});  // the borrower that is asked first
}

TEST_CASE("the slowest of too many active children is the surplus") {
  Options options;
  options.max_children = 2;
  Children children(options);
  let_work(children, core::PeerId{1}, 100ms, options);
  let_work(children, core::PeerId{2}, 300ms, options);
  CHECK_FALSE(children.surplus());
  let_work(children, core::PeerId{3}, 200ms, options);
  REQUIRE(children.surplus());
  CHECK(*children.surplus() == core::PeerId{2});
  CHECK(children.best()->id == core::PeerId{1});
  CHECK(children.others(core::PeerId{2}) ==
        std::vector<core::PeerId>{core::PeerId{3}, core::PeerId{1}});
}

TEST_CASE("by executions a child is judged by its own tasks, however long it waits for them") {
  Options options;
  options.metric = ChildMetric::executions;
  Children children(options);
  children.add(core::PeerId{1}, at(0s));
  children.add(core::PeerId{2}, at(0s));
  Child& slow = *children.find(core::PeerId{1});
  Child& fast = *children.find(core::PeerId{2});
  for (std::uint32_t i = 1; i <= options.metric_window; ++i) {
    children.count_burst(slow, one_result(slow.id, 10), at(1s * i));
    CHECK(children.best() != &fast);
    children.count_burst(fast, one_result(slow.id, 10), at(5s * i));  // relayed from another
    children.count_burst(fast, one_result(fast.id, 1), at(20s * i));
  }
  REQUIRE(children.best() != nullptr);
  CHECK(children.best()->id == fast.id);
  CHECK(Children::metric(fast) == doctest::Approx(1));
}

TEST_CASE("a child on trial is active once its metric is full") {
  const Options options;
  Children children(options);
  Child& child = children.add(core::PeerId{1}, at(0s));
  for (std::uint32_t i = 0; i < options.metric_window; ++i) {
    children.count_burst(child, one_result(child.id), at(1s * (i + 1)));
    CHECK_FALSE(child.active);
    CHECK(children.best() == nullptr);
  }
  children.count_burst(child, one_result(child.id), at(9s));
  CHECK(child.active);
}

TEST_CASE("there is room for so many children and so many on trial") {
  Options options;
  options.max_children = 1;
  options.max_potential = 2;
  Children children(options);
  CHECK(children.room(0));
  children.add(core::PeerId{1}, at(0s));
  CHECK(children.room(0));
  children.add(core::PeerId{2}, at(0s));
  CHECK_FALSE(children.room(0));
  let_work(children, core::PeerId{1}, 1s, options);
  CHECK(children.room(0));
  children.add(core::PeerId{3}, at(0s));
  CHECK_FALSE(children.room(0));
}

TEST_CASE("a former child is forgotten after a number of results") {
  const Options options;
  Children children(options);
  children.make_former(core::PeerId{1}, at(0s));
  const std::uint32_t results = options.former_windows * options.full_window();
  children.count_results(results - 1);
  CHECK(children.is_former(core::PeerId{1}, at(0s)));
  children.count_results(1);
  CHECK_FALSE(children.is_former(core::PeerId{1}, at(0s)));
}

TEST_CASE("a former child is forgotten after a time where no results come") {
  const Options options;
  Children children(options);
  children.make_former(core::PeerId{1}, at(0s));
  const core::Duration time = options.former_windows * options.timeout;
  CHECK(children.is_former(core::PeerId{1}, at(time - 1ms)));
  CHECK_FALSE(children.is_former(core::PeerId{1}, at(time)));
}

TEST_CASE("no more than so many former children are remembered, the oldest least") {
  Options options;
  options.max_former = 1;
  Children children(options);
  children.make_former(core::PeerId{1}, at(0s));
  children.make_former(core::PeerId{2}, at(0s));
  CHECK_FALSE(children.is_former(core::PeerId{1}, at(0s)));
  CHECK(children.is_former(core::PeerId{2}, at(0s)));
}

TEST_CASE("the youngest news of a root counts, and it grows older") {
  Sightings sightings;
  CHECK_FALSE(sightings.age(core::PeerId{0}, at(9s)));
  sightings.learn(core::PeerId{0}, 2s, at(10s));
  sightings.learn(core::PeerId{0}, 5s, at(10s));
  CHECK(*sightings.age(core::PeerId{0}, at(11s)) == core::Duration(3s));
  sightings.learn(core::PeerId{0}, -5s, at(12s));  // news cannot come from the future
  CHECK(*sightings.age(core::PeerId{0}, at(13s)) == core::Duration(1s));
}

}  // namespace rhizome::parts_test
