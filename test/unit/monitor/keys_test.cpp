// The effects of keys on a view, and their wishes.
#include "tools/monitor/keys.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "test/support/watched_run.hpp"
#include "tools/monitor/screens.hpp"

namespace rhizome::keys_test {

using core::PeerId;
using tools::Key;
using tools::Tab;
using tools::View;
using Kind = tools::Wish::Kind;

namespace {

// A user who presses keys.
struct Hands {
  test::WatchedRun run;
  View view;
  Kind wish = Kind::nothing;

  void press(Key key) {
    tools::Pressed pressed = tools::after_key(view, key, run.known, run.known.state, {80, 24});
    view = std::move(pressed.view);
    wish = pressed.wish;
  }
  void press(Key::Kind kind) { press(Key{kind}); }
  void type(std::string_view text) {
    for (const char character : text) press(Key{.character = character});
  }
};

}  // namespace

TEST_CASE("figures turn to tabs from their first line, and ? to the keys and back") {
  Hands hands;
  hands.view.first = 9;
  for (int i = 0; i < 7; ++i) {
    hands.type(std::string(1, static_cast<char>('1' + i)));
    CHECK(hands.view.tab == static_cast<Tab>(i));
    CHECK(hands.view.first == 0);
  }
  hands.type("?");
  CHECK(hands.view.tab == Tab::help);
  hands.type("?");
  CHECK(hands.view.tab == Tab::all);
}

TEST_CASE("peers are ordered, turned round, held and freed") {
  Hands hands;
  hands.type("s");
  CHECK(hands.view.order == tools::PeerOrder::received);
  hands.view.order = tools::PeerOrder::last;
  hands.type("s");
  CHECK(hands.view.order == tools::PeerOrder::sent);
  hands.type("f");
  CHECK(hands.view.held == tools::ordered_peers(hands.run.known.state, tools::PeerOrder::sent));
  CHECK(tools::screen(hands.run.known, hands.run.known.state, hands.view, {80, 24})
            .text()
            .find("frozen, live") != std::string::npos);
  hands.type("S");
  CHECK(hands.view.held.empty());
  CHECK(hands.view.reversed);
}

TEST_CASE("arrows choose a peer, which stays chosen wherever it goes, and Enter opens it") {
  Hands hands;
  hands.type("3");
  hands.press(Key::Kind::down);
  CHECK(hands.view.chosen == PeerId{17});
  hands.press(Key::Kind::down);
  CHECK(hands.view.chosen == PeerId{0});
  hands.press(Key::Kind::page_down);
  hands.press(Key::Kind::up);
  hands.press(Key::Kind::enter);
  CHECK(hands.view.opened);
  CHECK(hands.wish == Kind::story);
  hands.press(Key::Kind::escape);
  CHECK_FALSE(hands.view.opened);
  for (int i = 0; i < 9; ++i) hands.press(Key::Kind::page_down);
  CHECK(hands.view.chosen ==
        tools::ordered_peers(hands.run.known.state, tools::PeerOrder::sent).back());
}

TEST_CASE("Enter opens the first peer where none is chosen") {
  Hands hands;
  hands.type("3");
  hands.press(Key::Kind::enter);
  CHECK(hands.view.opened);
  CHECK(hands.view.chosen == PeerId{17});
  CHECK(hands.wish == Kind::story);
}

TEST_CASE("Enter unfolds and folds the chosen peer in the tree") {
  Hands hands;
  hands.type("2");
  hands.press(Key::Kind::down);
  CHECK(hands.view.chosen == PeerId{17});
  hands.press(Key::Kind::down);
  const PeerId child = *hands.view.chosen;
  const auto shown = [&] {
    const tools::Panel panel{hands.run.known.state, hands.run.known, hands.view,
                             scenarios::live::forest_of(hands.run.known.state.rows())};
    return tools::unfolded_peers(panel).size();
  };
  const std::size_t before = shown();
  hands.press(Key::Kind::enter);
  CHECK(hands.view.turned.contains(child));
  CHECK(shown() > before);
  hands.press(Key::Kind::enter);
  CHECK(shown() == before);
  hands.type("oom");
  CHECK(hands.view.tree_order == tools::TreeOrder::speed);
  CHECK(hands.view.moves);
}

TEST_CASE("a filter is typed, mended, taken and taken away") {
  Hands hands;
  hands.type("4/nme=x");
  hands.press(Key::Kind::enter);
  CHECK(hands.view.typing == View::Typing::filter);
  CHECK(hands.view.notice.find("name, peer, task and reason") != std::string::npos);
  hands.press(Key::Kind::backspace);
  CHECK(hands.view.typed == "nme=");
  hands.type("\x15");  // Ctrl-U
  CHECK(hands.view.typed.empty());
  hands.type("peer=17 or q");
  CHECK(hands.view.typed == "peer=17 or q");
  hands.press(Key::Kind::enter);
  CHECK(hands.view.typing == View::Typing::nothing);
  CHECK(hands.view.filter.text() == "peer=17 or q");
  hands.type("/zzz");
  hands.press(Key::Kind::escape);
  CHECK(hands.view.filter.text() == "peer=17 or q");
}

TEST_CASE("a task is asked for by job and portion") {
  Hands hands;
  hands.type("t12.4");
  hands.press(Key::Kind::enter);
  CHECK(hands.wish == Kind::story);
  CHECK(hands.view.task == agents::TaskId{12, 4});
  hands.type("5tx");
  hands.press(Key::Kind::enter);
  CHECK(hands.wish == Kind::nothing);
  CHECK(hands.view.task == agents::TaskId{12, 4});
  CHECK_FALSE(hands.view.notice.empty());
}

TEST_CASE("a key that the view does not handle itself becomes its wish") {
  Hands hands;
  const auto wish = [&](Key key) {
    hands.press(key);
    return hands.wish;
  };
  CHECK(wish({.character = 'q'}) == Kind::leave);
  CHECK(wish({.character = '['}) == Kind::run_before);
  CHECK(wish({.character = 'p'}) == Kind::pause);
  CHECK(wish({Key::Kind::left}) == Kind::second_back);
  CHECK(wish({Key::Kind::end}) == Kind::live);
  hands.type("7");
  hands.press(Key::Kind::down);
  CHECK(hands.view.chosen_run == 2);
  hands.press(Key::Kind::down);
  CHECK(wish({Key::Kind::enter}) == Kind::this_run);
  CHECK(hands.view.chosen_run == 3);
}

TEST_CASE("x and one more key wish for a fault of the chosen peer, and any other key for none") {
  Hands hands;
  const auto foot = [&] {
    return tools::screen(hands.run.known, hands.run.known.state, hands.view, {80, 24}).text();
  };
  hands.type("xc");
  CHECK(hands.wish == Kind::nothing);
  CHECK(hands.view.notice.find("no peer is chosen") != std::string::npos);
  hands.type("xh");
  CHECK(hands.wish == Kind::heal);
  hands.view.chosen = PeerId{17};
  hands.type("x");
  CHECK(hands.wish == Kind::nothing);
  CHECK(foot().find("#17: c crash  l leave  r restart  o cut off") != std::string::npos);
  hands.type("c");
  CHECK(hands.wish == Kind::crash);
  hands.type("xl");
  CHECK(hands.wish == Kind::leave_run);
  hands.type("xr");
  CHECK(hands.wish == Kind::restart);
  hands.type("xo");
  CHECK(hands.wish == Kind::cut_off);
  hands.type("xq");
  CHECK(hands.wish == Kind::nothing);
  hands.type("x");
  hands.press(Key::Kind::escape);
  CHECK(hands.wish == Kind::nothing);
  CHECK(hands.view.typing == View::Typing::nothing);
}

TEST_CASE("a peer chosen in a larger run is not chosen in a smaller one") {
  Hands hands;
  hands.view = {.tab = Tab::peers, .chosen = PeerId{5'000}, .opened = true};
  CHECK_FALSE(
      tools::screen(hands.run.known, hands.run.known.state, hands.view, {80, 24}).text().empty());
  hands.press(Key::Kind::escape);
  CHECK_FALSE(hands.view.chosen);
  CHECK_FALSE(hands.view.opened);
}

}  // namespace rhizome::keys_test
