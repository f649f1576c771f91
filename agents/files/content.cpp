#include "agents/files/content.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <cstring>

#include "core/peer/rng.hpp"

namespace rhizome::agents::files {

// The words of a digest are its bytes in the order of the machine: names do not leave a run.
Digest digest_of(std::span<const std::byte> bytes) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::uint32_t chunks_of(std::uint64_t size, std::uint32_t chunk) {
  return static_cast<std::uint32_t>((size + chunk - 1) / chunk);
}

std::size_t bytes_in(std::uint64_t size, std::uint32_t chunk, std::uint32_t number) {
  return std::min<std::uint64_t>(chunk, size - std::uint64_t{number} * chunk);
}

core::Bytes make_chunk(std::uint64_t content, std::uint64_t size, std::uint32_t chunk,
                       std::uint32_t number) {
  core::Bytes bytes(bytes_in(size, chunk, number));
  core::Rng rng = core::Rng::derive({content, number}, "file");
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = rng.bits();
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
  return bytes;
}

Index make_index(std::uint64_t content, std::uint64_t size, std::uint32_t chunk) {
  Index index(chunks_of(size, chunk));
  for (std::uint32_t i = 0; i < index.size(); ++i)
    index[i] = digest_of(make_chunk(content, size, chunk, i));
  return index;
}

Digest name_of(std::uint64_t size, const Index& index) {
  core::Bytes bytes;
  core::encode(index, bytes);
  core::encode(std::vector<std::uint64_t>{size}, bytes);
  return digest_of(bytes);
}

FileRef make_file(std::uint64_t content, std::uint64_t size, std::uint32_t chunk,
                  core::PeerId home) {
  return {name_of(size, make_index(content, size, chunk)), size, content, home};
}

std::uint64_t output_content(std::uint64_t seed, std::uint64_t subject) {
  return core::derive_seed({seed, subject}, "output");
}

}  // namespace rhizome::agents::files
