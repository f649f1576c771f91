// Keys: what each makes of a view, and what it wishes of whoever shows the run.
#pragma once

#include <cstdint>

#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/grid.hpp"
#include "tools/monitor/terminal.hpp"
#include "tools/monitor/view.hpp"

namespace rhizome::tools {

// What a view cannot do itself.
struct Wish {
  enum class Kind : std::uint8_t {
    nothing,
    leave,
    second_back,
    second_on,
    frame_back,
    frame_on,
    oldest,
    live,
    run_before,
    run_after,
    newest_run,
    this_run,  // the chosen one
    story,     // of the task that is followed, or the peer that is opened
    pause,
    faster,
    slower,
    crash,  // this and those that follow are faults by hand, of the chosen peer
    leave_run,
    restart,
    cut_off,
    heal
  };
  Kind kind = Kind::nothing;
};

struct Pressed {
  View view;
  Wish::Kind wish = Wish::Kind::nothing;
};

// `state` is the one that is shown, of that knowledge, on a screen of that size.
[[nodiscard]] Pressed after_key(View view, const Key& key, const scenarios::live::Knowledge& known,
                                const scenarios::live::State& state, Size size);

}  // namespace rhizome::tools
