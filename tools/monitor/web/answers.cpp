#include "tools/monitor/web/answers.hpp"

#include <charconv>

namespace rhizome::tools {

std::string Question::word(const std::string& name) const {
  const auto found = words.find(name);
  return found == words.end() ? "" : found->second;
}

std::optional<std::uint64_t> Question::number(const std::string& name) const {
  const std::string text = word(name);
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  return number;
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
