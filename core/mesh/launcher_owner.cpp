#include "core/mesh/launcher_owner.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/rendezvous.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::core {

namespace {

using Port = std::uint16_t;
using User = std::uint32_t;

constexpr User of_the_system = 0;

// The number that stands for every user without one in this namespace (user_namespaces(7)).
User unknown_user() {
  User user = 65534;
  std::ifstream("/proc/sys/kernel/overflowuid") >> user;
  return user;
}

// Where a server listens, as rows of the tables of proc(5) write it.
struct Place {
  const char* table;
  std::vector<std::string> addresses;  // its own, and that of all
};

std::string in_hexadecimal(const std::uint32_t* words, std::size_t count, Port port) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:08X}", words[i]);
  return text + fmt::format(":{:04X}", port);
}

template <int Family, std::size_t Words>
Place place_of(const std::string& host, Port port, const char* table) {
  std::array<std::uint32_t, Words> address{};
  constexpr std::array<std::uint32_t, Words> all{};
  Place place{table, {in_hexadecimal(all.data(), Words, port)}};
  if (inet_pton(Family, host.c_str(), address.data()) == 1)
    place.addresses.push_back(in_hexadecimal(address.data(), Words, port));
  return place;
}

// "910622720.0;tcp4://127.0.0.1:51341", "...;tcp6://[::1]:51341".
std::optional<Place> place_in(std::string_view uri) {
  constexpr std::string_view scheme = ";tcp";
  constexpr std::string_view behind = "://";
  const std::size_t at = uri.find(scheme);
  if (at == std::string_view::npos) return {};
  const std::size_t host = uri.find(behind, at) + behind.size();
  const std::size_t colon = uri.rfind(':');
  const auto port = parse_number<Port>(uri.substr(colon + 1));
  if (!port || host < behind.size() || host > colon) return {};
  std::string name(uri.substr(host, colon - host));
  std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  if (uri.substr(at + scheme.size()).starts_with('6'))
    return place_of<AF_INET6, 4>(name, *port, "/proc/net/tcp6");
  return place_of<AF_INET, 1>(name, *port, "/proc/net/tcp");
}

std::vector<User> listeners_at(const Place& place) {
  constexpr std::string_view listening = "0A";
  std::vector<User> users;
  std::ifstream rows(place.table);
  rows.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  for (std::string row; std::getline(rows, row);) {
    std::istringstream words(row);
    std::string slot, here, there, state, queues, timer, retries;
    User user = 0;
    if (words >> slot >> here >> there >> state >> queues >> timer >> retries >> user &&
        state == listening && std::ranges::find(place.addresses, here) != place.addresses.end())
      users.push_back(user);
  }
  return users;
}

}  // namespace

void check_launcher_owner(const Environment& environment, std::uint32_t user) {
  constexpr std::string_view uri = "PMIX_SERVER_URI";
  const User unknown = unknown_user();
  for (auto it = environment.lower_bound(uri);
       it != environment.end() && it->first.starts_with(uri); ++it) {
    const auto place = place_in(it->second);
    if (!place) continue;
    const std::vector<User> users = listeners_at(*place);
    const std::string remedy = " (" + it->first + "): unset the variables PMIX_*";
    if (users.empty())
      throw Unreachable("PMIx: the launcher that began this process has ended" + remedy);
    if (std::ranges::any_of(users, [&](User each) {
          return each != user && each != of_the_system && each != unknown;
        }))
      throw Unreachable("PMIx: another user listens at the port of the launcher" + remedy);
  }
}

}  // namespace rhizome::core
