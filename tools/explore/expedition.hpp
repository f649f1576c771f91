// An expedition: explores the states of one scheduler in one cell within given limits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/explore/search.hpp"
#include "scenarios/experiment/history_file.hpp"

namespace rhizome::tools {

struct ExpeditionOptions {
  core::ExplorerOptions explorer{};
  std::size_t depth = 1000;
  std::uint64_t states = 5'000'000;
  std::chrono::nanoseconds time = std::chrono::minutes(10);
  std::uint64_t walks = 0;  // random histories, if not all states could be explored
  std::uint64_t seed = 1;   // of the random histories
};

// The result of an expedition.
struct Expedition {
  std::string label;  // label of the scheduler and values of the sweep
  core::SearchCounts counts{};
  std::uint64_t walks = 0;   // random histories that were walked
  std::uint32_t opaque = 0;  // peers that do not expose their state
  bool exhausted = false;
  std::chrono::nanoseconds wall{0};
  std::string rule{};     // the broken rule
  std::string told{};     // how the rule is broken
  std::size_t found = 0;  // choices in the history as found, before it was shortened
  std::vector<std::string> conversation{};  // the messages of that history
  std::string file{};                       // the text of a file that replays it
};

[[nodiscard]] Expedition explore(const scenarios::Cell& cell, std::size_t scheduler,
                                 const ExpeditionOptions& options, const std::atomic<bool>& stop);

// Explores every scheduler of every cell on `threads` threads. The results are in the order of the
// cells and their schedulers.
[[nodiscard]] std::vector<Expedition> explore_all(const std::vector<scenarios::Cell>& cells,
                                                  const ExpeditionOptions& options,
                                                  std::size_t threads,
                                                  const std::atomic<bool>& stop);

[[nodiscard]] std::string text_of(const Expedition& expedition);

}  // namespace rhizome::tools
