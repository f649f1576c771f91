// An order of a page to a run, in JSON: {"command": "step", "steps": 100, "run": 2}, or, as a fault
// by hand, {"command": "cut-off", "peers": "3,4,9..12"}.
#pragma once

#include <optional>
#include <string>

#include "scenarios/live/steering.hpp"

namespace rhizome::tools {

// A sentence without its end.
inline constexpr const char* what_orders_are =
    "an order is {\"command\": \"hold\"}, go, step, until, speed or heal, or crash, leave, restart "
    "or cut-off with \"peers\", which are numbers and ranges such as \"3,4,9..12\", 500 at most";

// Nothing for any other text. Runs are counted from 1. An order to crash, leave or restart several
// peers names all of them, though a run takes one at a time.
[[nodiscard]] std::optional<scenarios::live::Steer> order_in(const std::string& text);

}  // namespace rhizome::tools
