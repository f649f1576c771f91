#include "tools/launch/ports.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

std::optional<std::uint16_t> port_in(std::string_view text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || rest != end || port == 0) return {};
  return port;
}

}  // namespace

core::PortRange ports_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = port_in(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : port_in(text.substr(dash + 1));
  if (!first || !last || *first > *last)
    throw UsageError("--ports " + std::string(text) +
                     ": ports are two numbers from 1 to 65535, the lower first, such as 4000-4010");
  return {*first, *last};
}

void check_enough(const core::PortRange& ports, std::uint32_t processes) {
  if (processes <= ports.size() + 1) return;
  throw UsageError("--ports: " + std::to_string(processes) + " processes need at least " +
                   std::to_string(processes - 1) + " ports, one for each of the others, and " +
                   std::to_string(ports.size()) + " are given");
}

}  // namespace rhizome::tools
