#include "scenarios/text/files.hpp"

#include <array>
#include <fstream>

namespace rhizome::scenarios {

std::optional<std::string> read_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) return {};
  // In blocks: files may be large, and pipes say no size.
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace rhizome::scenarios
