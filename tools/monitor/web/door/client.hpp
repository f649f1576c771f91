// A client of a server of this program: one request, one answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>

namespace rhizome::tools {

// Where a server is, and what opens it.
struct ServerAddress {
  std::string url;  // "http://127.0.0.1:7300"
  std::string token;
  // Whether it must prove, on the same connection, that it knows the token before the token is
  // sent. It is on this machine then; otherwise whoever answers there is the server.
  bool proves = false;
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

// No server answers there, or a file to be sent cannot be read.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How long a client waits for the whole answer, and how many bytes it takes.
struct AnswerBounds {
  std::chrono::milliseconds time = std::chrono::seconds(30);
  std::size_t bytes = std::size_t{16} << 20U;
};

// Throws NoAnswer, also where the answer is not whole within the bounds.
[[nodiscard]] Answer ask(const ServerAddress& server, const Request& request,
                         AnswerBounds bounds = {});

// The content of a file, which has so many bytes.
struct Content {
  std::string name;
  std::uint64_t size;
  std::istream& in;
};
// Sends the content with PUT. Throws NoAnswer.
[[nodiscard]] Answer put_file(const ServerAddress& server, const std::string& path,
                              const Content& content);

}  // namespace rhizome::tools
