// A client of a server of this program: one request, one answer.
#pragma once

#include <stdexcept>
#include <string>

namespace rhizome::tools {

// Where a server is, and what opens it.
struct ServerAddress {
  std::string url;  // "http://127.0.0.1:7300"
  std::string token;
};

struct Request {
  std::string method = "GET";
  std::string path;  // with its question mark
  std::string body{};
  std::string idempotency_key{};
  std::string if_none_match{};  // the ETag that is known
};

struct Answer {
  int status = 0;
  std::string body{};
  std::string etag{};  // empty if the answer has none
};

// Nobody answers there.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws NoAnswer.
[[nodiscard]] Answer ask(const ServerAddress& server, const Request& request);

}  // namespace rhizome::tools
