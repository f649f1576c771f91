// A connection to the page's server that has shown the token, with time-outs: a request must be
// complete soon and be short, and the client must read the answer soon. And a conversation without
// a connection, for requests without the token. With the server, this file is the only one that
// uses cpp-httplib.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace rhizome::tools {

class Connection final : public httplib::Stream {
 public:
  struct Patience {
    std::chrono::milliseconds request{3000};   // for all of it
    std::chrono::milliseconds silence{3000};   // until the next byte of it
    std::chrono::milliseconds answer{10'000};  // for the next piece of it to be taken
    std::chrono::milliseconds unread{1000};    // for bytes after an answer
    std::size_t longest_request = 16 << 10U;
  };
  // `begun`: the part of the request read already. Closes the socket at the end; `stopping` ends it
  // soon.
  Connection(socket_t socket, std::string begun, const std::atomic<bool>& stopping,
             Patience patience);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] bool is_readable() const override;
  // False once the other end is closed.
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  // False where it does not come by then.
  [[nodiscard]] bool wait(short event, Clock::time_point until) const;
  [[nodiscard]] bool refill();

  const socket_t socket_;
  const std::atomic<bool>& stopping_;
  const Patience patience_;
  const Clock::time_point request_until_ = Clock::now() + patience_.request;
  std::string buffer_;
  std::size_t next_ = 0;  // in the buffer
  std::size_t taken_;     // all in all
};

// A request that is here whole, and the text of its answer.
class Spoken final : public httplib::Stream {
 public:
  explicit Spoken(std::string request) : request_(std::move(request)) {}
  [[nodiscard]] const std::string& answer() const { return answer_; }

  [[nodiscard]] bool is_readable() const override { return next_ < request_.size(); }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

 private:
  const std::string request_;
  std::size_t next_ = 0;
  std::string answer_;
};

}  // namespace rhizome::tools
