// The effect of keys: each changes the view, or makes a wish to the source of the run.
#pragma once

#include <cstdint>

#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/grid.hpp"
#include "tools/monitor/terminal.hpp"
#include "tools/monitor/view.hpp"

namespace rhizome::tools {

// A request that the view cannot fulfil itself.
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
    this_run,  // the chosen run
    story,     // of the followed task, or of the opened peer
    pause,
    faster,
    slower,
    crash,  // this and the following ones are faults by hand, of the chosen peer
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

// `state` is the state shown, which belongs to `known`; `size` is that of the screen.
[[nodiscard]] Pressed after_key(View view, const Key& key, const scenarios::live::Knowledge& known,
                                const scenarios::live::State& state, Size size);

}  // namespace rhizome::tools
