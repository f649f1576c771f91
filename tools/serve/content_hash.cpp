#include "tools/serve/content_hash.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace rhizome::tools {

namespace {

constexpr std::size_t bytes_of_hash = 32;

void check(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL cannot compute a SHA-256");
}

}  // namespace

struct ContentHash::State {
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  check(state_->context ? EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) : 0);
}

ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view piece) {
  check(EVP_DigestUpdate(state_->context.get(), piece.data(), piece.size()));
}

std::string ContentHash::text() {
  std::array<unsigned char, bytes_of_hash> hash{};
  check(EVP_DigestFinal_ex(state_->context.get(), hash.data(), nullptr));
  std::string text;
  for (const unsigned char byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

bool is_content_hash(std::string_view text) {
  return text.size() == 2 * bytes_of_hash &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace rhizome::tools
