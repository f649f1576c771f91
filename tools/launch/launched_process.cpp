#include "tools/launch/launched_process.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/child/child.hpp"
#include "core/mesh/launcher.hpp"
#include "core/peer/number_text.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

constexpr const char* variable = core::launched_variable;  // RANK,SIZE,IN,OUT

// Takes a number and the comma behind it off the front.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  const auto number = core::take_number<std::uint32_t>(text);
  if (number && text.starts_with(',')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<LaunchedProcess> launched() {
  const char* said = std::getenv(variable);
  if (said == nullptr || *said == '\0') return {};
  std::string_view text = said;
  const auto rank = take_number(text);
  const auto size = take_number(text);
  const auto in = take_number(text);
  const auto out = take_number(text);
  constexpr std::uint32_t most = std::numeric_limits<int>::max();
  if (!rank || !size || !in || !out || !text.empty() || *rank == 0 || *rank >= *size ||
      *size > core::most_processes || *in > most || *out > most)
    throw UsageError(std::string(variable) + "=" + said + " is not of a launcher: unset it");
  return LaunchedProcess{{*rank, *size}, {static_cast<int>(*in), static_cast<int>(*out)}};
}

std::vector<std::string> environment_of(const LaunchedProcess& launched) {
  return {std::string(variable) + "=" + std::to_string(launched.place.rank) + "," +
          std::to_string(launched.place.size) + "," + std::to_string(launched.launcher.in) + "," +
          std::to_string(launched.launcher.out)};
}

}  // namespace rhizome::tools
