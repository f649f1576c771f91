#include "tools/monitor/keys.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using Kind = Wish::Kind;

// The state in which a key is pressed.
struct Place {
  const live::Knowledge& known;
  const live::State& state;
  Size size;
};

template <class Item>
void choose(std::optional<Item>& chosen, const std::vector<Item>& items, std::ptrdiff_t lines) {
  if (items.empty()) return chosen.reset();
  const auto last = static_cast<std::ptrdiff_t>(items.size()) - 1;
  const auto found = chosen ? std::find(items.begin(), items.end(), *chosen) : items.end();
  const std::ptrdiff_t at = found == items.end() ? 0 : found - items.begin() + lines;
  chosen = items[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last))];
}

void scroll(View& view, std::size_t length, std::ptrdiff_t lines) {
  view.first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(view.first) + lines, 0,
      static_cast<std::ptrdiff_t>(std::max<std::size_t>(length, 1)) - 1));
}

Panel panel_of(const View& view, const Place& place) {
  return {place.state, place.known, view, live::forest_of(place.state.rows())};
}

void move(View& view, const Place& place, std::ptrdiff_t lines) {
  switch (view.tab) {
    case Tab::peers:
      if (!view.opened) choose(view.chosen, listed_peers(panel_of(view, place)), lines);
      break;
    case Tab::tree:
      choose(view.chosen, unfolded_peers(panel_of(view, place)), lines);
      break;
    case Tab::runs:
      choose(view.chosen_run, listed_runs(place.known), lines);
      break;
    case Tab::events:
      scroll(view, place.state.facts().size(), lines);
      break;
    case Tab::help:
      scroll(view, 19, lines);
      break;
    default:
      break;
  }
}

void turn(View& view, Tab tab) {
  view.tab = tab;
  view.first = 0;
  view.opened = false;
}

template <class Order>
Order next_of(Order order) {
  return order == Order::last ? Order{} : static_cast<Order>(static_cast<unsigned>(order) + 1);
}

void freeze(View& view, const live::State& state) {
  view.held = view.held.empty() ? ordered_peers(state, view.order, view.reversed)
                                : std::vector<core::PeerId>{};
}

// Acts on the first of a list where none is chosen.
Kind enter(View& view, const Place& place) {
  move(view, place, 0);
  if (view.tab == Tab::peers && view.chosen) {
    view.opened = !view.opened;
    return view.opened ? Kind::story : Kind::nothing;
  }
  if (view.tab == Tab::tree && view.chosen) {
    if (view.turned.erase(*view.chosen) == 0) view.turned.insert(*view.chosen);
  } else if (view.tab == Tab::runs && view.chosen_run) {
    return Kind::this_run;
  }
  return Kind::nothing;
}

Kind escape(View& view) {
  if (view.tab == Tab::help) turn(view, Tab::all);
  view.opened = false;
  return Kind::nothing;
}

// Applies a character key to a view; false for an unknown one.
bool press(View& view, char character, const live::State& state) {
  if (character >= '1' && character <= '7') {
    turn(view, static_cast<Tab>(character - '1'));
    return true;
  }
  switch (character) {
    case '?':
      turn(view, view.tab == Tab::help ? Tab::all : Tab::help);
      return true;
    case 's':
      view.order = next_of(view.order);
      view.held.clear();
      return true;
    case 'S':
      view.reversed = !view.reversed;
      view.held.clear();
      return true;
    case 'o':
      view.tree_order = next_of(view.tree_order);
      return true;
    case 'm':
      view.moves = !view.moves;
      return true;
    case 'f':
      freeze(view, state);
      return true;
    case '/':
      view.typing = View::Typing::filter;
      view.typed = view.filter.text();
      return true;
    case 'x':
      view.typing = View::Typing::fault;
      return true;
    case 't':
      view.typing = View::Typing::task;
      view.typed.clear();
      return true;
    default:
      return false;
  }
}

Kind wish_of(char character) {
  constexpr std::pair<char, Kind> wishes[]{
      {'q', Kind::leave},       {'[', Kind::run_before}, {']', Kind::run_after},
      {'\\', Kind::newest_run}, {'<', Kind::frame_back}, {'>', Kind::frame_on},
      {'p', Kind::pause},       {'+', Kind::faster},     {'-', Kind::slower}};
  for (const auto& [key, wish] : wishes)
    if (key == character) return wish;
  return Kind::nothing;
}

// Takes the typed text, unless it is not understood: then the user can correct it.
Kind take_typed(View& view) {
  if (view.typing == View::Typing::filter) {
    std::optional<Filter> filter = Filter::parse(view.typed, view.notice);
    if (!filter) return Kind::nothing;
    view.filter = std::move(*filter);
    view.first = 0;
    if (view.tab != Tab::all) turn(view, Tab::events);
    view.typing = View::Typing::nothing;
    return Kind::nothing;
  }
  const std::optional<agents::TaskId> task = parse_task(view.typed);
  view.typing = View::Typing::nothing;
  if (!task) {
    view.notice = "no task: job and portion are wanted, as 112.3";
    return Kind::nothing;
  }
  view.task = task;
  if (view.tab != Tab::all) turn(view, Tab::task);
  return Kind::story;
}

// Any other key changes nothing in the run.
Kind take_fault(View& view, const Key& key) {
  constexpr std::pair<char, Kind> faults[]{{'c', Kind::crash},
                                           {'l', Kind::leave_run},
                                           {'r', Kind::restart},
                                           {'o', Kind::cut_off},
                                           {'h', Kind::heal}};
  view.typing = View::Typing::nothing;
  for (const auto& [character, fault] : faults)
    if (key.kind == Key::Kind::character && key.character == character) {
      if (view.chosen || fault == Kind::heal) return fault;
      view.notice = "no peer is chosen: arrows choose one in 2 and 3";
    }
  return Kind::nothing;
}

Kind type(View& view, const Key& key) {
  if (view.typing == View::Typing::fault)
    return key.kind == Key::Kind::resized ? Kind::nothing : take_fault(view, key);
  constexpr std::size_t longest = 60;
  constexpr char erase_line = 'U' & 0x1f;  // with Ctrl, as in shells
  switch (key.kind) {
    case Key::Kind::enter:
      return take_typed(view);
    case Key::Kind::escape:
      view.typing = View::Typing::nothing;
      break;
    case Key::Kind::backspace:
      if (!view.typed.empty()) view.typed.pop_back();
      break;
    case Key::Kind::character:
      if (key.character == erase_line) view.typed.clear();
      if (key.character >= ' ' && view.typed.size() < longest) view.typed += key.character;
      break;
    default:
      break;
  }
  return Kind::nothing;
}

Kind use(View& view, const Key& key, const Place& place) {
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(place.size.height, 6) - 5);
  switch (key.kind) {
    case Key::Kind::up:
      return move(view, place, -1), Kind::nothing;
    case Key::Kind::down:
      return move(view, place, 1), Kind::nothing;
    case Key::Kind::page_up:
      return move(view, place, -page), Kind::nothing;
    case Key::Kind::page_down:
      return move(view, place, page), Kind::nothing;
    case Key::Kind::left:
      return Kind::second_back;
    case Key::Kind::right:
      return Kind::second_on;
    case Key::Kind::home:
      return Kind::oldest;
    case Key::Kind::end:
      return Kind::live;
    case Key::Kind::enter:
      return enter(view, place);
    case Key::Kind::escape:
    case Key::Kind::backspace:
      return escape(view);
    case Key::Kind::resized:
      return Kind::nothing;
    case Key::Kind::character:
      return press(view, key.character, place.state) ? Kind::nothing : wish_of(key.character);
  }
  return Kind::nothing;
}

}  // namespace

Pressed after_key(View view, const Key& key, const live::Knowledge& known, const live::State& state,
                  Size size) {
  view.notice.clear();
  if (view.chosen && view.chosen->value >= state.rows().size()) {
    view.chosen.reset();
    view.opened = false;
  }
  const Kind wish =
      view.typing == View::Typing::nothing ? use(view, key, {known, state, size}) : type(view, key);
  return {std::move(view), wish};
}

}  // namespace rhizome::tools
