#include "core/peer/views.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/pace.hpp"
#include "core/engine/virtual_engine.hpp"
#include "test/support/engines.hpp"

namespace rhizome::core::views_test {

using namespace std::chrono_literals;

namespace {

std::vector<PeerId> peers(std::initializer_list<std::uint32_t> list) {
  std::vector<PeerId> all;
  for (const std::uint32_t each : list) all.push_back({each});
  return all;
}

struct Link {
  PeerId peer;
};
struct Tick {};

// Knows one more peer every second.
class Collector {
 public:
  using Messages = Nothing;
  using Env = core::Env<Messages, OneOf<Tick>>;
  static constexpr std::string_view name = "collector";
  static constexpr ViewKind view_kind = ViewKind::similar;

  void start(Env& env) { env.after(1s, Tick{}); }
  void on(Env& env, const Tick&) {
    view_.push_back({{static_cast<std::uint32_t>(view_.size())}});
    env.after(1s, Tick{});
  }
  [[nodiscard]] const std::vector<Link>& view() const { return view_; }

 private:
  std::vector<Link> view_;
};

}  // namespace

TEST_CASE("a view is read as it was shown last, ascending and each peer once") {
  ShownView shown;
  CHECK(shown.get().empty());
  shown.show(peers({7, 3, 9}));
  CHECK(shown.get() == peers({3, 7, 9}));
  shown.show(peers({5, 5}));
  CHECK(shown.get() == peers({5}));
  std::vector<PeerId> many;
  for (std::uint32_t i = 0; i < 100; ++i) many.push_back({i});
  shown.show(many);
  CHECK(shown.get() == many);
  shown.show({});
  CHECK(shown.get().empty());
}

TEST_CASE("views are shown while a monitor wants them, and those of dead peers are empty") {
  const Board* board = nullptr;
  VirtualEngine engine(test::setup_of(2, 10s, [](Peer& peer) { peer.add<Collector>(); }));
  Pace pace(true);
  std::vector<std::vector<PeerId>> seen;
  const auto view = [&] { return board->views()->of(PeerId{1}, ViewKind::similar).get(); };
  int ticks = 0;
  const auto look = [&](Time) {
    if (++ticks == 1) {
      CHECK(board->views() == nullptr);
      board->want_views(true);
      CHECK(view().empty());
      pace.go_until(Time{2500ms});
    } else if (ticks == 3) {
      seen.push_back(view());
      board->want_views(false);
      pace.go_until(Time{4500ms});
    } else if (ticks == 5) {
      seen.push_back(view());
      board->want_views(true);
      pace.go_until(Time{5500ms});
    } else if (ticks == 7) {
      seen.push_back(view());
      pace.go();
    }
  };
  static_cast<void>(
      engine.run({.tick = look, .watch = [&](const Board& b) { board = &b; }, .pace = &pace}));
  REQUIRE(seen.size() == 3);
  CHECK(seen[0] == peers({0, 1}));
  CHECK(seen[1] == peers({0, 1}));
  CHECK(seen[2] == peers({0, 1, 2, 3, 4}));
}

}  // namespace rhizome::core::views_test
