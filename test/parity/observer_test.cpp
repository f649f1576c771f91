// What is seen of a run while it is under way, on both engines.
#include "core/engine/observer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
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
  setup.ballast = {.task = 100};
  return setup;
}

core::EngineReport run_on(bool threads, const core::EngineSetup& setup,
                          const core::Observer& observer) {
  if (threads) return core::ThreadEngine(setup, {}).run(observer);
  return core::VirtualEngine(setup).run(observer);
}

using Figures = std::vector<std::uint64_t>;

// Messages and bytes by class.
Figures figures_of(const std::array<core::Gauges::Traffic, core::message_classes>& traffic) {
  Figures figures;
  for (const core::Gauges::Traffic& one : traffic) {
    figures.push_back(one.messages.get());
    figures.push_back(one.bytes.get());
  }
  return figures;
}
Figures figures_of(const core::BurdenTable& burdens, core::Burden core::BurdenRow::*side) {
  Figures figures(2 * core::message_classes);
  for (const core::BurdenRow& row : burdens.rows()) {
    const auto kind = static_cast<std::size_t>(row.message_class);
    figures[2 * kind] += (row.*side).messages;
    figures[2 * kind + 1] += (row.*side).bytes;
  }
  return figures;
}

void check_gauges(const core::Gauges& gauges, const core::Recorder& recorder) {
  CHECK(figures_of(gauges.sent) == figures_of(recorder.burdens(), &core::BurdenRow::sent));
  CHECK(figures_of(gauges.received) == figures_of(recorder.burdens(), &core::BurdenRow::received));
  CHECK(gauges.duplicated.get() == recorder.duplicated_count());
  for (std::size_t why = 0; why < core::drops; ++why)
    CHECK(gauges.dropped[why].get() == recorder.drop_counts()[why]);
  CHECK(gauges.facts.get() == recorder.facts().size());
}

template <class Number>
std::uint64_t sum(const core::Board& board, core::Gauge<Number> core::Gauges::*gauge) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < board.peers(); ++i)
    total += (board.gauges(core::PeerId{i}).*gauge).get();
  return total;
}

// Samples and reads in a thread of its own, until it is told that the run is over.
class Sampler {
 public:
  explicit Sampler(core::Board& board) : board_(board), thread_([this] { watch(); }) {}
  void stop() {
    over_ = true;
    thread_.join();
    look();
  }
  [[nodiscard]] const std::map<core::PeerId, std::vector<test::KeptFact>>& facts() const {
    return facts_;
  }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  // How often a count or the time was less than before.
  [[nodiscard]] int falls() const { return falls_; }

 private:
  void watch() {
    while (!over_) look();
  }
  void look() {
    const std::uint64_t events = sum(board_, &core::Gauges::events);
    const core::Time now = board_.now();
    falls_ += events < events_ || now < now_ ? 1 : 0;
    events_ = events;
    now_ = now;
    taken_ += board_.tap().take([this](const core::TappedFact& tapped) {
      facts_[tapped.peer].push_back(test::keep(tapped.at, tapped.fact()));
    });
  }

  core::Board& board_;
  std::map<core::PeerId, std::vector<test::KeptFact>> facts_;
  std::uint64_t taken_ = 0;
  std::uint64_t events_ = 0;
  core::Time now_{};
  int falls_ = 0;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

bool same(const test::KeptFact& a, const test::KeptFact& b) {
  return a.at == b.at && a.info == b.info && a.payload == b.payload;
}

// Some of what the log has, in its order.
bool is_part_of(const std::vector<test::KeptFact>& some, const core::FactLog& log) {
  const std::vector<test::KeptFact> all = test::facts_of(log);
  auto next = all.begin();
  for (const test::KeptFact& fact : some) {
    next = std::find_if(next, all.end(), [&](const auto& other) { return same(fact, other); });
    if (next == all.end()) return false;
    ++next;
  }
  return true;
}

core::LinkChain bad_links() {
  core::LinkChain links;
  links.add<core::Loss>(0.1);
  links.add<core::Duplication>(0.1);
  return links;
}

}  // namespace

TEST_CASE("gauges say of each peer what the report says at the end on both engines") {
  const core::LinkChain links = bad_links();
  const core::EngineSetup setup = busy(links);
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const auto shared = std::make_shared<core::Board>(Busy::peers);
    core::Board& board = *shared;
    const auto report = run_on(threads, setup, {.board = shared});
    std::uint64_t in_flight = 0;
    for (std::uint32_t i = 0; i < Busy::peers; ++i) {
      CAPTURE(i);
      const core::Gauges& gauges = std::as_const(board).gauges(core::PeerId{i});
      check_gauges(gauges, report.recorders[i]);
      CHECK(gauges.presence() == core::Gauges::Presence{.life = report.incarnations[i],
                                                        .alive = report.alive[i],
                                                        .finished = report.finished[i]});
      in_flight += report.recorders[i].in_flight_count();
    }
    CHECK(sum(board, &core::Gauges::events) == report.events);
    CHECK(report.events > 200);
    CHECK(sum(board, &core::Gauges::timers) == report.armed);
    CHECK(report.armed > 2);
    CHECK(sum(board, &core::Gauges::works) == report.working);
    CHECK(report.working > 2);
    CHECK(board.tally().count(Sent::info) == sum(board, &core::Gauges::facts));
    CHECK(board.now() == report.ended);
    const core::Punctuality& timers =
        board.gauges(core::PeerId{0}).punctuality_of(core::Gauges::Measure::timer);
    CHECK((timers.seen.get() > 0) == threads);
  }
}

TEST_CASE("who samples a run sees counts rise and every fact that is not counted as lost") {
  const core::LinkChain links = bad_links();
  const core::EngineSetup setup = busy(links);
  for (const bool threads : {false, true})
    for (const std::size_t room : {4U, 65536U}) {
      CAPTURE(threads);
      CAPTURE(room);
      const auto shared =
          std::make_shared<core::Board>(Busy::peers, core::BoardOptions{.facts = room});
      core::Board& board = *shared;
      Sampler sampler(board);
      const auto report = run_on(threads, setup, {.board = shared});
      sampler.stop();
      CHECK(sampler.falls() == 0);
      CHECK(sampler.taken() > 0);
      CHECK(sampler.taken() + board.tap().lost() == sum(board, &core::Gauges::facts));
      if (room > 10'000) CHECK(board.tap().lost() == 0);
      for (const auto& [peer, facts] : sampler.facts())
        CHECK(is_part_of(facts, report.recorders[peer.value].facts()));
    }
}

TEST_CASE("a board for another number of peers is refused on both engines") {
  const core::LinkChain links;
  const core::EngineSetup setup = busy(links);
  for (const bool threads : {false, true}) {
    const auto board = std::make_shared<core::Board>(Busy::peers - 1);
    CHECK_THROWS_AS(run_on(threads, setup, {.board = board}), std::logic_error);
  }
}

}  // namespace rhizome::observer_test
