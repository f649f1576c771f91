// What a scenario says of a program of the user's: a scheduler, or a service that clients ask.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "agents/program/client_workload.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

// What clients ask of a service, and for how long they wait.
struct ClientOptions {
  Clients workload{};
  core::Duration timeout = std::chrono::seconds(5);  // of an answer
  core::Duration settle = std::chrono::seconds(10);  // before every peer is asked at the end
};

struct Options {
  std::string command;    // the program and its arguments, as words_in() reads them
  std::string directory;  // in which it works
  std::uint32_t peers_per_process = 1;
  core::Duration answer_within = std::chrono::seconds(10);  // real time
  core::Duration quiet_for{0};                              // real time; 0: "idle" is demanded
  std::string log;  // a directory; "": the run directory, if the run is stored
  bool survives = false;
  std::optional<ClientOptions> client{};  // clients of a service; not a setting of the program
};

[[nodiscard]] core::Settings<Options> settings();
// Why there cannot be such a program, as a sentence; empty if there can.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

}  // namespace rhizome::agents::program
