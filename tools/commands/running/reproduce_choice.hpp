// Which published results a call of `reproduce` is about.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/cli/options.hpp"
#include "tools/reproduce/page.hpp"

namespace rhizome::tools {

[[nodiscard]] std::filesystem::path data_folder(const Arguments& arguments);

// A message if the user's data file that a result needs is missing; else empty.
[[nodiscard]] std::string missing_data(const Reproduction& one, const Arguments& arguments);

// The published results that are named, each once; none if none is. Throws UsageError for a name
// that none has.
[[nodiscard]] std::vector<Reproduction> named_results(const Arguments& arguments);

// Those whose runs are wanted, of which each has its data. Throws UsageError where one has not, and
// for none.
[[nodiscard]] std::vector<Reproduction> chosen_results(const Arguments& arguments);

}  // namespace rhizome::tools
