// The tokens that open a server: 128 random bits each, for the user alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rhizome::tools {

// The access tokens: 32 hexadecimal digits each.
struct Tokens {
  std::vector<std::string> read;   // to see the run
  std::vector<std::string> steer;  // to steer it as well; none: it is not steered here
};

// 32 hexadecimal digits.
[[nodiscard]] std::string new_token();

// The kept tokens, with a new one before each kind, for the address of a page. A page goes on
// asking that address when its server has ended, and whoever has its port then learns what the page
// knows: it must open no other server.
[[nodiscard]] Tokens with_page(Tokens kept);

// The token that the file keeps. Throws scenarios::UnreadableFile where there is none, it holds
// something else or others may read it.
[[nodiscard]] std::string kept_token(const std::filesystem::path& file);

// The same; if the file does not exist, writes a new token into it. Throws scenarios::CannotWrite,
// too.
[[nodiscard]] std::string token_in(const std::filesystem::path& file);

// Both tokens of a server, in files of their own. Throws scenarios::UnreadableFile, too, where they
// are the same: who may only read could steer.
[[nodiscard]] Tokens tokens_in(const std::filesystem::path& reading,
                               const std::filesystem::path& steering);

}  // namespace rhizome::tools
