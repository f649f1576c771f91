// Bytes from nowhere to a run and to a monitor: neither falls over, and what a monitor believes is
// of the size that it was told.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/state.hpp"
#include "scenarios/live/view_table.hpp"

namespace rhizome::live_fuzz_test {

using namespace scenarios::live;
using core::Rng;

namespace {

std::uint64_t runs() {
  const char* text = std::getenv("RHIZOME_FUZZ_RUNS");
  return text == nullptr ? 20'000 : std::strtoull(text, nullptr, 10);
}

ViewChanges some_views(std::uint32_t peers, Rng& rng) {
  ViewTable table(peers);
  for (std::uint32_t i = 0; i < peers; ++i)
    table.set({i}, core::ViewKind::random, {{static_cast<std::uint32_t>(rng.below(peers))}},
              1 + rng.below(3));
  ViewChanges changes{.since = rng.below(3)};
  changes.list = rng.chance(0.5) ? table.whole() : table.changed_after(changes.since);
  return changes;
}

Frame some_frame(Rng& rng) {
  Rows rows(static_cast<std::uint32_t>(rng.below(5)));
  for (std::uint32_t i = 0; i < rows.peers(); ++i) {
    Row row{};
    for (std::uint64_t& value : row) value = rng.below(4);
    rows.set(core::PeerId{i}, row, 1 + rng.below(3));
  }
  Frame frame{.number = 1 + rng.below(3),
              .since = rng.below(3),
              .run = {.label = "any", .peers = rows.peers()},
              .now = core::Time(core::Duration(static_cast<std::int64_t>(rng.below(9))))};
  frame.rows = rows.changed_after(frame.since);
  frame.facts.facts.resize(rng.below(3));
  frame.extras.past.resize(rng.below(3));
  if (rng.chance(0.5)) frame.extras.views = some_views(rows.peers(), rng);
  return frame;
}

// Some bytes are other ones, or are not there.
core::Bytes damaged(core::Bytes bytes, Rng& rng) {
  for (std::uint64_t n = rng.below(4); n > 0 && !bytes.empty(); --n)
    bytes[rng.below(bytes.size())] = static_cast<std::byte>(rng.below(256));
  if (rng.chance(0.2)) bytes.resize(rng.below(bytes.size() + 1));
  return bytes;
}

core::Bytes arbitrary(Rng& rng) {
  core::Bytes bytes(rng.below(60));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
  if (!bytes.empty() && rng.chance(0.8)) bytes[0] = static_cast<std::byte>(rng.below(4));
  return bytes;
}

Request some_request(Rng& rng) {
  if (rng.chance(0.3)) return Ask{.since = rng.below(9), .most_facts = 3};
  constexpr auto commands = static_cast<std::uint64_t>(Steer::Command::last) + 1;
  Steer steer{.command = static_cast<Steer::Command>(rng.below(commands)),
              .steps = rng.below(3),
              .speed = static_cast<double>(rng.below(3)) - 1};
  for (std::uint64_t n = rng.below(5); n > 0; --n)
    steer.peers.push_back({static_cast<std::uint32_t>(rng.below(6))});
  return steer;
}

// Whatever is read is done or refused, and a run of four peers has no others afterwards.
void check(const Steer& steer) {
  core::Pace pace;
  const auto operator_command = operator_command_of(steer);
  if (!operator_command) {
    static_cast<void>(obey(steer, pace));
    return;
  }
  const std::string reason =
      core::refusal(*operator_command, 4, false, [](core::PeerId) { return core::Presence::up; });
  if (!reason.empty()) return;
  CHECK(operator_command->kind <= core::OperatorCommand::Kind::last);
  for (const core::PeerId peer : operator_command->peers) CHECK(peer.value < 4);
}

void check(const State& state) {
  CHECK(state.rows().size() == state.frame().run.peers);
  for (const core::PeerId peer : state.changed()) {
    CHECK(peer.value < state.rows().size());
    CHECK(state.rate(peer).sent >= 0);
  }
  if (state.views())
    state.views()->for_each_latest([&](core::PeerId peer, core::ViewKind, const auto& view) {
      CHECK(peer.value < state.rows().size());
      for (const core::PeerId link : view) CHECK(link.value < state.rows().size());
    });
}

}  // namespace

TEST_CASE("a monitor that receives any bytes keeps a sound state") {
  for (std::uint64_t run = 0; run < runs(); ++run) {
    CAPTURE(run);
    Rng rng = Rng::derive({run}, "live");
    State state;
    for (int i = 0; i < 4; ++i) {
      const core::Bytes bytes =
          rng.chance(0.8) ? damaged(encode(Answer{some_frame(rng)}), rng) : arbitrary(rng);
      const auto answer = decode_answer(bytes);
      if (!answer || !std::holds_alternative<Frame>(*answer)) continue;
      if (std::get<Frame>(*answer).run.peers > 100'000) continue;  // sound, and slow here
      if (state.apply(std::get<Frame>(*answer))) check(state);
    }
  }
}

TEST_CASE("whatever is sent to a run is read or refused") {
  std::uint64_t read = 0;
  for (std::uint64_t run = 0; run < runs(); ++run) {
    CAPTURE(run);
    Rng rng = Rng::derive({run}, "request");
    const core::Bytes bytes =
        rng.chance(0.5) ? damaged(encode(some_request(rng)), rng) : arbitrary(rng);
    const auto request = decode_request(bytes);
    read += request ? 1 : 0;
    if (request) CHECK(decode_request(encode(*request)).has_value());
    if (request && std::holds_alternative<Steer>(*request)) check(std::get<Steer>(*request));
  }
  CHECK(read > 0);
}

}  // namespace rhizome::live_fuzz_test
