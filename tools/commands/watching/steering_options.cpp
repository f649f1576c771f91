#include "tools/commands/watching/steering_options.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/peer_list.hpp"

namespace rhizome::tools {

using scenarios::live::Steer;

namespace {

struct Steered {
  Option option;
  Steer::Command command;
};

std::vector<Steered> steered_options() {
  using Command = Steer::Command;
  return {{{.name = "hold", .help = "pause the run"}, Command::hold},
          {{.name = "go", .help = "let the run continue"}, Command::go},
          {{.name = "step", .value = "N", .help = "let the run handle N events, then pause it"},
           Command::step},
          {{.name = "until",
            .value = "TIME",
            .help = "let the run continue until this emulated time, then pause it"},
           Command::until},
          {{.name = "speed",
            .value = "X",
            .help = "X emulated seconds in each real second; 0: as fast as possible"},
           Command::speed},
          {{.name = "crash", .value = "PEER", .help = "crash this peer"}, Command::crash},
          {{.name = "leave", .value = "PEER", .help = "let this peer leave with a goodbye"},
           Command::leave},
          {{.name = "restart", .value = "PEER", .help = "restart this peer after a crash"},
           Command::restart},
          {{.name = "cut-off",
            .value = "PEERS",
            .help = "cut off peers, such as 3,4,9..12, from all others"},
           Command::cut_off},
          {{.name = "heal", .help = "reconnect the peers that were cut off"}, Command::heal}};
}

core::Time held_at(const std::string& text) {
  const auto time = scenarios::parse_duration(text);
  if (!time || *time < core::Duration::zero()) throw UsageError("--until is a time such as 12.5s");
  return core::Time{} + *time;
}

double speed_in(const std::string& text) {
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(speed) || speed < 0)
    throw UsageError("--speed is a number of emulated seconds in a real one; 0: as fast as it can");
  return speed;
}

std::vector<core::PeerId> peers_in(const Arguments& arguments, const std::string& name) {
  const std::string text = arguments.text(name).value_or("");
  const auto peers = scenarios::parse_peers(text);
  const bool several = name == "cut-off";
  if (!peers || (!several && peers->size() != 1))
    throw UsageError("--" + name + " \"" + text + "\": " +
                     (several ? "peers are numbers and ranges such as 3,4,9..12"
                              : "a peer is a number, from 0"));
  if (peers->size() > Steer::most_peers)
    throw UsageError("--" + name + " takes " + std::to_string(Steer::most_peers) +
                     " peers at most: cut off the others");
  return *peers;
}

void read(const Arguments& arguments, const Steered& chosen, Steer& steer) {
  steer.steps = arguments.number("step", 1).value_or(1);
  if (const auto text = arguments.text("until")) steer.until = held_at(*text);
  if (const auto text = arguments.text("speed")) steer.speed = speed_in(*text);
  if (steer.command >= Steer::Command::crash && steer.command != Steer::Command::heal)
    steer.peers = peers_in(arguments, chosen.option.name);
}

}  // namespace

std::vector<Option> steering_options() {
  std::vector<Option> options;
  for (Steered& each : steered_options()) options.push_back(std::move(each.option));
  return options;
}

std::optional<std::uint32_t> number_of_run(const Arguments& arguments) {
  const std::uint64_t given = arguments.number("number", 1).value_or(0);
  if (given > ~std::uint32_t{0}) throw UsageError("--number is larger than any run's");
  if (given == 0) return {};
  return static_cast<std::uint32_t>(given - 1);
}

std::optional<Steer> steering_of(const Arguments& arguments) {
  std::optional<Steer> steer;
  for (const Steered& each : steered_options()) {
    if (!arguments.has(each.option.name)) continue;
    if (steer)
      throw UsageError("a run is steered by one command at a time: --" + each.option.name +
                       " needs a call of its own");
    steer = Steer{.run = number_of_run(arguments), .command = each.command};
    read(arguments, each, *steer);
  }
  if (!steer) return steer;
  arguments.refuse({"output", "frames", "list", "web", "metrics", "token-file", "record", "beside"},
                   "is for watching, not for steering");
  return steer;
}

}  // namespace rhizome::tools
