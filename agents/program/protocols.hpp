// What can be a [[protocol]], which clients ask: a program of the user's, or an overlay that is
// built in.
#pragma once

#include <any>
#include <span>
#include <string_view>

#include "agents/program/options.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::program {

// A program is the first.
[[nodiscard]] std::span<const Scheduler> protocols();
// The one of that name, or nullptr.
[[nodiscard]] const Scheduler* find_protocol(std::string_view name);

// Tells the options of a protocol what clients ask.
void ask(std::any& options, const ClientOptions& client);

}  // namespace rhizome::agents::program
