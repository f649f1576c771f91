// What the monitor shows in a terminal, as text: of one run, at several sizes.
#include "tools/monitor/screens.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "tools/monitor/watching.hpp"

namespace rhizome::screens_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;
using tools::Grid;
using tools::Key;
using tools::Script;
using tools::Size;
using tools::Tab;
using tools::View;

namespace {

constexpr std::uint32_t peers = 100;

template <class F>
LiveFact noted(core::Duration at, std::uint32_t peer, const F& fact) {
  LiveFact told{.at = core::Time{at}, .peer = PeerId{peer}, .kind = fact_kind<F>};
  core::encode(fact, told.payload);
  return told;
}

// Peer 17 carries most, 3 and 44 are down, 23 is in its second life.
Row row_of(std::uint32_t peer, std::uint64_t seconds) {
  const std::uint64_t share = peer == 17 ? 400 : peer % 7 == 0 ? 40 : peer % 3;
  Row row{};
  row[static_cast<std::size_t>(Column::job)] = share * seconds;
  row[static_cast<std::size_t>(Column::information)] = 2 * share * seconds;
  row[static_cast<std::size_t>(Column::received)] = 3 * share * seconds;
  row[static_cast<std::size_t>(Column::running)] = peer % 2;
  row[static_cast<std::size_t>(Column::inbox)] = peer == 17 ? 3 : 0;
  row[static_cast<std::size_t>(Column::late)] = peer == 4 ? 2 : 0;
  row[static_cast<std::size_t>(Column::state)] =
      (peer == 23 ? 4U : 0U) | (peer == 3 || peer == 44 ? 0U : 1U);
  row[static_cast<std::size_t>(Column::above)] = peer == 17 ? 0 : 18;
  return row;
}

struct Watched {
  Welcome welcome{.scenario = "og-vs-atc", .runs = 10, .fact_kinds = fact_kind_names()};
  State state;
  Rows rows{peers};
  std::uint64_t frames = 0;

  Watched() {
    for (std::uint64_t second = 1; second <= 12; ++second) show(second);
  }
  void show(std::uint64_t second) {
    ++frames;
    for (std::uint32_t i = 0; i < peers; ++i) rows.set(PeerId{i}, row_of(i, second), frames);
    Frame frame{.number = frames,
                .since = frames - 1,
                .run = {.number = 2,
                        .scenario = "og-vs-atc",
                        .label = "organic-grid",
                        .engine = "threads",
                        .peers = peers,
                        .tasks = 3600},
                .now = core::Time{second * 1s},
                .real = second * 1s,
                .totals = {.sent = {second * second * 90, second * 214, second * (second % 4) * 60},
                           .dropped = {12},
                           .alive = 98,
                           .tasks = {.submitted = 3000,
                                     .started = second * 200,
                                     .executed = second * 190,
                                     .completed = second * 180,
                                     .reissued = 3},
                           .lateness = {{{.seen = 1000, .late = 3}}}},
                .cost = {.share = 0.002, .interval = 100ms},
                .under_way = {2}};
    frame.rows = rows.changed_after(frame.since);
    frame.facts.next = 1 + 2 * second;
    frame.facts.facts = {
        noted(second * 1s - 10ms, 44,
              agents::TaskStarted{.task = {static_cast<std::uint32_t>(second), 4}}),
        noted(second * 1s, 9,
              agents::ParentChanged{.root = PeerId{17},
                                    .parent = PeerId{4},
                                    .former = core::nobody,
                                    .reason = "promo\x1b[2Jtion"})};
    REQUIRE(state.apply(frame));
  }
  [[nodiscard]] std::string at(Size size, const View& view = {}) const {
    return tools::screen(state, welcome, view, size).text();
  }
};

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("at 80 x 24 all that matters is on one screen") {
  const Watched watched;
  CHECK("\n" + watched.at({80, 24}) == R"(
rhizome  og-vs-atc 3/10  organic-grid #1  threads x1           12.0 s  live 10/s
valid so far, 0.3 % late   peers 98/100   dropped 12   x1.00
tasks █████████████████████░░░░░░░░░░░░░░ 2160/3600  120 run  600 wait  3 again
messages/s    now   mean     the last 11 s                                   max
 job          214    214     ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿     214
 result       0.0    0.0     ⣀⣀⣀⣀⣤⣤⣤⣀    ⣤⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶     ⣶⣶⣶⣿⣿⣿⣿⣿⣿⣿⣿         780
 information 2070   1080     ⣀⣀⣀⣀⣀⣀⣀⣀⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    2070
burden, messages/s   ░ >0 ▒ >12.0 ▓ >240 █ >240
 ▒░░x░░ ▒░ ░░ ░▒ ░█ ░░▒░░ ░░ ▒░ ░░ ░▒ ░░ ░░▒░x ░░ ▒░ ░░ ░▒ ░░ ░░▒░░ ░░ ▒░ ░░ ░▒
  ░░ ░░▒░░ ░░ ▒░ ░░ ░▒
peer         sent/s   recv/s  inbox  run    above  job msgs    late  life
#17          1200.0   1200.0      3    1        -      4800       0     0
#0            120.0    120.0      0    0      #17       480       0     0
#7            120.0    120.0      0    1      #17       480       0     0
#14           120.0    120.0      0    0      #17       480       0     0
#21           120.0    120.0      0    1      #17       480       0     0
#28           120.0    120.0      0    0      #17       480       0     0
events, the latest first                                             none missed
   12.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
   11.990  #44     task-started     job 12, portion 4
   11.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
   10.990  #44     task-started     job 11, portion 4
   10.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
1 all  2 peers  3 events  ? keys  q detach  f freeze  s sort  [ ] run
)");
}

TEST_CASE("without UTF-8 the same is drawn in ASCII") {
  const Watched watched;
  const std::string text = watched.at({80, 24}, {.script = Script::ascii});
  CHECK(std::all_of(text.begin(), text.end(),
                    [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  CHECK("\n" + text == R"(
rhizome  og-vs-atc 3/10  organic-grid #1  threads x1           12.0 s  live 10/s
valid so far, 0.3 % late   peers 98/100   dropped 12   x1.00
tasks #####################.............. 2160/3600  120 run  600 wait  3 again
messages/s    now   mean     the last 11 s                                   max
 job          214    214     ###########################################     214
 result       0.0    0.0     ....:::.    ::::+++++++     +++########         780
 information 2070   1080     ........:::::::::::++++++++++++############    2070
burden, messages/s   . >0 : >12.0 * >240 # >240
 :..x.. :. .. .: .# ..:.. .. :. .. .: .. ..:.x .. :. .. .: .. ..:.. .. :. .. .:
  .. ..:.. .. :. .. .:
peer         sent/s   recv/s  inbox  run    above  job msgs    late  life
#17          1200.0   1200.0      3    1        -      4800       0     0
#0            120.0    120.0      0    0      #17       480       0     0
#7            120.0    120.0      0    1      #17       480       0     0
#14           120.0    120.0      0    0      #17       480       0     0
#21           120.0    120.0      0    1      #17       480       0     0
#28           120.0    120.0      0    0      #17       480       0     0
events, the latest first                                             none missed
   12.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
   11.990  #44     task-started     job 12, portion 4
   11.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
   10.990  #44     task-started     job 11, portion 4
   10.000  #9      parent-changed   root #17, parent #4, former nobody, reason p
1 all  2 peers  3 events  ? keys  q detach  f freeze  s sort  [ ] run
)");
}

TEST_CASE("a larger window shows more of each") {
  const Watched watched;
  const std::string small = watched.at({80, 24});
  const std::string large = watched.at({160, 50});
  CHECK(lines_of(large) == 50);
  CHECK(std::count(large.begin(), large.end(), '#') > std::count(small.begin(), small.end(), '#'));
  for (const View& view :
       {View{}, View{.tab = Tab::peers}, View{.tab = Tab::events}, View{.tab = Tab::help}})
    for (const Size size : {Size{60, 16}, Size{80, 24}, Size{160, 50}, Size{500, 17}}) {
      const Grid grid = tools::screen(watched.state, watched.welcome, view, size);
      CHECK(grid.size() == size);
      CHECK(holds(grid.text(), "q detach"));
    }
}

TEST_CASE("a window that is too small says so") {
  const Watched watched;
  CHECK(watched.at({59, 15}) == "The monitor needs 60 x 16 characters.\n" + std::string(14, '\n'));
  CHECK(lines_of(watched.at({1, 1})) == 1);
}

TEST_CASE("before a run begins the monitor says what it waits for") {
  const std::string text =
      tools::screen({}, {.scenario = "small"}, {.standing = "no answer"}, {80, 24}).text();
  CHECK(holds(text, "rhizome  small  waiting for a run to begin: no answer"));
}

TEST_CASE("what is over is not live, and that all is over is told before all else") {
  Watched watched;
  Frame frame = watched.state.frame();
  frame.since = 0;
  frame.over = true;
  REQUIRE(watched.state.apply(frame));
  CHECK(holds(watched.at({80, 24}), "12.0 s  over\n"));
  CHECK(holds(watched.at({80, 24}, {.standing = "all runs are over"}), "all runs are over\n"));
}

TEST_CASE("labels that hold anything leave the screen in its form") {
  Watched watched;
  Frame frame = watched.state.frame();
  frame.since = 0;
  frame.run.label = std::string(300, 'x') + "\xc3\xa9\xf0\x9f\x8c\xb1\x1b[2J";
  REQUIRE(watched.state.apply(frame));
  const std::string text = watched.at({80, 24});
  CHECK(lines_of(text) == 24);
  CHECK_FALSE(holds(text, "\x1b"));
  CHECK(holds(text, "live 10/s\n"));
}

TEST_CASE("an open run is measured by its time, a run in virtual time by no tolerance") {
  Watched watched;
  Frame frame = watched.state.frame();
  frame.since = 0;
  frame.run.engine = "virtual";
  frame.run.open_for = 48s;
  REQUIRE(watched.state.apply(frame));
  const std::string text = watched.at({80, 24});
  CHECK(holds(text, "time ██████"));
  CHECK(holds(text, "of 48 s  2160 done"));
  CHECK(holds(text, "\npeers 98/100"));
}

TEST_CASE("more peers than marks share them, and a mark is the busiest of its peers") {
  State state;
  Rows rows(10'000);
  for (std::uint64_t frame = 1; frame <= 2; ++frame) {
    Row row{};
    row[static_cast<std::size_t>(Column::state)] = 1;
    for (std::uint32_t i = 0; i < 10'000; ++i) rows.set(PeerId{i}, row, frame);
    row[0] = frame;
    rows.set(PeerId{9'999}, row, frame);
    REQUIRE(state.apply({.number = frame,
                         .since = frame - 1,
                         .run = {.peers = 10'000},
                         .now = core::Time{frame * 1s},
                         .rows = rows.changed_after(frame - 1)}));
  }
  const std::string text = tools::screen(state, {}, {}, {80, 24}).text();
  CHECK(holds(text, "a mark is the busiest of "));
  CHECK(holds(text, "░"));
  CHECK(lines_of(text) == 24);
}

TEST_CASE("keys turn to other views, order peers, hold them, and leave") {
  const Watched watched;
  const auto press = [&](const View& view, char character) {
    return tools::after_key(view, {.character = character}, watched.state, {80, 24});
  };
  CHECK_FALSE(press({}, 'q').has_value());
  CHECK(press({.first = 9}, '2')->tab == Tab::peers);
  CHECK(press({.first = 9}, '2')->first == 0);
  CHECK(press({}, '3')->tab == Tab::events);
  CHECK(press({}, '?')->tab == Tab::help);
  CHECK(press(*press({}, '?'), '?')->tab == Tab::all);
  CHECK(press({}, 's')->order == tools::PeerOrder::received);
  CHECK(press({.order = tools::PeerOrder::last}, 's')->order == tools::PeerOrder::sent);
  const View held = *press({.tab = Tab::peers}, 'f');
  CHECK(held.held == tools::ordered_peers(watched.state, held.order));
  CHECK(holds(watched.at({80, 24}, held), "frozen, live"));
  CHECK(press(held, 'f')->held.empty());
  CHECK(press(held, 's')->held.empty());
}

TEST_CASE("lists are scrolled to their ends and no further") {
  const Watched watched;
  View view{.tab = Tab::peers};
  const auto press = [&](Key::Kind kind) {
    view = *tools::after_key(view, {.kind = kind}, watched.state, {80, 24});
    return view.first;
  };
  CHECK(press(Key::Kind::up) == 0);
  CHECK(press(Key::Kind::down) == 1);
  CHECK(press(Key::Kind::page_down) == 20);
  CHECK(press(Key::Kind::page_up) == 1);
  for (int i = 0; i < 9; ++i) press(Key::Kind::page_down);
  CHECK(view.first == peers - 1);
  CHECK(holds(watched.at({80, 24}, view), "peers 98/100"));
}

TEST_CASE("peers are ordered by what is asked for, equals by address") {
  const Watched watched;
  const auto first = [&](tools::PeerOrder order) {
    return tools::ordered_peers(watched.state, order).front();
  };
  CHECK(first(tools::PeerOrder::sent) == PeerId{17});
  CHECK(first(tools::PeerOrder::inbox) == PeerId{17});
  CHECK(first(tools::PeerOrder::late) == PeerId{4});
  CHECK(first(tools::PeerOrder::running) == PeerId{1});
  CHECK(first(tools::PeerOrder::address) == PeerId{0});
}

}  // namespace rhizome::screens_test
