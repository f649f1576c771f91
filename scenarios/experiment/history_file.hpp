// A history in a file: all that is needed to run it again anywhere, by a person or a test.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/explore/explorer.hpp"
#include "core/explore/search.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Which scheduler of the cell is explored, and how.
struct Explored {
  const Cell& cell;
  std::size_t scheduler = 0;
  core::ExplorerOptions options{};
};

// The text of a history: its effective scenario, the options, the rule that it breaks, and a line
// for each choice.
[[nodiscard]] std::string history_text(const Explored& explored,
                                       const core::BrokenHistory& history);

// Runs a history once more, and tells it line by line. Returns the rule broken at its end; nothing
// if none is broken any more. Throws InputError with file:line:column for a damaged file, and if an
// event of the file cannot happen any more.
[[nodiscard]] core::Broken replay_history(
    const std::filesystem::path& file,
    const std::function<void(const std::string&)>& listener = {});

}  // namespace rhizome::scenarios
