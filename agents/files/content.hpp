// The content of files: bytes made from a seed, and the names that follow from them. A file's name
// is the SHA-256 of its size and of the list of its chunks' SHA-256 (as pieces of BitTorrent v2,
// BEP 52, in one level), so that every chunk is verified as it comes, in any order, and the whole
// by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/peer/cargo.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::agents::files {

using core::Digest;
using core::FileRef;

// The digests of a file's chunks, in order.
using Index = std::vector<Digest>;

[[nodiscard]] Digest digest_of(std::span<const std::byte> bytes);
// The number of chunks of a file; none for an empty one.
[[nodiscard]] std::uint32_t chunks_of(std::uint64_t size, std::uint32_t chunk);
// The size of an existing chunk in bytes.
[[nodiscard]] std::size_t bytes_in(std::uint64_t size, std::uint32_t chunk, std::uint32_t number);
// The bytes of a chunk of a file with that content.
[[nodiscard]] core::Bytes make_chunk(std::uint64_t content, std::uint64_t size, std::uint32_t chunk,
                                     std::uint32_t number);
[[nodiscard]] Index make_index(std::uint64_t content, std::uint64_t size, std::uint32_t chunk);
[[nodiscard]] Digest name_of(std::uint64_t size, const Index& index);

// A file of that content, with its name; its bytes are made once to compute the name, and dropped.
[[nodiscard]] FileRef make_file(std::uint64_t content, std::uint64_t size, std::uint32_t chunk,
                                core::PeerId home);

// The content of a task's output, in a run of that seed.
[[nodiscard]] std::uint64_t output_content(std::uint64_t seed, std::uint64_t subject);

}  // namespace rhizome::agents::files
