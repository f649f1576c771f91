// The address of a server, in a file beside its store. The file stays when the server has ended,
// and its address may be another program's by then: a client asks for a proof (door/proof.hpp)
// before it tells the token.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rhizome::tools {

// Takes the place of an earlier server's file, and of no other. Throws scenarios::CannotWrite.
void publish_address(const std::filesystem::path& store, std::string_view url);

// Throws scenarios::UnreadableFile if there is none, or the file is not this user's own.
[[nodiscard]] std::string published_address(const std::filesystem::path& store);

}  // namespace rhizome::tools
