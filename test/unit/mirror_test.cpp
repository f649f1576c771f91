// Peers of other shares as a monitor of share 0 sees them.
#include "core/engine/mirror.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "agents/facts.hpp"
#include "core/engine/correspondent.hpp"
#include "scenarios/live/sampler.hpp"
#include "scenarios/live/telling.hpp"
#include "scenarios/outcome/facts.hpp"
#include "test/support/boards.hpp"

namespace rhizome::mirror_test {

using namespace std::chrono_literals;
using namespace core;

namespace {

const FactTypes known = fact_types(static_cast<const scenarios::KnownFacts*>(nullptr));

// Keeps messages beside the run.
class Desk final : public Post {
 public:
  void send(std::uint32_t to, const Bytes& message) override {
    const auto said = control::decode(message);
    REQUIRE(said);
    const auto aside = aside::decode(std::get<control::Aside>(*said).said);
    REQUIRE(aside);
    sent.emplace_back(to, *aside);
  }
  std::optional<Letter> receive(std::chrono::nanoseconds) override { return {}; }
  [[nodiscard]] std::optional<Gone> gone(std::uint32_t share) const override {
    return lost == share ? std::optional(Gone{"lost", 0}) : std::nullopt;
  }
  template <class M>
  [[nodiscard]] std::size_t count() const {
    std::size_t found = 0;
    for (const auto& [to, message] : sent) found += std::holds_alternative<M>(message) ? 1 : 0;
    return found;
  }

  std::vector<std::pair<std::uint32_t, aside::Message>> sent;
  std::optional<std::uint32_t> lost{};
};

// A run of two shares: share 0 has the first half, and is watched.
class Halves {
 public:
  explicit Halves(std::uint32_t peers)
      : placement_(Placement::blocks(peers, std::vector<std::uint32_t>{1, 1})),
        there_(peers),
        whole_(peers),
        mirror_(desk, {placement_, 0}, peers, {{0, "h1"}, {1, "h2"}}, known),
        correspondent_(desk, {placement_, 1}, peers, known) {
    for (std::uint32_t i = 0; i < peers / 2; ++i) {
      own_.emplace_back().vitals().is({.life = {}, .alive = true});
      whole_.show({i}, own_.back());
    }
    whole_.reflect(mirror_);
  }
  // Takes one answer of share 1.
  void answer(bool views = false) {
    there().board().want_views(views);
    tell(correspondent_.collect(there_.board(), views));
  }
  void tell(const aside::Message& message, std::uint32_t from = 1) {
    mirror_.hear(from, aside::encode(message));
    whole_.catch_up();
  }
  [[nodiscard]] test::HandmadeBoard& there() { return there_; }
  [[nodiscard]] Board& whole() { return whole_; }
  [[nodiscard]] Mirror& mirror() { return mirror_; }

  Desk desk;

 private:
  Placement placement_;
  test::HandmadeBoard there_;
  std::deque<Recorder> own_;
  Board whole_;
  Mirror mirror_;
  Correspondent correspondent_;
};

bool is_up(const Board& board, std::uint32_t peer) { return board.vitals({peer}).presence().alive; }

}  // namespace

TEST_CASE("a monitor of share 0 sees all counts and facts of the peers of another share") {
  Halves run(6);
  for (int i = 0; i < 4; ++i) run.there().send(4, MessageClass::job);
  run.there().recorder(5).dropped(Drop::lost);
  run.there().recorder(5).vitals().punctuality_of(Vitals::Measure::timer).add(9ms, 5ms);
  run.there().recorder(5).vitals().is({.life = {3}, .alive = true, .finished = true});
  run.there().board().strike(Fault::Kind::crash);
  run.there().note(4, agents::TaskStarted{.task = {7, 1}});
  CHECK_FALSE(is_up(run.whole(), 4));
  CHECK_FALSE(run.mirror().is_complete());
  CHECK(scenarios::live::processes_of(run.whole())[1].silent);
  run.answer();
  CHECK(run.mirror().is_complete());
  CHECK_FALSE(scenarios::live::processes_of(run.whole())[1].silent);
  for (const std::uint32_t peer : {3U, 4U, 5U}) {
    CHECK(run.whole().shows({peer}));
    CHECK(run.whole().vitals({peer}).numbers() == run.there().recorder(peer).vitals().numbers());
  }
  CHECK(run.whole().vitals({5}).presence() == Vitals::Presence{{3}, true, true});
  CHECK(run.whole().faults(Fault::Kind::crash) == 1);
  scenarios::live::RunSampler sampler(run.whole());
  sampler.sample(1, true);
  CHECK(sampler.totals().alive == 6);
  CHECK(sampler.totals().tasks.started == 1);
  CHECK(sampler.totals().sent[static_cast<std::size_t>(MessageClass::job)] == 4);
  CHECK(of(sampler.rows().row({4}), scenarios::live::Column::process) == 1);
  CHECK(of(sampler.rows().row({2}), scenarios::live::Column::process) == 0);
}

TEST_CASE("facts are told once each, and facts of a peer in their order") {
  Halves run(4);
  for (std::uint32_t i = 0; i < 3; ++i) {
    run.there().note(3, agents::TaskStarted{.task = {1, i}});
    run.answer();
  }
  std::vector<std::uint32_t> portions;
  run.whole().facts({3}).for_each([&](Time, const EncodedFact& fact) {
    CHECK(fact.info == &agents::TaskStarted::info);
    agents::TaskStarted started;
    REQUIRE(core::decode(fact.payload, started) == DecodeError::none);
    portions.push_back(started.task.portion);
  });
  CHECK(portions == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("views of overlays are told once they are wanted") {
  Halves run(4);
  run.whole().want_views(true);
  run.whole().catch_up();
  REQUIRE(run.desk.sent.size() == 1);
  CHECK(std::get<aside::Call>(run.desk.sent[0].second).views);
  run.there().board().want_views(true);
  const std::vector<PeerId> links{{0}, {2}};
  run.there().board().wanted_views()->of({3}, ViewKind::random).show(links);
  run.answer(true);
  CHECK(run.whole().views()->of({3}, ViewKind::random).get() == links);
}

TEST_CASE("a share is not asked again before it has answered, and one that is done not at all") {
  Halves run(4);
  run.whole().catch_up();
  run.whole().catch_up();
  CHECK(run.desk.count<aside::Call>() == 1);
  CHECK_FALSE(run.mirror().has_heard_all());
  run.tell(aside::News{});
  CHECK(run.desk.count<aside::Call>() == 2);
  run.tell(aside::News{.last = true});
  CHECK(run.desk.count<aside::Call>() == 2);
  CHECK(run.mirror().has_heard_all());
}

TEST_CASE("counts are whole once each share has told all, or is always behind") {
  Halves run(4);
  run.whole().catch_up();
  run.tell(aside::News{.behind = true});
  CHECK_FALSE(run.mirror().is_complete());
  run.tell(aside::News{});
  CHECK(run.mirror().is_complete());
  Halves busy(4);
  busy.whole().catch_up();
  for (int i = 1; i < core::Mirror::most_behind; ++i) busy.tell(aside::News{.behind = true});
  CHECK_FALSE(busy.mirror().is_complete());
  busy.tell(aside::News{.behind = true});
  CHECK(busy.mirror().is_complete());
}

TEST_CASE("who looks again after a while waits until each share has told all since then") {
  Halves run(4);
  Mirror& mirror = run.mirror();
  const Mirror::RealTime begin{1h};
  const auto answered = [&](aside::News news, Mirror::RealTime now) {
    mirror.hear(1, aside::encode(news));
    mirror.catch_up(nullptr, false, now);
    return mirror.is_complete();
  };
  mirror.catch_up(nullptr, false, begin);
  CHECK(answered({}, begin + 1ms));
  CHECK(answered({}, begin + 2001ms));
  // This answer came after the last look.
  CHECK_FALSE(answered({}, begin + 10s));
  CHECK(scenarios::live::processes_of(run.whole())[1].silent);
  CHECK_FALSE(answered({.behind = true}, begin + 10001ms));
  CHECK(answered({}, begin + 10002ms));
  CHECK(answered({.last = true}, begin + 10003ms));
  mirror.catch_up(nullptr, false, begin + 1h);
  CHECK(mirror.is_complete());
}

TEST_CASE("a mirror without observers asks no share, and waits for none") {
  Halves run(4);
  CHECK(run.desk.sent.empty());
  CHECK(run.mirror().has_heard_all());
}

TEST_CASE("a share that tells of peers that it does not run, or of none, is not asked again") {
  const std::vector<aside::News> unsound{
      {.peers = {{.peer = PeerId{0}}}},
      {.peers = {{.peer = PeerId{4}}}},
      {.facts = {{.peer = PeerId{1}}}},
      {.facts = {{.peer = PeerId{2}, .type = static_cast<std::uint32_t>(known.size())}}},
      {.views = {{.peer = PeerId{3}, .links = {PeerId{4}}}}},
      {.views = {{.peer = PeerId{0}}}}};
  for (const aside::News& news : unsound) {
    Halves run(4);
    run.whole().catch_up();
    run.tell(news);
    CHECK(run.desk.count<aside::Call>() == 1);
    CHECK(is_up(run.whole(), 0));
  }
  Halves run(4);
  run.whole().catch_up();
  run.mirror().hear(1, {std::byte{200}});
  run.whole().catch_up();
  CHECK(run.desk.count<aside::Call>() == 1);
}

TEST_CASE("a share is believed about its own peers only") {
  Desk desk;
  Board whole(6);
  Recorder own;
  Mirror mirror(desk, {Placement::round_robin(6, 3), 0}, 6, {{0, "h1"}, {1, "h2"}, {2, "h3"}},
                known);
  for (const std::uint32_t peer : {0U, 3U}) whole.show({peer}, own);
  whole.reflect(mirror);
  Vitals up;
  up.is({.life = {}, .alive = true});
  for (const std::uint32_t peer : {1U, 2U})
    mirror.hear(2, aside::encode(aside::News{.peers = {{PeerId{peer}, up.numbers()}}}));
  whole.catch_up();
  CHECK_FALSE(is_up(whole, 1));
  CHECK(is_up(whole, 2));
}

TEST_CASE("the peers of a share that is lost are down, and it is said that it is lost") {
  Halves run(4);
  run.there().recorder(3).vitals().waiting.set(5);
  run.answer();
  CHECK(is_up(run.whole(), 3));
  run.desk.lost = 1;
  run.whole().catch_up();
  CHECK_FALSE(is_up(run.whole(), 2));
  CHECK_FALSE(is_up(run.whole(), 3));
  CHECK(run.whole().vitals({3}).waiting.get() == 0);
  CHECK(is_up(run.whole(), 1));
  CHECK(run.mirror().parts()[1].lost);
  CHECK_FALSE(run.mirror().parts()[0].lost);
  CHECK(run.mirror().has_heard_all());
}

TEST_CASE("a share that owes an answer for more than two seconds is silent, until it gives one") {
  Halves run(4);
  const auto begin = Mirror::RealTime{} + 1h;
  const auto is_silent = [&](Mirror::RealTime now) {
    run.mirror().catch_up(nullptr, false, now);
    return run.mirror().parts()[1].silent;
  };
  CHECK_FALSE(is_silent(begin));
  CHECK_FALSE(is_silent(begin + 2s));
  CHECK(is_silent(begin + 2001ms));
  CHECK_FALSE(run.mirror().parts()[0].silent);
  run.mirror().hear(1, aside::encode(aside::News{}));
  CHECK_FALSE(is_silent(begin + 10s));  // by when it was asked again
  CHECK_FALSE(is_silent(begin + 12s));
  CHECK(is_silent(begin + 13s));
  run.desk.lost = 1;
  CHECK_FALSE(is_silent(begin + 14s));
}

TEST_CASE("a share that has sent its last answer, or an unreadable one, is not silent") {
  for (const Bytes& said : {aside::encode(aside::News{.last = true}), Bytes{std::byte{200}}}) {
    Halves run(4);
    const auto begin = Mirror::RealTime{} + 1h;
    run.mirror().catch_up(nullptr, false, begin);
    run.mirror().hear(1, said);
    run.mirror().catch_up(nullptr, false, begin + 1h);
    CHECK_FALSE(run.mirror().parts()[1].silent);
  }
}

TEST_CASE("only some of many peers are in an answer, each in its turn") {
  constexpr auto peers = static_cast<std::uint32_t>(2 * 2 * Correspondent::peers_at_once);
  Halves run(peers);
  const auto told = [&] {
    std::uint32_t up = 0;
    for (std::uint32_t i = peers / 2; i < peers; ++i) up += is_up(run.whole(), i) ? 1 : 0;
    return up;
  };
  run.answer();
  CHECK(told() == peers / 4);
  run.answer();
  CHECK(told() == peers / 2);
}

TEST_CASE("facts that do not fit an answer come with the next") {
  constexpr std::size_t facts = 3 * Correspondent::facts_at_once / 2;
  Halves run(4);
  for (std::uint32_t i = 0; i < facts; ++i) run.there().note(3, agents::TaskStarted{{1, i}});
  run.answer();
  CHECK(run.whole().facts({3}).size() == Correspondent::facts_at_once);
  run.answer();
  CHECK(run.whole().facts({3}).size() == facts);
}

TEST_CASE("a fault by hand at a peer elsewhere is done there, and is recorded") {
  Halves run(4);
  Steering steering;
  run.mirror().serve(steering);
  const auto number = steering.post({.kind = OperatorCommand::Kind::crash, .peers = {PeerId{3}}});
  REQUIRE(number);
  REQUIRE(run.desk.sent.size() == 1);
  CHECK(run.desk.sent[0].first == 1);
  const auto charge = std::get<aside::Charge>(run.desk.sent[0].second);
  CHECK(charge.operator_command.peers == std::vector<PeerId>{PeerId{3}});
  steering.drain([](OperatorCommand&) { return "it is not done here"; });
  CHECK_FALSE(steering.answer(*number));
  OperatorCommand done = charge.operator_command;
  done.at = Time{2s};
  run.tell(aside::ChargeResult{.number = charge.number + 1, .done = done});
  CHECK_FALSE(steering.answer(*number));
  run.tell(aside::ChargeResult{.number = charge.number, .done = done}, 0);
  CHECK_FALSE(steering.answer(*number));
  run.tell(aside::ChargeResult{.number = charge.number, .done = done});
  const auto answer = steering.answer(*number);
  REQUIRE(answer);
  CHECK(answer->done == done);
  CHECK(steering.done() == std::vector<OperatorCommand>{done});
  CHECK(steering.count() == 1);
}

TEST_CASE("a fault by hand of a peer of share 0 is its own") {
  Halves run(4);
  Steering steering;
  run.mirror().serve(steering);
  for (const std::uint32_t peer : {1U, 77U}) {
    const auto number =
        steering.post({.kind = OperatorCommand::Kind::crash, .peers = {PeerId{peer}}});
    steering.drain([](OperatorCommand&) { return "as it stands here"; });
    CHECK(steering.answer(number.value())->reason == "as it stands here");
  }
  CHECK(run.desk.sent.empty());
}

TEST_CASE("a command for all processes at once, or for a lost one, is refused with the reason") {
  Halves run(4);
  Steering steering;
  run.mirror().serve(steering);
  const auto reason_of = [&](const OperatorCommand& operator_command) {
    return steering.answer(steering.post(operator_command).value()).value().reason;
  };
  CHECK(reason_of({.kind = OperatorCommand::Kind::cut_off, .peers = {PeerId{1}}}) ==
        "peers are cut off by hand in runs of one process only");
  CHECK(reason_of({.kind = OperatorCommand::Kind::heal}) ==
        "peers are cut off by hand in runs of one process only");
  const auto waiting = steering.post({.kind = OperatorCommand::Kind::crash, .peers = {PeerId{2}}});
  CHECK_FALSE(steering.answer(waiting.value()));
  run.desk.lost = 1;
  run.whole().catch_up();
  CHECK(steering.answer(waiting.value()).value().reason == "the process of that peer is lost");
  CHECK(reason_of({.kind = OperatorCommand::Kind::crash, .peers = {PeerId{3}}}) ==
        "the process of that peer is lost");
}

}  // namespace rhizome::mirror_test
