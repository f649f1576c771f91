// What the command says to its user besides its results: on standard error, a line each, from any
// thread. The one door to spdlog lies behind it.
#pragma once

#include <string_view>

namespace rhizome::tools {

// From now on every line begins with that, so that those of several processes are told apart.
// Before any other thread says something.
void speak_as(std::string_view name);
// How far things are: the text as it is.
void tell(std::string_view text);
// What the user should know of the results: "rhizome: TEXT".
void warn(std::string_view text);
// Why there are none: "rhizome: error: TEXT".
void complain(std::string_view text);

}  // namespace rhizome::tools
