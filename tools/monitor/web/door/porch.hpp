// The porch: holds the connections that have not shown a token. One thread serves all of them and
// waits for none: heads arrive and answers leave as fast as each client is, until its time is over.
// So clients without a token, however many or slow, take neither the threads of those with one nor
// more than a bounded memory, and cannot block each other.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rhizome::tools {

class Porch {
 public:
  struct Options {
    std::size_t places = 64;                 // beyond them the oldest connection is closed
    std::chrono::milliseconds head{3000};    // for all of the head to arrive
    std::chrono::milliseconds answer{3000};  // for all of the answer to be taken
    std::chrono::milliseconds leaving{500};  // for the client to close, once it is answered
    std::size_t longest_head = 16 << 10U;    // bytes; a longer one is not answered
    // Of a head, which is not answered with more: each takes much longer to read than its bytes.
    std::size_t most_lines = 100;
  };
  // Handlers of a request's head, which ends with an empty line; the beginning of a body may
  // follow.
  struct House {
    std::function<bool(const std::string& head)> knows;           // whether it shows a token
    std::function<void(int socket, std::string head)> take_over;  // of those: the socket as well
    std::function<std::string(std::string head)> answer;          // of all others, at once
  };

  Porch(House house, Options options);
  // Closes all connections.
  ~Porch();
  Porch(const Porch&) = delete;
  Porch& operator=(const Porch&) = delete;

  // The connection is the porch's from now on. From any thread.
  void let_in(int socket);

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { arriving, answered, leaving, gone };
  struct Place {
    int socket = -1;
    State state = State::arriving;
    Clock::time_point until{};
    std::string text{};    // the head, then the answer
    std::size_t sent = 0;  // of the answer
  };

  void serve();
  [[nodiscard]] std::vector<pollfd> awaited() const;
  [[nodiscard]] int patience() const;
  void seat_newcomers();
  void advance(Place& place);
  void read_head(Place& place);
  [[nodiscard]] bool is_too_long(const std::string& text) const;
  void receive(Place& place);
  void send_answer(Place& place);
  void end(Place& place) const;

  const House house_;
  const Options options_;
  int bell_ = -1;              // rings for newcomers, and at the end
  std::vector<Place> places_;  // used by the porch's thread; the oldest first
  std::mutex mutex_;
  std::vector<int> newcomers_;
  bool stopping_ = false;
  std::thread thread_;  // the last member: it uses all others
};

// The value of the first field of that name (in small letters) in a head, without the blanks about
// it.
[[nodiscard]] std::string field_of(const std::string& head, std::string_view name);
// The head without its fields of that name.
[[nodiscard]] std::string without_field(const std::string& head, std::string_view name);

}  // namespace rhizome::tools
