#include "tools/monitor/watching.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tools/cli/interrupt.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using namespace std::chrono_literals;

std::size_t length_of_list(const View& view, const live::State& state) {
  return view.tab == Tab::events ? state.facts().size() : state.rows().size();
}

void scroll(View& view, const live::State& state, std::ptrdiff_t lines) {
  const auto last = static_cast<std::ptrdiff_t>(length_of_list(view, state)) - 1;
  view.first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(view.first) + lines, 0, std::max<std::ptrdiff_t>(last, 0)));
}

void turn(View& view, Tab tab) {
  view.tab = tab;
  view.first = 0;
}

void order_by_next(View& view) {
  const auto next = static_cast<unsigned>(view.order) + 1;
  view.order = next > static_cast<unsigned>(PeerOrder::last) ? PeerOrder::sent
                                                             : static_cast<PeerOrder>(next);
  view.held.clear();
}

// False where it asks to leave.
bool press(View& view, char character, const live::State& state) {
  switch (character) {
    case 'q':
      return false;
    case '1':
      turn(view, Tab::all);
      break;
    case '2':
      turn(view, Tab::peers);
      break;
    case '3':
      turn(view, Tab::events);
      break;
    case '?':
      turn(view, view.tab == Tab::help ? Tab::all : Tab::help);
      break;
    case 's':
      order_by_next(view);
      break;
    case 'f':
      view.held =
          view.held.empty() ? ordered_peers(state, view.order) : std::vector<core::PeerId>{};
      break;
    default:
      break;
  }
  return true;
}

// The run that a key turns to; the same again where there is none.
std::optional<std::uint32_t> run_after(char character, const live::State& state,
                                       std::optional<std::uint32_t> wanted) {
  if (character == '\\') return {};
  if (state.empty() || (character != '[' && character != ']')) return wanted;
  const std::vector<std::uint32_t>& runs = state.frame().under_way;
  const std::uint32_t now = state.frame().run.number;
  if (character == ']') {
    const auto after = std::upper_bound(runs.begin(), runs.end(), now);
    return after == runs.end() ? wanted : *after;
  }
  const auto before = std::lower_bound(runs.begin(), runs.end(), now);
  return before == runs.begin() ? wanted : *std::prev(before);
}

// What the run and the monitor are to each other, and whether there is more to come.
struct Standing {
  std::string text = "live";
  bool ended = false;

  void take(Attachment::News news, const Attachment& attachment) {
    ended = news >= Attachment::News::refused;
    if (news == Attachment::News::refused) text = attachment.reason();
    if (news == Attachment::News::over) text = "all runs are over";
    if (news == Attachment::News::gone) text = "the process has gone";
    if (news == Attachment::News::frame) text = "live";
    if (news == Attachment::News::none && attachment.silence() > 2s) text = "no answer";
  }
};

}  // namespace

std::optional<View> after_key(View view, const Key& key, const live::State& state, Size size) {
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(size.height, 6) - 5);
  switch (key.kind) {
    case Key::Kind::up:
      scroll(view, state, -1);
      break;
    case Key::Kind::down:
      scroll(view, state, 1);
      break;
    case Key::Kind::page_up:
      scroll(view, state, -page);
      break;
    case Key::Kind::page_down:
      scroll(view, state, page);
      break;
    case Key::Kind::resized:
      break;
    case Key::Kind::character:
      if (!press(view, key.character, state)) return {};
  }
  return view;
}

void watch(Attachment& attachment, Terminal& terminal) {
  View view{.script = terminal.script()};
  Standing standing;
  std::optional<std::uint32_t> wanted = attachment.wanted();
  while (!interrupt_flag()) {
    if (standing.ended) {
      std::this_thread::sleep_for(50ms);
    } else if (const auto news = attachment.wait(50ms);
               news == Attachment::News::refused && wanted) {  // it has ended meanwhile
      wanted.reset();
      attachment.turn_to(wanted);
      attachment.ask();
    } else {
      standing.take(news, attachment);
    }
    while (const std::optional<Key> key = terminal.key()) {
      const std::optional<View> next = after_key(view, *key, attachment.state(), terminal.size());
      if (!next) return;
      view = *next;
      wanted = run_after(key->character, attachment.state(), wanted);
      attachment.turn_to(wanted);
    }
    view.standing = standing.text;
    terminal.show(screen(attachment.state(), attachment.welcome(), view, terminal.size()));
  }
}

}  // namespace rhizome::tools
