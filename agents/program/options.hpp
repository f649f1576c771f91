// What a scenario says of a scheduler that is a program of the user's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agents/program/client_workload.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

struct Options {
  std::string command;    // the program and its arguments, as words_in() reads them
  std::string directory;  // in which it works
  std::uint32_t peers_per_process = 1;
  core::Duration answer_within = std::chrono::seconds(10);  // real time
  core::Duration quiet_for{0};                              // real time; 0: "idle" is demanded
  std::string log;  // a directory; "": that of the run, if it is stored
  bool survives = false;
  Clients clients = Clients::none;
  core::Duration client_timeout = std::chrono::seconds(5);
  core::Duration settle = std::chrono::seconds(10);
};

[[nodiscard]] core::Settings<Options> settings();
// Why there cannot be such a program, as a sentence; empty if there can.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

}  // namespace rhizome::agents::program
