#include "tools/monitor/said.hpp"

#include "agents/program/logs.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

std::vector<std::string> last_said(const std::filesystem::path& directory,
                                   const scenarios::live::RunTitle& title, core::PeerId peer) {
  constexpr std::size_t most = 5;
  if (directory.empty()) return {};
  std::vector<std::string> lines = agents::program::end_of_log(
      scenarios::logs_of(directory, title.label), title.seed, peer, most);
  for (std::string& line : lines) line = scenarios::plain_text(line);
  return lines;
}

}  // namespace rhizome::tools
