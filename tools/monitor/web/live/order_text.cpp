#include "tools/monitor/web/live/order_text.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "scenarios/text/json.hpp"
#include "scenarios/text/peer_list.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::Json;

namespace {

using Command = live::Steer::Command;

constexpr double longest = 9e9;  // in seconds: limit of a clock of nanoseconds

std::optional<Command> command_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Command>, 10> commands{
      {{"hold", Command::hold},
       {"go", Command::go},
       {"step", Command::step},
       {"until", Command::until},
       {"speed", Command::speed},
       {"crash", Command::crash},
       {"leave", Command::leave},
       {"restart", Command::restart},
       {"cut-off", Command::cut_off},
       {"heal", Command::heal}}};
  for (const auto& [known, command] : commands)
    if (known == name) return command;
  return {};
}

// 0 where it is no number from 1 on.
std::uint64_t count_in(const Json& json) {
  const double number = json.get<double>();
  const bool counts = number >= 1 && number <= std::numeric_limits<std::uint32_t>::max();
  return counts ? static_cast<std::uint64_t>(number) : 0;
}

bool names_peers(Command command) { return command >= Command::crash && command != Command::heal; }

bool take_peers(live::Steer& order, const std::string& text) {
  std::optional<std::vector<core::PeerId>> peers = scenarios::parse_peers(text);
  if (!peers || peers->size() > live::Steer::most_peers || !names_peers(order.command))
    return false;
  order.peers = std::move(*peers);
  return true;
}

// Takes an argument of an order besides its command; false if no order has that argument.
bool take(live::Steer& order, const std::string& name, const Json& value) {
  if (name == "speed") {
    order.speed = value.get<double>();
    return true;
  }
  if (name == "until") {
    const double seconds = value.get<double>();
    if (!(seconds >= 0 && seconds <= longest)) return false;
    order.until = core::Time{std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9))};
    return true;
  }
  if (name == "peers") return take_peers(order, value.get<std::string>());
  const std::uint64_t count = name == "run" || name == "steps" ? count_in(value) : 0;
  if (name == "run")
    order.run = static_cast<std::uint32_t>(count - 1);
  else
    order.steps = count;
  return count > 0;
}

std::optional<live::Steer> order_of(const Json& json) {
  const auto command = command_named(json.at("command").get<std::string>());
  if (!command) return {};
  live::Steer order{.command = *command};
  for (const auto& [name, value] : json.members())
    if (name != "command" && !take(order, name, value)) return {};
  if (names_peers(order.command) && order.peers.empty()) return {};
  return order;
}

}  // namespace

std::optional<live::Steer> order_in(const std::string& text) {
  const std::optional<Json> json = scenarios::parse_json(text);
  if (!json || !json->is_object()) return {};
  try {
    return order_of(*json);
  } catch (const scenarios::JsonError&) {
    return {};
  }
}

}  // namespace rhizome::tools
