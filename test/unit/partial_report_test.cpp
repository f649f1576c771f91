// Reports of shares travel, and become the report of the run whatever the split.
#include "core/engine/partial_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/peer/rng.hpp"
#include "test/support/facts.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::core::partial_report_test {

using namespace std::chrono_literals;

namespace {

const FactTypes known =
    fact_types(static_cast<const OneOf<test::Worked, test::Got, test::Hit>*>(nullptr));

std::vector<PeerId> first_peers(std::uint32_t peers) {
  std::vector<PeerId> ids;
  for (std::uint32_t i = 0; i < peers; ++i) ids.push_back(PeerId{i});
  return ids;
}

PacketHeader random_header(Rng& rng) {
  return {.from = PeerId{static_cast<std::uint32_t>(rng.below(50))},
          .to = PeerId{static_cast<std::uint32_t>(rng.below(50))},
          .service = static_cast<std::uint8_t>(rng.below(3)),
          .type = static_cast<std::uint8_t>(rng.below(3)),
          .message_class = static_cast<MessageClass>(rng.below(message_classes)),
          .cause = static_cast<Cause>(rng.below(causes)),
          .units = static_cast<std::uint32_t>(rng.below(4)),
          .sent = Time{rng.below(1'000'000) * 1us}};
}

template <class F>
void note(Recorder& recorder, Time at, const F& fact) {
  Bytes payload;
  encode(fact, payload);
  recorder.note(at, {&F::info, payload});
}

Recorder random_recorder(Rng& rng) {
  Recorder recorder({.period = 100ms, .messages = rng.chance(0.5)});
  for (std::size_t n = rng.below(20); n > 0; --n) {
    const Time at{rng.below(2'000'000) * 1us};
    switch (rng.below(7)) {
      case 0:
        recorder.sent(at, random_header(rng), rng.below(2000));
        break;
      case 1:
        recorder.received(at, random_header(rng), rng.below(2000));
        break;
      case 2:
        recorder.dropped(static_cast<Drop>(rng.below(drops)));
        break;
      case 3:
        note(recorder, at, test::Worked{std::to_string(rng.bits()), 3ms});
        break;
      case 4:
        note(recorder, at, test::Got{7, PeerId{2}});
        break;
      case 5:
        recorder.in_flight(rng.below(3));
        break;
      default:
        recorder.duplicated();
    }
  }
  if (rng.chance(0.5)) recorder.line({.up = {.packets = rng.below(9), .busy = 3us}, .down = {}});
  return recorder;
}

Fidelity random_fidelity(Rng& rng, PeerId peer) {
  Fidelity fidelity;
  for (Histogram* each : {&fidelity.packet_lag, &fidelity.crossing_lag, &fidelity.timer_lag,
                          &fidelity.work_lag, &fidelity.handler_time, &fidelity.inbox_depth})
    for (std::size_t n = rng.below(5); n > 0; --n)
      each->add(static_cast<std::int64_t>(rng.below(10'000'000)), rng.below(4));
  for (std::int64_t n = rng.between(0, 2); n > 0; --n)
    fidelity.stalled(
        {.peer = peer, .from = Time{(10 - 4 * n) * 1s}, .until = Time{(11 - 4 * n) * 1s}});
  return fidelity;
}

// As an engine makes it: one peer after the other.
void conclude(PartialReport& part, PeerId peer, std::uint64_t seed) {
  Rng rng = Rng::derive({seed, peer.value}, "report");
  EngineReport& report = part.report;
  part.peers.push_back(peer);
  report.recorders.push_back(random_recorder(rng));
  report.incarnations.push_back({static_cast<std::uint32_t>(rng.below(3))});
  report.alive.push_back(rng.chance(0.7));
  report.finished.push_back(rng.chance(0.7));
  report.armed.emplace_back(rng.below(3), "sleeper.Wake{7}");
  report.working += rng.below(3);
  report.events += rng.below(1000);
  report.fidelity.merge(random_fidelity(rng, peer));
}

PartialReport empty_part() {
  PartialReport part;
  part.report.ending = Ending::open;
  part.report.ended = Time{7s};
  part.report.wall = 3s;
  return part;
}

PartialReport part_of(std::initializer_list<std::uint32_t> peers) {
  PartialReport part = empty_part();
  for (const std::uint32_t peer : peers) conclude(part, PeerId{peer}, 1);
  return part;
}

// Travels as a table of burdens does.
struct TornBurdens {
  std::vector<std::uint32_t> keys;
  std::vector<BurdenRow> rows;
};

}  // namespace

TEST_CASE("clocks are apart by no more than the two that are known worst") {
  std::vector<PartialReport> parts;
  for (const auto doubt : {0us, 30us, 50us, 40us}) {
    parts.push_back(part_of({static_cast<std::uint32_t>(parts.size())}));
    parts.back().report.fidelity.clock_doubt = doubt;
  }
  CHECK(merge(parts, 4).fidelity.clock_doubt == 90us);
  parts.erase(parts.begin() + 1, parts.end());
  CHECK(merge(parts, 1).fidelity.clock_doubt == 0us);
}

TEST_CASE("any split of a report, sent and merged in any order, is the report of the whole") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Rng rng = Rng::derive({seed}, "split");
    const auto peers = static_cast<std::uint32_t>(rng.below(12));
    PartialReport whole = empty_part();
    std::vector<PartialReport> parts(1 + rng.below(4), empty_part());
    for (const PeerId peer : first_peers(peers)) {
      conclude(whole, peer, seed);
      conclude(parts[rng.below(parts.size())], peer, seed);
    }
    for (PartialReport& part : parts) {
      auto back = decode(encode(part), known);
      REQUIRE(back);
      part = std::move(*back);
    }
    std::rotate(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(rng.below(parts.size())),
                parts.end());
    const PartialReport merged{first_peers(peers), merge(std::move(parts), peers)};
    CHECK(encode(merged) == encode(whole));
  }
}

TEST_CASE("facts travel by name, and keep their type, their time and their order") {
  PartialReport part = empty_part();
  part.peers = {PeerId{4}};
  part.report.recorders.emplace_back();
  part.report.incarnations.emplace_back();
  part.report.alive.push_back(true);
  part.report.finished.push_back(true);
  part.report.armed.emplace_back();
  Recorder& recorder = part.report.recorders.front();
  note(recorder, Time{1s}, test::Got{3, PeerId{9}});
  note(recorder, Time{1s}, test::Worked{"5", 8ms});
  note(recorder, Time{2s}, test::Got{4, PeerId{9}});
  const auto back = decode(encode(part), known);
  REQUIRE(back);
  const auto facts = test::facts_of(back->report.recorders[0].facts());
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].as<test::Got>().number == 3);
  CHECK(facts[1].as<test::Worked>().took == 8ms);
  CHECK(facts[1].at == Time{1s});
  CHECK(facts[2].as<test::Got>().number == 4);
  CHECK_FALSE(decode(encode(part), fact_types(static_cast<const OneOf<test::Got>*>(nullptr))));
}

TEST_CASE("recorders go on counting where they were before they travelled") {
  PartialReport part = part_of({0});
  const PacketHeader header{.service = 1, .type = 2};
  part.report.recorders[0].sent({}, header, 10);
  auto back = decode(encode(part), known);
  REQUIRE(back);
  for (PartialReport* each : {&part, &*back}) each->report.recorders[0].sent({}, header, 10);
  CHECK(encode(part) == encode(*back));
}

TEST_CASE("a report with a peer too many, missing or twice is refused, and so are two runs") {
  const auto refusal = [](std::vector<PartialReport> parts, std::uint32_t peers) -> std::string {
    try {
      static_cast<void>(merge(std::move(parts), peers));
    } catch (const std::invalid_argument& refused) {
      return refused.what();
    }
    return "accepted";
  };
  CHECK(refusal({part_of({0, 2}), part_of({1})}, 3) == "accepted");
  CHECK(refusal({part_of({0, 2}), part_of({3})}, 4) == "peer 1 is in no part of the report");
  CHECK(refusal({part_of({0}), part_of({1})}, 3) == "peer 2 is in no part of the report");
  CHECK(refusal({part_of({0, 1}), part_of({1})}, 2) == "peer 1 is in two parts of the report");
  CHECK(refusal({part_of({0, 1}), part_of({2})}, 2) ==
        "peer 2 is in the report, and not of the run");
  PartialReport other = part_of({1});
  other.report.ended = Time{8s};
  CHECK(refusal({part_of({0}), other}, 2) ==
        "the parts of the report are of runs that ended differently");
  other = part_of({1});
  other.report.alive.clear();
  CHECK(refusal({part_of({0}), other}, 2) == "a part of a report is not whole");
}

TEST_CASE("a report whose burdens lack a row is refused") {
  PartialReport part = part_of({0});
  part.report.recorders[0] = Recorder{};
  part.report.recorders[0].sent({}, {.service = 1, .type = 2}, 10);
  const BurdenTable& burdens = part.report.recorders[0].burdens();
  Bytes whole;
  encode(burdens, whole);
  Bytes torn;
  encode(TornBurdens{{1U << 16U | 2U << 8U}, {}}, torn);
  Bytes bytes = encode(part);
  const auto found = std::search(bytes.begin(), bytes.end(), whole.begin(), whole.end());
  REQUIRE(found != bytes.end());
  Bytes mended(bytes.begin(), found);
  mended.insert(mended.end(), torn.begin(), torn.end());
  mended.insert(mended.end(), found + static_cast<std::ptrdiff_t>(whole.size()), bytes.end());
  CHECK(decode(bytes, known));
  BurdenTable read;
  REQUIRE(decode(torn, read) == DecodeError::none);
  CHECK_FALSE(read.whole());
  CHECK_FALSE(decode(mended, known));
}

TEST_CASE("bytes that are no report are refused, and a report that lacks its end") {
  const Bytes bytes = encode(part_of({0, 1, 2}));
  CHECK_FALSE(decode({}, known));
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    CHECK_FALSE(decode(std::span(bytes).first(size), known));
}

}  // namespace rhizome::core::partial_report_test
