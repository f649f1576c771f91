// An expedition: one scheduler of one cell, explored within what was granted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
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
  std::uint64_t walks = 0;  // histories by chance, where not all could be seen
  std::uint64_t seed = 1;   // of that chance
};

// What came of it.
struct Expedition {
  std::string label;  // of the scheduler, and what a sweep chose
  core::SearchCounts counts{};
  std::uint64_t walks = 0;   // that were made
  std::uint32_t opaque = 0;  // peers that do not show their state
  bool exhausted = false;
  std::chrono::nanoseconds wall{0};
  std::string rule{};     // that is broken
  std::string told{};     // what is broken
  std::size_t found = 0;  // choices in the history that was found, before it was made shorter
  std::vector<std::string> conversation{};  // that leads there
  std::string file{};                       // the same, to be run again
};

[[nodiscard]] Expedition explore(const scenarios::Cell& cell, std::size_t scheduler,
                                 const ExpeditionOptions& options, const std::atomic<bool>& stop);

// All of them, on so many threads, in the order of the cells and their schedulers.
[[nodiscard]] std::vector<Expedition> explore_all(const std::vector<scenarios::Cell>& cells,
                                                  const ExpeditionOptions& options,
                                                  std::size_t threads,
                                                  const std::atomic<bool>& stop);

[[nodiscard]] std::string text_of(const Expedition& expedition);

}  // namespace rhizome::tools
