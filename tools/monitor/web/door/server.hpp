// The server of the page and of the figures, for this machine alone. It has threads of its own for
// requests that show a token; all others are answered on the porch, and see nothing but the page.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/door/guard.hpp"

namespace rhizome::tools {

// The text says why.
class NoServer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WebServer {
 public:
  struct Options {
    std::uint16_t port = 0;  // 0: the system chooses
    Tokens tokens;
    bool page = true;  // as well as figures
  };
  static constexpr std::size_t most_pages = 8;

  // WebAnswers at once. Throws NoServer, and core::LimitExceeded where the system
  // allows too few threads. The answers outlive it.
  WebServer(WebAnswers& answers, const Options& options);
  // Ends all answers.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rhizome::tools
