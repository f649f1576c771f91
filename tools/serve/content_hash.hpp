// The SHA-256 of bytes that come in pieces, in 64 hexadecimal digits, as sha256sum prints it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rhizome::tools {

class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;

  void add(std::string_view piece);
  // Must be called once, after the last piece.
  [[nodiscard]] std::string text();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] bool is_content_hash(std::string_view text);

}  // namespace rhizome::tools
