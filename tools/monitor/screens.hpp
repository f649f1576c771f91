// The screens of the monitor in a terminal: they draw the known state of a run into a grid.
#pragma once

#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/grid.hpp"
#include "tools/monitor/panels/panel.hpp"
#include "tools/monitor/view.hpp"

namespace rhizome::tools {

// The least that a screen needs, and from which on there are several panels side by side.
inline constexpr Size least_size{60, 16};
inline constexpr Size wide_size{140, 40};

// `state`: the present or a former state.
[[nodiscard]] TextGrid screen(const scenarios::live::Knowledge& known,
                              const scenarios::live::State& state, const View& view, Size size);

}  // namespace rhizome::tools
