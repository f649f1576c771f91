// A share of an experiment's runs, done by one of several machines that know nothing of each other:
// the run in place i belongs to share i mod n (machines, section 9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

struct RunShare {
  std::uint32_t index = 0;  // below `of`
  std::uint32_t of = 1;

  [[nodiscard]] bool holds(std::size_t run) const { return run % of == index; }
  // How many of so many runs this share holds.
  [[nodiscard]] std::size_t size(std::size_t runs) const {
    return runs <= index ? 0 : (runs - index - 1) / of + 1;
  }
  // "2/64".
  [[nodiscard]] std::string text() const {
    return std::to_string(index) + "/" + std::to_string(of);
  }

  friend bool operator==(const RunShare&, const RunShare&) = default;
};

// Nothing for a text that is no share: "64/64", "1/0", "-1/2".
[[nodiscard]] std::optional<RunShare> run_share_of(std::string_view text);

}  // namespace rhizome::scenarios
