#include "tools/launch/ports.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/peer/number_text.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

std::optional<std::uint16_t> port_in(std::string_view text) {
  const auto port = core::parse_number<std::uint16_t>(text);
  return port && *port > 0 ? port : std::nullopt;
}

constexpr const char* own = "127.0.0.1";

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

std::vector<Interface> interfaces_here() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> kept(list, freeifaddrs);
  std::vector<Interface> found;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_UP) == 0) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    if (inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr)
      found.push_back({each->ifa_name, text.data()});
  }
  return found;
}

std::string address_among(std::span<const Interface> interfaces,
                          const std::optional<std::string>& wanted) {
  const auto found = std::ranges::find_if(interfaces, [&](const Interface& each) {
    if (!wanted) return !each.address.starts_with("127.");
    return each.name == *wanted || each.address.starts_with(*wanted);
  });
  if (found != interfaces.end()) return found->address;
  if (!wanted) return own;
  std::string known;
  for (const Interface& each : interfaces) known += " " + each.name + " " + each.address;
  throw UsageError("--interface: nothing here is called \"" + *wanted +
                   "\", or has an address that begins so; there is:" + known);
}

}  // namespace rhizome::tools
