#include "tools/markup/hash_source.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace rhizome::tools {

std::string hash_source(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> encoded{};
  EVP_EncodeBlock(encoded.data(), hash.data(), hash.size());
  return "'sha256-" + std::string(reinterpret_cast<const char*>(encoded.data())) + "'";
}

}  // namespace rhizome::tools
