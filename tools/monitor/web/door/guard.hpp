// The guard of the page: decides which requests the server answers. It refuses requests of pages of
// other sites in the same browser, even where a name of theirs resolves to this machine, and
// requests without the token.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/door/token.hpp"

namespace rhizome::tools {

// The headers of a request that the guard reads; empty if missing.
struct Asked {
  std::string method;
  std::string path;
  std::string host{};
  std::string origin{};
  std::string authorization{};
  std::string type{};  // content type of the body
};

// Why a request is not answered: a status of HTTP, and a sentence.
struct Refusal {
  int status = 0;
  std::string why;
};

class Guard {
 public:
  // `anywhere`: whatever name of this machine was called.
  explicit Guard(Tokens tokens, bool anywhere = false)
      : tokens_(std::move(tokens)), anywhere_(anywhere) {}
  // The reason to refuse a request along that way; nothing if it is admitted. The page itself is
  // open, since it contains nothing of the run.
  [[nodiscard]] std::optional<Refusal> refusal(const Asked& asked, const Way& way) const;
  // Whether the header shows one of the tokens.
  [[nodiscard]] bool knows(const std::string& authorization) const;
  // As answer_with_proof, of all tokens.
  [[nodiscard]] std::string proof(int socket, const std::string& head) const;

 private:
  Tokens tokens_;
  bool anywhere_;
};

// ConnectionSlots for so many at a time.
class ConnectionSlots {
 public:
  explicit ConnectionSlots(std::size_t most) : most_(most) {}
  // Taken until the last holder drops it; none if all are taken. It must not outlive this.
  using Place = std::shared_ptr<void>;
  [[nodiscard]] Place take();
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace rhizome::tools
