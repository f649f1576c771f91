// What a page asks a run to do, in JSON: {"command": "step", "steps": 100, "run": 2}, or, as a
// fault by hand, {"command": "cut-off", "peers": "3,4,9..12"}.
#pragma once

#include <optional>
#include <string>

#include "scenarios/live/steering.hpp"

namespace rhizome::tools {

// In a sentence without its end.
inline constexpr const char* what_orders_are =
    "an order is {\"command\": \"hold\"}, go, step, until, speed or heal, or crash, leave, restart "
    "or cut-off with \"peers\", which are numbers and ranges such as \"3,4,9..12\", 500 at most";

// Nothing where it says anything else. Runs are counted from 1. Where several peers are to crash,
// to leave or to restart, it names them all, though a run takes one at a time.
[[nodiscard]] std::optional<scenarios::live::Steer> order_in(const std::string& text);

}  // namespace rhizome::tools
