// Compares the monitor's screens of one run, at several sizes of the terminal, with the pictures in
// test/unit/monitor/screens. With RHIZOME_SCREENS=DIRECTORY the test writes them to that directory.
#include "tools/monitor/screens.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "test/support/temporary_file.hpp"
#include "test/support/watched_run.hpp"

namespace rhizome::screens_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;
using test::WatchedRun;
using tools::Script;
using tools::Size;
using tools::Style;
using tools::Tab;
using tools::TextGrid;
using tools::View;

namespace {

std::string at(const WatchedRun& run, Size size, const View& view = {}) {
  return tools::screen(run.known, run.known.state, view, size).text();
}

std::string kept(const std::string& name) {
  std::ifstream in(test::shipped("test/unit/monitor/screens/" + name + ".txt"));
  return {std::istreambuf_iterator<char>(in), {}};
}

// Whether a screen is as it is kept.
void check_picture(const std::string& name, const std::string& text) {
  if (const char* directory = std::getenv("RHIZOME_SCREENS"))
    std::ofstream(std::string(directory) + "/" + name + ".txt") << text;
  else
    CHECK("\n" + text == "\n" + kept(name));
}

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// How the first cell of that text looks, where it stands first.
Style style_of(std::string_view text, const TextGrid& grid) {
  for (std::size_t line = 0; line < grid.size().height; ++line)
    for (std::size_t column = 0; column + text.size() <= grid.size().width; ++column) {
      std::size_t same = 0;
      while (same < text.size() && grid.at(column + same, line).text == text.substr(same, 1))
        ++same;
      if (same == text.size()) return grid.at(column, line).style;
    }
  return Style::plain;
}

struct Picture {
  std::string name;
  View view;
};

// Every tab, and what may be opened on it.
std::vector<Picture> pictures() {
  return {{"all", {}},
          {"tree", {.tab = Tab::tree, .chosen = PeerId{4}, .turned = {PeerId{4}}}},
          {"moves", {.tab = Tab::tree, .moves = true}},
          {"peers", {.tab = Tab::peers, .chosen = PeerId{21}}},
          {"peer", {.tab = Tab::peers, .chosen = PeerId{9}, .opened = true}},
          {"events", {.tab = Tab::events}},
          {"task", {.tab = Tab::task, .task = agents::TaskId{12, 4}}},
          {"health", {.tab = Tab::health}},
          {"runs", {.tab = Tab::runs, .chosen_run = 3}},
          {"help", {.tab = Tab::help}}};
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

}  // namespace

TEST_CASE("each tab at 80 x 24 and at 160 x 50 is as it is kept") {
  WatchedRun run;
  for (const Picture& picture : pictures()) {
    CAPTURE(picture.name);
    run.known.story.reset();
    if (picture.view.task) run.known.take(WatchedRun::story());
    check_picture(picture.name + "-80x24", at(run, {80, 24}, picture.view));
    check_picture(picture.name + "-160x50", at(run, {160, 50}, picture.view));
  }
}

TEST_CASE("without UTF-8 each tab is drawn in ASCII, and says the same") {
  WatchedRun run;
  for (Picture& picture : pictures()) {
    CAPTURE(picture.name);
    picture.view.script = Script::ascii;
    for (const Size size : {Size{80, 24}, Size{160, 50}})
      CHECK(is_ascii(at(run, size, picture.view)));
    if (picture.name == "all" || picture.name == "tree") {
      check_picture(picture.name + "-ascii-80x24", at(run, {80, 24}, picture.view));
      check_picture(picture.name + "-ascii-160x50", at(run, {160, 50}, picture.view));
    }
  }
}

TEST_CASE("a window that is too small says so, on every tab") {
  const WatchedRun run;
  for (const Picture& picture : pictures())
    CHECK(at(run, {59, 15}, picture.view) ==
          "The monitor needs 60 x 16 characters.\n" + std::string(14, '\n'));
  CHECK(lines_of(at(run, {1, 1})) == 1);
}

TEST_CASE("windows of any size are filled and not left") {
  const WatchedRun run;
  for (const Picture& picture : pictures())
    for (const Size size : {Size{60, 16}, Size{61, 17}, Size{99, 30}, Size{140, 40}, Size{139, 60},
                            Size{500, 17}, Size{300, 100}}) {
      CAPTURE(picture.name);
      const TextGrid grid = tools::screen(run.known, run.known.state, picture.view, size);
      CHECK(grid.size() == size);
      CHECK(holds(grid.text(), "q detach"));
    }
}

TEST_CASE("a run of several processes tells which of them runs a peer, and which are lost") {
  WatchedRun run;
  Frame frame = run.frame(13);
  Row row = WatchedRun::row_of(23, 13);
  row[static_cast<std::size_t>(Column::process)] = 1;
  run.rows.set(PeerId{23}, row, run.frames);
  frame.rows = run.rows.changed_after(frame.since);
  frame.cost.processes = {{0, "h1"}, {3, "h2", true}};
  REQUIRE(run.known.take(frame));
  const std::string health = at(run, {80, 24}, {.tab = Tab::health});
  CHECK(holds(health, "process 0 on h1: 97 of 99 peers up"));
  CHECK(holds(health, "process 3 on h2, lost: 1 of 1 peers up"));
  CHECK(holds(at(run, {80, 24}, {.tab = Tab::peers, .chosen = PeerId{23}, .opened = true}),
              "in process 3 on h2, lost"));
  CHECK(holds(at(run, {160, 50}), "in 2 processes"));
  CHECK(holds(health, "invalid, 1 process lost"));
}

TEST_CASE("health tells of lost processes and broken invariants first where lines are few") {
  WatchedRun run;
  Frame frame = run.frame(13);
  for (std::uint32_t i = 0; i < 20; ++i)
    frame.cost.processes.push_back({i, "h" + std::to_string(i), i == 17});
  REQUIRE(run.known.take(frame));
  const std::string health = at(run, {80, 24}, {.tab = Tab::health});
  CHECK(holds(health, "broken"));
  CHECK(holds(health, "process 17 on h17, lost"));
  CHECK(holds(health, " more"));
  const std::string large = at(run, {160, 50}, {.tab = Tab::health});
  CHECK(large.find("process 16 on") < large.find("process 17 on"));
  CHECK(holds(large, "process 19 on"));
}

TEST_CASE("peers of a process that is silent are grey, and marked as such, wherever they are") {
  WatchedRun run;
  const auto show = [&run](std::uint64_t second, bool silent) {
    Frame frame = run.frame(second);
    Row row = WatchedRun::row_of(23, second);
    row[static_cast<std::size_t>(Column::process)] = 1;
    run.rows.set(PeerId{23}, row, run.frames);
    frame.rows = run.rows.changed_after(frame.since);
    frame.cost.processes = {{0, "h1"}, {1, "h2", false, silent}};
    REQUIRE(run.known.take(frame));
  };
  show(13, true);
  const View peers{.tab = Tab::peers, .chosen = PeerId{23}};
  const View order{.tab = Tab::peers, .order = tools::PeerOrder::address};
  const std::string table = at(run, {80, 24}, peers);
  CHECK(holds(table, "#23 ?"));
  CHECK(holds(table, "silent 1   "));
  CHECK(style_of("#23 ?", tools::screen(run.known, run.known.state, order, {80, 50})) ==
        Style::faint);
  CHECK(style_of("?", tools::screen(run.known, run.known.state, {}, {80, 24})) == Style::faint);
  CHECK(holds(at(run, {80, 24}, {.tab = Tab::health}), "process 1 on h2, silent: 1 of 1 peers up"));
  show(14, false);
  CHECK_FALSE(holds(at(run, {80, 24}, peers), "#23 ?"));
  CHECK_FALSE(holds(at(run, {80, 24}, peers), "silent"));
}

TEST_CASE("figures of peers that are too wide for their columns stand apart, and push no others") {
  WatchedRun run;
  Frame frame = run.frame(13);
  Row row = WatchedRun::row_of(23, 13);
  row[static_cast<std::size_t>(Column::running)] = 0;
  row[static_cast<std::size_t>(Column::waiting)] = 510'000;
  run.rows.set(PeerId{23}, row, run.frames);
  frame.rows = run.rows.changed_after(frame.since);
  REQUIRE(run.known.take(frame));
  for (const Size size : {Size{80, 24}, Size{60, 24}, Size{160, 50}}) {
    const std::string text = at(run, size, {.tab = Tab::peers, .chosen = PeerId{23}});
    CHECK(holds(text, " 0 510000 "));
    CHECK(lines_of(text) == size.height);
  }
}

TEST_CASE("before a run begins the monitor tells what it waits for") {
  Knowledge known;
  known.welcome.scenario = "small";
  for (int tab = 0; tab <= static_cast<int>(Tab::last); ++tab) {
    const View view{.tab = static_cast<Tab>(tab), .standing = "no answer"};
    CHECK(holds(tools::screen(known, {}, view, {80, 24}).text(),
                "rhizome  small  waiting for a run to begin: no answer"));
  }
}

TEST_CASE("a finished run is not live, and the end of all runs is told first") {
  WatchedRun run;
  Frame frame = run.known.state.whole_frame();
  frame.over = true;
  REQUIRE(run.known.take(frame));
  CHECK(holds(at(run, {80, 24}), "12.0 s  over\n"));
  CHECK(holds(at(run, {80, 24}, {.standing = "all runs are over"}), "all runs are over\n"));
  run.known.take(Over{.directory = "",
                      .ends = {{.run = 2,
                                .ending = core::Ending::finished,
                                .judged = true,
                                .violations = {"trees-whole: #3 is in a circle"}}}});
  CHECK(holds(at(run, {80, 24}), "1 broken, see 6"));
  CHECK(holds(at(run, {80, 24}, {.tab = Tab::health}), "trees-whole: #3 is in a circle"));
}

TEST_CASE("labels that hold anything leave the screen in its form") {
  WatchedRun run;
  Frame frame = run.known.state.whole_frame();
  frame.run.label = std::string(300, 'x') + "\xc3\xa9\xf0\x9f\x8c\xb1\x1b[2J";
  REQUIRE(run.known.take(frame));
  run.known.take(RunsAnswer{.ends = {{.run = 7,
                                      .label = frame.run.label,
                                      .reason = frame.run.label,
                                      .violations = {frame.run.label}}}});
  for (const Picture& picture : pictures())
    for (const Size size : {Size{80, 24}, Size{160, 50}}) {
      CAPTURE(picture.name);
      const std::string text = at(run, size, picture.view);
      CHECK(lines_of(text) == size.height);
      CHECK_FALSE(holds(text, "\x1b"));
      CHECK(holds(text, "live 10/s"));
    }
}

TEST_CASE("an open run is measured by its time, a run in virtual time by no tolerance") {
  WatchedRun run;
  Frame frame = run.known.state.whole_frame();
  frame.run.engine = "virtual";
  frame.run.length.open_for = 48s;
  REQUIRE(run.known.take(frame));
  const std::string text = at(run, {80, 24});
  CHECK(holds(text, "time ██████"));
  CHECK(holds(text, "of 48 s  2160 done"));
  CHECK(holds(text, "\npeers 98/100"));
  CHECK(holds(at(run, {80, 24}, {.tab = Tab::health}), "nothing is, in virtual time"));
}

TEST_CASE("the end of a run is known once, however often it is told") {
  Knowledge known;
  const scenarios::live::RunEnd first{.run = 2, .label = "first"};
  const scenarios::live::RunEnd again{.run = 2, .label = "again"};
  known.take(RunsAnswer{.ends = {first, again}});
  known.take(Over{.directory = "", .ends = {again, {.run = 3}}});
  REQUIRE(known.ends.size() == 2);
  CHECK(known.ends.front().label == "first");
  CHECK(known.ends.back().run == 3);
}

TEST_CASE("more peers than marks share them, and a mark is the busiest of its peers") {
  Knowledge known;
  Rows rows(10'000);
  for (std::uint64_t frame = 1; frame <= 2; ++frame) {
    Row row{};
    row[static_cast<std::size_t>(Column::state)] = 1;
    for (std::uint32_t i = 0; i < 10'000; ++i) rows.set(PeerId{i}, row, frame);
    row[0] = frame;
    rows.set(PeerId{9'999}, row, frame);
    REQUIRE(known.take(Frame{.number = frame,
                             .since = frame - 1,
                             .run = {.peers = 10'000},
                             .now = core::Time{frame * 1s},
                             .rows = rows.changed_after(frame - 1)}));
  }
  const std::string text = tools::screen(known, known.state, {}, {80, 24}).text();
  CHECK(holds(text, "a mark is the busiest of "));
  CHECK(holds(text, "░"));
  CHECK(lines_of(text) == 24);
}

TEST_CASE("a former state is shown as it was, whatever is known since") {
  WatchedRun run;
  const State before = run.known.state;
  REQUIRE(run.known.take(run.frame(13)));
  const std::string text =
      tools::screen(run.known, before, {.standing = "1.0 s back, End: live"}, {80, 24}).text();
  CHECK(holds(text, "12.0 s  1.0 s back, End: live\n"));
  CHECK_FALSE(holds(text, "12.99"));
  CHECK(holds(at(run, {80, 24}), "13.000"));
}

TEST_CASE("a filter shows the matching facts, and tells if there are none") {
  const WatchedRun run;
  View view{.tab = Tab::events};
  std::string error;
  view.filter = *tools::Filter::parse("name~parent", error);
  CHECK_FALSE(holds(at(run, {80, 24}, view), "task-executed"));
  CHECK(holds(at(run, {80, 24}, view), "events: name~parent; "));
  view.filter = *tools::Filter::parse("reason=eviction", error);
  CHECK(holds(at(run, {80, 24}, view), "none of the last 48 events is such"));
}

TEST_CASE("a wrong filter is explained while the user edits it") {
  const WatchedRun run;
  View view{.tab = Tab::events, .typing = View::Typing::filter, .typed = "colour=red"};
  CHECK(holds(at(run, {80, 24}, view), "events with: colour=red_   (Enter takes it"));
  view.notice = "there are others";
  CHECK(holds(at(run, {80, 24}, view), "events with: colour=red_   (there are others)"));
}

TEST_CASE("faults to come are shown as such") {
  const WatchedRun run;
  const std::string text = at(run, {80, 24}, {.tab = Tab::health});
  CHECK(holds(text, "4.00  #23    crash, back at 6.00\n"));
  CHECK(holds(text, "20.00  all    parted until 24.00, to come\n"));
  CHECK(holds(at(run, {80, 24}), "faults 3 "));
}

TEST_CASE("an opened peer names its neighbours in overlays, and how many peers know it") {
  WatchedRun run;
  Frame frame = run.frame(13);
  ViewTable views(WatchedRun::peers);
  views.set(PeerId{9}, core::ViewKind::random, {{4}, {17}, {80}}, 1);
  views.set(PeerId{1}, core::ViewKind::random, {{9}}, 1);
  views.set(PeerId{2}, core::ViewKind::similar, {{9}, {17}}, 1);
  frame.extras.views = ViewChanges{.list = views.whole()};
  REQUIRE(run.known.take(frame));
  const View view{.tab = Tab::peers, .chosen = PeerId{9}, .opened = true};
  const std::string text = at(run, {80, 24}, view);
  CHECK(holds(text, " random links  known by 1, knows 3: #4 #17 #80\n"));
  CHECK(holds(text, " similar links known by 1, knows 0:"));
}

TEST_CASE("an opened peer shows what its program wrote to standard error") {
  const WatchedRun run;
  View view{.tab = Tab::peers, .chosen = PeerId{9}, .opened = true};
  CHECK_FALSE(holds(at(run, {80, 24}, view), "standard error"));
  view.said = {"a warning", std::string(200, 'x')};
  const std::string text = at(run, {80, 24}, view);
  CHECK(holds(text, "\nstandard error of its program\n a warning\n xxx"));
  CHECK(holds(text, "its events, the latest first"));
}

TEST_CASE("the story of a task counts its hops, and names who was to have it") {
  WatchedRun run;
  FoundFacts story = WatchedRun::story();
  story.facts.insert(story.facts.begin() + 1,
                     {test::noted(7150ms, 17, agents::TaskHanded{{12, 4}, PeerId{9}}),
                      test::noted(7200ms, 9, agents::TaskHanded{{12, 4}, PeerId{44}}),
                      test::noted(7250ms, 44, agents::TaskComputed{{12, 4}, "zeta 8.6", false})});
  run.known.take(std::move(story));
  const std::string text = at(run, {80, 24}, {.tab = Tab::task, .task = agents::TaskId{12, 4}});
  CHECK(holds(text, "#9     task-handed     12.4     to #44"));
  CHECK(holds(text, "#44    task-computed   12.4     wrong: zeta 8.6"));
  CHECK(holds(text, "; 2 hops\n"));
}

TEST_CASE("peers are ordered by the chosen column, equals by address") {
  const WatchedRun run;
  const auto first = [&](tools::PeerOrder order, bool reversed = false) {
    return tools::ordered_peers(run.known.state, order, reversed).front();
  };
  CHECK(first(tools::PeerOrder::sent) == PeerId{17});
  CHECK(first(tools::PeerOrder::inbox) == PeerId{17});
  CHECK(first(tools::PeerOrder::late) == PeerId{4});
  CHECK(first(tools::PeerOrder::running) == PeerId{1});
  CHECK(first(tools::PeerOrder::waiting) == PeerId{17});
  CHECK(first(tools::PeerOrder::address) == PeerId{0});
  CHECK(first(tools::PeerOrder::address, true) == PeerId{99});
}

}  // namespace rhizome::screens_test
