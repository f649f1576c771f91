#include "tools/monitor/watching.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/interrupt.hpp"
#include "tools/monitor/said.hpp"
#include "tools/monitor/screens.hpp"

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

// Returns false if the user leaves.
bool use_keys(Source& source, Terminal& terminal, View& view, bool& changed) {
  while (const std::optional<Key> key = terminal.key()) {
    Pressed pressed = after_key(view, *key, source.known(), source.state(), terminal.size());
    if (pressed.wish == Wish::Kind::leave) return false;
    view = std::move(pressed.view);
    const std::string notice = source.grant(pressed.wish, view);
    if (!notice.empty()) view.notice = notice;
    changed = true;
  }
  return true;
}

std::vector<std::string> said_in(const Source& source, const View& view) {
  if (!view.opened || !view.chosen || source.state().empty()) return {};
  return last_said(source.directory(), source.state().frame().run, *view.chosen);
}

}  // namespace

void watch(Source& source, Terminal& terminal) {
  View view{.script = terminal.script()};
  bool changed = true;
  while (!interrupt_flag()) {
    if (changed) {
      view.standing = source.standing();
      view.said = said_in(source, view);
      terminal.show(screen(source.known(), source.state(), view, terminal.size()));
    }
    source.want_views(view.opened);
    changed = source.wait(50ms);
    if (!use_keys(source, terminal, view, changed)) return;
  }
}

}  // namespace rhizome::tools
