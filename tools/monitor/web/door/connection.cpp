#include "tools/monitor/web/door/connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

// How long it takes to notice that the server stops.
constexpr auto slice = 100ms;

short events_of(socket_t socket, short wanted, std::chrono::milliseconds wait) {
  pollfd asked{socket, wanted, 0};
  return poll(&asked, 1, static_cast<int>(wait.count())) > 0 ? asked.revents : short{0};
}

}  // namespace

Connection::Connection(socket_t socket, std::string begun, const std::atomic<bool>& stopping,
                       Patience patience)
    : socket_(socket),
      stopping_(stopping),
      patience_(patience),
      buffer_(std::move(begun)),
      taken_(buffer_.size()) {}

// Reads the rest of the request: closing with unread data would discard the answer, and a client
// reads a refusal only once it has sent its body, in which it may pause.
Connection::~Connection() {
  std::array<char, 4096> unread{};
  shutdown(socket_, SHUT_WR);
  const auto until = Clock::now() + patience_.unread;
  while (wait(POLLIN, until))
    if (recv(socket_, unread.data(), unread.size(), MSG_DONTWAIT) <= 0) break;
  close(socket_);
}

bool Connection::wait(short event, Clock::time_point until) const {
  while (!stopping_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left <= 0ms) return false;
    if (events_of(socket_, event, std::min<std::chrono::milliseconds>(left, slice)) != 0)
      return true;
  }
  return false;
}

bool Connection::is_readable() const {
  return next_ < buffer_.size() || events_of(socket_, POLLIN, 0ms) != 0;
}

bool Connection::is_writable() const {
  const short events = events_of(socket_, POLLOUT | POLLRDHUP, 0ms);
  return (events & POLLOUT) != 0 && (events & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

bool Connection::refill() {
  const auto until = std::min(request_until_, Clock::now() + patience_.silence);
  if (taken_ >= patience_.longest_request || !wait(POLLIN, until)) return false;
  std::array<char, 4096> piece{};
  const ssize_t size = recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
  if (size <= 0) return false;
  buffer_.assign(piece.data(), static_cast<std::size_t>(size));
  next_ = 0;
  taken_ += buffer_.size();
  return true;
}

ssize_t Connection::read(char* to, size_t size) {
  if (next_ == buffer_.size() && !refill()) return 0;
  const std::size_t taken = buffer_.copy(to, size, next_);
  next_ += taken;
  return static_cast<ssize_t>(taken);
}

ssize_t Connection::write(const char* from, size_t size) {
  std::size_t written = 0;
  while (written < size) {
    if (!wait(POLLOUT, Clock::now() + patience_.answer)) return -1;
    const ssize_t each = send(socket_, from + written, size - written, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (each < 0 && errno != EAGAIN && errno != EINTR) return -1;
    if (each > 0) written += static_cast<std::size_t>(each);
  }
  return static_cast<ssize_t>(size);
}

// Both ends are of this machine.
void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";
  port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  get_remote_ip_and_port(ip, port);
}

ssize_t Spoken::read(char* to, size_t size) {
  const std::size_t taken = request_.copy(to, size, next_);
  next_ += taken;
  return static_cast<ssize_t>(taken);
}

ssize_t Spoken::write(const char* from, size_t size) {
  answer_.append(from, size);
  return static_cast<ssize_t>(size);
}

void Spoken::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";
  port = 0;
}

void Spoken::get_local_ip_and_port(std::string& ip, int& port) const {
  get_remote_ip_and_port(ip, port);
}

}  // namespace rhizome::tools
