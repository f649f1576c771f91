// A scenario as the fuzz writes and shrinks it: a list of keys, which is also a file that a user
// can run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhizome::fuzz {

struct Assignment {
  std::string section;  // "peers", "network.partition#0", "scheduler#0"
  std::string key;
  std::string value;  // as TOML writes it
};

using Draft = std::vector<Assignment>;

// The scenario file. Sections stand in the order of their first key.
[[nodiscard]] std::string to_toml(const Draft& draft);

// The value of a key, or an empty text where it is not written.
[[nodiscard]] std::string_view value_of(const Draft& draft, std::string_view section,
                                        std::string_view key);

// Replaces the value of a key, or writes it.
void assign(Draft& draft, std::string_view section, std::string_view key, std::string value);

}  // namespace rhizome::fuzz
