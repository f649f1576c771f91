#include "tools/monitor/web/answers.hpp"

#include "core/peer/number_text.hpp"

namespace rhizome::tools {

std::string Question::word(const std::string& name) const {
  const auto found = words.find(name);
  return found == words.end() ? "" : found->second;
}

std::optional<std::uint64_t> Question::number(const std::string& name) const {
  return core::parse_number<std::uint64_t>(word(name));
}

Reply sorry(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", why + "\n"};
}

// Everything of the monitor is read-only except the path for orders, to which a form of another
// page cannot post.
Way WebAnswers::way(const std::string& path) const {
  if (path == "/steer")
    return {.methods = {"POST"}, .steers = true, .otherwise = "orders are posted"};
  return {.methods = {"GET"}, .open = path == "/"};
}

}  // namespace rhizome::tools
