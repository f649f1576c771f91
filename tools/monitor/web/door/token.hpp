// A token that opens the page and its figures: 128 random bits, for the user alone.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::tools {

// 32 hexadecimal digits.
[[nodiscard]] std::string new_token();

// The token that the file keeps. Throws scenarios::UnreadableFile where there is none, it holds
// something else or others may read it.
[[nodiscard]] std::string kept_token(const std::filesystem::path& file);

// The same; if the file does not exist, writes a new token into it. Throws scenarios::CannotWrite,
// too.
[[nodiscard]] std::string token_in(const std::filesystem::path& file);

}  // namespace rhizome::tools
