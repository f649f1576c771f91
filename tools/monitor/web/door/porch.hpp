// The porch: accepts connections, and holds those that have not shown a token. One thread serves
// all of them and waits for none: heads arrive and answers leave as fast as each client is, until
// its time is over. So clients without a token, however many or slow, take neither the threads of
// those with one nor more than a bounded memory, and cannot block each other. Where the system
// lacks files or memory for another connection, the oldest on the porch is closed for it.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <functional>
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
    // Lines of a head and parameters of its query: each takes much longer to read than its bytes.
    std::size_t most_parts = 100;
  };
  // Handlers of a request's head, which ends with an empty line; the beginning of a body may
  // follow.
  struct House {
    // The whole answer to a client that asks for a proof first, and goes on; empty: it does not.
    std::function<std::string(int socket, const std::string& head)> proof;
    std::function<bool(const std::string& head)> knows;           // whether it shows a token
    std::function<void(int socket, std::string head)> take_over;  // of those: the socket as well
    std::function<std::string(std::string head)> answer;          // of all others, at once
  };

  // Accepts from a socket that listens, which stays the caller's and outlives the porch.
  Porch(int listening, House house, Options options);
  // Closes all connections.
  ~Porch();
  Porch(const Porch&) = delete;
  Porch& operator=(const Porch&) = delete;

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
  bool serve_those_here();
  [[nodiscard]] std::vector<pollfd> awaited() const;
  [[nodiscard]] int patience() const;
  void accept_all();
  void make_room();
  void seat(int socket);
  void advance(Place& place);
  void read_head(Place& place);
  void give_proof(Place& place, const std::string& proof);
  [[nodiscard]] bool is_too_long(const std::string& text) const;
  void receive(Place& place);
  void send_answer(Place& place);
  void end(Place& place) const;

  const int listening_;
  const House house_;
  const Options options_;
  int bell_ = -1;                      // rings at the end
  std::vector<Place> places_;          // used by the porch's thread; the oldest first
  Clock::time_point accepts_again_{};  // no connection is accepted before
  std::thread thread_;                 // the last member: it uses all others
};

// The value of the first field of that name (in small letters) in a head, without the blanks about
// it.
[[nodiscard]] std::string field_of(const std::string& head, std::string_view name);
// A copy of the head, and of the body that came with it, for a parser that decodes "%41" in the
// values of fields. Percent signs in fields of this name are escaped, so that the parser leaves
// their values unchanged.
[[nodiscard]] std::string without_escapes(const std::string& head, std::string_view name);
// The head without its fields of that name.
[[nodiscard]] std::string without_field(const std::string& head, std::string_view name);

}  // namespace rhizome::tools
