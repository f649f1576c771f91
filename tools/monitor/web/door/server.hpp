// The server of the page, of figures and of jobs, for this machine alone unless another address is
// given. It has threads of its own for requests with a token; all others are answered on the porch,
// and get only what needs no token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/door/guard.hpp"

namespace rhizome::tools {

// The server cannot start; the text tells why.
class NoServer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WebServer {
 public:
  struct Options {
    // What is served: the page of a run with all its answers; figures alone; or the page of jobs
    // and all paths of the answers, which also word refusals.
    enum class What { page, figures, all };
    std::uint16_t port = 0;  // 0: the system chooses
    Tokens tokens;
    What what = What::page;
    std::string address = "127.0.0.1";     // of this machine
    std::size_t longest_body = 15U << 10;  // of a request, in bytes
    std::uint64_t longest_upload = 0;      // of a request with PUT, in bytes
    std::size_t places = 64;               // for those that have not shown a token yet
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
