// An observer's view of a run under way, on both engines.
#include "core/engine/observer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/impairment.hpp"
#include "test/support/facts.hpp"

namespace rhizome::observer_test {

namespace {

using namespace std::chrono_literals;

struct Parcel {
  static constexpr core::MessageInfo info{"parcel", core::MessageClass::job, core::Cause::work};
  std::string text;
};
struct Receipt {
  static constexpr core::MessageInfo info{"receipt", core::MessageClass::result,
                                          core::Cause::completion};
};
struct Sent {
  static constexpr core::FactInfo info{"sent", "A parcel was sent.", "number"};
  std::uint32_t number = 0;
};
struct Again {};
struct Late {};

// Sends parcels, takes back every other timer and every third work, and comes to no end.
class Busy {
 public:
  using Messages = core::OneOf<Parcel, Receipt>;
  using Env = core::Env<Messages, core::OneOf<Again, Late>, core::OneOf<Sent>>;
  static constexpr std::string_view name = "busy";
  static constexpr std::uint32_t peers = 6;

  void start(Env& env) {
    env.after(1ms, Again{});
    if (env.self().value == 5) env.rest();
  }
  void on(Env& env, const Again&) {
    env.after(1ms, Again{});
    env.cancel(late_);
    if (++number_ % 2 == 0) late_ = env.after(30ms, Late{});
    const core::WorkId work = env.work({.duration = 10ms});
    if (number_ % 3 == 0) env.stop(work);
    env.note(Sent{number_});
    env.send(core::PeerId{static_cast<std::uint32_t>(env.rng().below(peers + 1))},
             Parcel{std::string(number_ % 50, 'x')});
  }
  void on(Env&, const Late&) {}
  void on(Env&, const core::WorkDone&) {}
  void on(Env& env, core::PeerId from, const Parcel&) { env.send(from, Receipt{}); }
  void on(Env&, core::PeerId, const Receipt&) {}

 private:
  std::uint32_t number_ = 0;
  core::TimerId late_;
};

core::EngineSetup busy(const core::LinkChain& links) {
  core::EngineSetup setup;
  setup.peers = Busy::peers;
  setup.links = &links;
  setup.limit = 400ms;
  setup.make_peer = [](core::PeerId id, core::Incarnation life) {
    auto peer = std::make_unique<core::Peer>(id, life, 11);
    peer->add<Busy>();
    return peer;
  };
  setup.faults = {{core::Time{100ms}, core::PeerId{1}, core::Fault::Kind::crash},
                  {core::Time{150ms}, core::PeerId{2}, core::Fault::Kind::leave},
                  {core::Time{200ms}, core::PeerId{1}, core::Fault::Kind::restart},
                  {core::Time{200ms}, core::PeerId{4}, core::Fault::Kind::join}};
  setup.simulated_payload = {.task = 100};
  return setup;
}

core::EngineReport run_on(bool threads, const core::EngineSetup& setup,
                          const core::Observer& observer) {
  if (threads) return core::ThreadEngine(setup, {}).run(observer);
  return core::VirtualEngine(setup).run(observer);
}

}  // namespace

TEST_CASE("a board counts the faults that strike, by kind, and none that finds nothing to do") {
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const core::LinkChain links;
    core::EngineSetup setup = busy(links);
    setup.faults.push_back({core::Time{130ms}, core::PeerId{1}, core::Fault::Kind::crash});
    setup.faults.push_back({core::Time{130ms}, core::PeerId{4}, core::Fault::Kind::leave});
    const core::Board* board = nullptr;
    std::array<std::uint64_t, core::fault_kinds> faults{};
    run_on(threads, setup,
           {.watch = [&](const core::Board& shown) { board = &shown; },
            .unwatch =
                [&] {
                  for (std::size_t i = 0; i < faults.size(); ++i)
                    faults[i] = board->faults(static_cast<core::Fault::Kind>(i));
                }});
    CHECK(faults == std::array<std::uint64_t, core::fault_kinds>{1, 1, 1, 1});
  }
}

namespace {

// By class.
using Figures = std::array<std::uint64_t, core::message_classes>;

Figures sent_by(const core::Recorder& recorder) {
  Figures figures{};
  for (const core::BurdenRow& row : recorder.burdens().rows())
    figures[static_cast<std::size_t>(row.message_class)] += row.sent.messages;
  return figures;
}

core::Burden sum(const core::Recorder& recorder, core::Burden core::BurdenRow::*side) {
  core::Burden burden;
  for (const core::BurdenRow& row : recorder.burdens().rows()) burden += row.*side;
  return burden;
}

// Reads a board in a thread of its own, for as long as it may be read.
class Reader {
 public:
  // Observations of one peer.
  struct Seen {
    Figures sent{};
    std::uint64_t sent_bytes = 0;
    std::uint64_t received = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t events = 0;
    core::DropCounts dropped{};
    std::uint32_t running = 0;
    std::uint32_t timers = 0;  // handled
    core::Vitals::Presence presence{};
    core::FactLog::Cursor cursor{};
    std::vector<test::KeptFact> facts{};
  };

  [[nodiscard]] core::Observer observer() {
    return {.watch =
                [this](const core::Board& board) {
                  board_ = &board;
                  seen_.resize(board.peers());
                  thread_ = std::thread([this] { watch(); });
                },
            .unwatch =
                [this] {
                  over_ = true;
                  thread_.join();
                  look();
                  board_ = nullptr;
                }};
  }
  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }
  [[nodiscard]] core::Time now() const { return now_; }
  // How often a count or the time was less than before.
  [[nodiscard]] int falls() const { return falls_; }
  // How often it looked before the end and found something.
  [[nodiscard]] int looks() const { return looks_; }

 private:
  void watch() {
    while (!over_) look();
  }
  void look() {
    falls_ += board_->now() < now_ ? 1 : 0;
    now_ = board_->now();
    looks_ += now_ > core::Time{} && !over_ ? 1 : 0;
    for (std::uint32_t i = 0; i < seen_.size(); ++i) look(core::PeerId{i}, seen_[i]);
  }
  void look(core::PeerId peer, Seen& seen) {
    const core::Vitals& vitals = board_->vitals(peer);
    falls_ += vitals.events.get() < seen.events ? 1 : 0;
    for (std::size_t i = 0; i < seen.sent.size(); ++i) seen.sent[i] = vitals.sent[i].get();
    seen.sent_bytes = vitals.all_sent_bytes();
    seen.received = vitals.received.get();
    seen.received_bytes = vitals.received_bytes.get();
    seen.duplicated = vitals.duplicated.get();
    seen.events = vitals.events.get();
    for (std::size_t i = 0; i < core::drops; ++i) seen.dropped[i] = vitals.dropped[i].get();
    seen.running = vitals.running.get();
    seen.timers = vitals.punctuality[1].seen.get();
    seen.presence = vitals.presence();
    board_->facts(peer).read(seen.cursor, [&seen](core::Time at, const core::EncodedFact& fact) {
      seen.facts.push_back(test::keep(at, fact));
    });
  }

  const core::Board* board_ = nullptr;
  std::vector<Seen> seen_;
  core::Time now_{};
  int falls_ = 0;
  int looks_ = 0;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

bool same(const test::KeptFact& a, const test::KeptFact& b) {
  return a.at == b.at && a.info == b.info && a.payload == b.payload;
}

void check(const Reader::Seen& seen, const core::Recorder& recorder) {
  CHECK(seen.sent == sent_by(recorder));
  CHECK(seen.sent_bytes == sum(recorder, &core::BurdenRow::sent).bytes);
  CHECK(seen.received == sum(recorder, &core::BurdenRow::received).messages);
  CHECK(seen.received_bytes == sum(recorder, &core::BurdenRow::received).bytes);
  CHECK(seen.duplicated == recorder.duplicated_count());
  CHECK(seen.dropped == recorder.drop_counts());
  const auto facts = test::facts_of(recorder.facts());
  CHECK(std::equal(seen.facts.begin(), seen.facts.end(), facts.begin(), facts.end(), same));
}

core::LinkChain bad_links() {
  core::LinkChain links;
  links.add<core::Loss>(0.1);
  links.add<core::Duplication>(0.1);
  return links;
}

}  // namespace

TEST_CASE("a reader of a board that is being written finally sees the figures of the report") {
  const core::LinkChain links = bad_links();
  const core::EngineSetup setup = busy(links);
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    Reader reader;
    const auto report = run_on(threads, setup, reader.observer());
    REQUIRE(reader.seen().size() == Busy::peers);
    std::uint64_t events = 0;
    std::uint64_t running = 0;
    for (std::uint32_t i = 0; i < Busy::peers; ++i) {
      CAPTURE(i);
      const Reader::Seen& seen = reader.seen()[i];
      check(seen, report.recorders[i]);
      CHECK(seen.presence == core::Vitals::Presence{.life = report.incarnations[i],
                                                    .alive = report.alive[i],
                                                    .finished = report.finished[i]});
      CHECK((seen.timers > 0) == threads);
      events += seen.events;
      running += seen.running;
    }
    CHECK(events == report.events);
    CHECK(events > 200);
    CHECK(running == report.working);
    CHECK(running > 2);
    CHECK(reader.now() == report.ended);
    CHECK(reader.falls() == 0);
    if (threads) CHECK(reader.looks() > 0);
  }
}

TEST_CASE("a run that fails is not watched any more on both engines") {
  const core::LinkChain links;
  core::EngineSetup setup = busy(links);
  setup.make_peer = [](core::PeerId, core::Incarnation) -> std::unique_ptr<core::Peer> {
    throw std::runtime_error("no peer today");
  };
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    std::vector<std::string> told;
    const core::Observer observer{.watch = [&](const core::Board&) { told.emplace_back("watch"); },
                                  .unwatch = [&] { told.emplace_back("unwatch"); }};
    CHECK_THROWS_AS(run_on(threads, setup, observer), std::runtime_error);
    CHECK(told == std::vector<std::string>{"watch", "unwatch"});
  }
}

}  // namespace rhizome::observer_test
