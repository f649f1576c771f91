#include "scenarios/text/fingerprint.hpp"

#include <fmt/core.h>

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

namespace rhizome::scenarios {

std::string fingerprint(const std::filesystem::path& file) {
  std::uint64_t sum = 0xcbf29ce484222325;
  std::ifstream in(file, std::ios::binary);
  std::array<char, 65536> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0)
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      sum ^= static_cast<unsigned char>(block[static_cast<std::size_t>(i)]);
      sum *= 0x100000001b3;
    }
  return fmt::format("{:016x}", sum);
}

FileRead file_read(const std::filesystem::path& file, std::string name) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  return {std::move(name), error ? 0 : bytes, fingerprint(file)};
}

}  // namespace rhizome::scenarios
