#include "core/mesh/launcher_owner.hpp"

#include <algorithm>
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

// That of users without a number in this namespace (user_namespaces(7)).
User unknown_user() {
  User user = 65534;
  std::ifstream("/proc/sys/kernel/overflowuid") >> user;
  return user;
}

// "910622720.0;tcp4://127.0.0.1:51341".
std::optional<Port> port_in(std::string_view uri) {
  const std::size_t scheme = uri.find(";tcp");
  if (scheme == std::string_view::npos) return {};
  return parse_number<Port>(uri.substr(uri.rfind(':') + 1));
}

// Whether a row of /proc/net/tcp tells of a socket that listens at that port (proc(5)).
bool listens(std::string_view address, std::string_view state, Port port) {
  constexpr std::string_view listening = "0A";
  std::istringstream digits{std::string(address.substr(address.rfind(':') + 1))};
  std::uint32_t number = 0;
  return state == listening && digits >> std::hex >> number && number == port;
}

std::vector<User> listeners_at(Port port) {
  std::vector<User> users;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream rows(table);
    rows.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    for (std::string row; std::getline(rows, row);) {
      std::istringstream words(row);
      std::string slot, here, there, state, queues, timer, retries;
      User user = 0;
      if (words >> slot >> here >> there >> state >> queues >> timer >> retries >> user &&
          listens(here, state, port))
        users.push_back(user);
    }
  }
  return users;
}

}  // namespace

void check_launcher_owner(const Environment& environment, std::uint32_t user) {
  constexpr std::string_view uri = "PMIX_SERVER_URI";
  const User unknown = unknown_user();
  for (auto it = environment.lower_bound(uri);
       it != environment.end() && it->first.starts_with(uri); ++it) {
    const auto port = port_in(it->second);
    if (!port) continue;
    const std::vector<User> users = listeners_at(*port);
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
