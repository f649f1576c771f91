#include "scenarios/text/fingerprint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include "scenarios/text/files.hpp"

namespace rhizome::scenarios {

namespace {

class Sum {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      sum_ ^= static_cast<unsigned char>(c);
      sum_ *= 0x100000001b3;
    }
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", sum_); }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

}  // namespace

std::string fingerprint(const std::filesystem::path& file, std::uint64_t most) {
  Sum sum;
  std::ifstream in = open_regular(file);
  std::array<char, 65536> block{};
  for (std::uint64_t left = std::min(most, longest_sum); left > 0 && in;) {
    in.read(block.data(),
            static_cast<std::streamsize>(std::min<std::uint64_t>(left, block.size())));
    sum.add({block.data(), static_cast<std::size_t>(in.gcount())});
    left -= static_cast<std::uint64_t>(in.gcount());
  }
  return sum.text();
}

std::string fingerprint_of(std::string_view text) {
  Sum sum;
  sum.add(text);
  return sum.text();
}

FileRead file_read(const std::filesystem::path& file, std::string name) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  return {std::move(name), error ? 0 : bytes, fingerprint(file)};
}

}  // namespace rhizome::scenarios
