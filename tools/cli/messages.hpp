// Messages to the user besides results: on standard error, a line each, from any thread. Only this
// module uses spdlog.
#pragma once

#include <string_view>

namespace rhizome::tools {

// Begins every line with that name from now on, to distinguish several processes. Call it before
// any other thread writes a message.
void speak_as(std::string_view name);
// Prints progress: the text as it is.
void tell(std::string_view text);
// A remark about the results: "rhizome: TEXT".
void warn(std::string_view text);
// Why there are no results: "rhizome: error: TEXT".
void complain(std::string_view text);

}  // namespace rhizome::tools
