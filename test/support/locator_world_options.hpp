// The world that locators are tried in.
#pragma once

#include <cstdint>

#include "agents/locator/options.hpp"

namespace rhizome::test {

// Which random events may happen, and how often.
struct LocatorWorldOptions {
  agents::locator::Options locator{};
  std::uint32_t peers = 3;
  std::uint32_t tasks = 4;
  double connected = 0.5;  // probability that a task needs an earlier one
  std::uint32_t moves = 10;
  std::uint32_t losses = 0;
  std::uint32_t copies = 0;
  std::uint32_t crashes = 0;
};

}  // namespace rhizome::test
