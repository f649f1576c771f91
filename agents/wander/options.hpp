// The options of tasks that wander, with their defaults and sources.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "agents/locator/options.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::wandering {

struct Options {
  locator::Options locator{};
  std::uint32_t moves = 3;
  core::Duration stay = std::chrono::seconds(1);
  std::uint32_t destinations = 2;
  bool begin_early = false;
  bool call_off = false;
};

[[nodiscard]] core::Settings<Options> settings();
[[nodiscard]] std::map<std::string_view, TimeoutPurpose> times();
[[nodiscard]] std::string refusal(const Options& options, const World& world);

}  // namespace rhizome::agents::wandering
