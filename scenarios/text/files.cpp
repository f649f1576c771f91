#include "scenarios/text/files.hpp"

#include <fstream>
#include <iterator>

namespace rhizome::scenarios {

std::optional<std::string> read_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) return {};
  return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace rhizome::scenarios
