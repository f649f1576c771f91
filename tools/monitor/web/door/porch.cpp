#include "tools/monitor/web/door/porch.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr int most_at_once = 64;     // connections that are accepted before others are served
constexpr auto without_room = 50ms;  // until one is tried again

// Calls f(line with its end) for each line of a head, and once for what follows it.
template <class F>
void each_line(std::string_view head, F f) {
  while (!head.empty()) {
    if (head.starts_with("\r\n")) return f(head);
    const std::size_t end = head.find('\n');
    const std::size_t size = end == std::string_view::npos ? head.size() : end + 1;
    f(head.substr(0, size));
    head.remove_prefix(size);
  }
}

bool is_named(std::string_view line, std::string_view name) {
  const auto alike = [](char small, char any) {
    return std::tolower(static_cast<unsigned char>(any)) == small;
  };
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), alike);
}

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// Whether the system, and not the connection, is why none could be accepted.
bool lacks_room() {
  return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
}

}  // namespace

Porch::Porch(int listening, House house, Options options)
    : listening_(listening),
      house_(std::move(house)),
      options_(options),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (bell_ < 0) throw std::system_error(errno, std::generic_category(), "no bell for a server");
  places_.reserve(options_.places + 1);
  fcntl(listening_, F_SETFL, fcntl(listening_, F_GETFL) | O_NONBLOCK);
  thread_ = std::thread([this] { serve(); });
}

Porch::~Porch() {
  eventfd_write(bell_, 1);
  thread_.join();
  for (Place& place : places_) end(place);
  close(bell_);
}

void Porch::serve() {
  bool open = true;
  while (open) {
    try {
      open = serve_those_here();
    } catch (const std::bad_alloc&) {
      make_room();
    }
  }
}

// Returns false once the bell has rung.
bool Porch::serve_those_here() {
  std::vector<pollfd> seen = awaited();
  // Without memory for poll, all are looked at a moment later.
  if (poll(seen.data(), seen.size(), patience()) < 0) std::this_thread::sleep_for(1ms);
  if (seen[0].revents != 0) return false;
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (seen[i + 2].revents != 0) advance(places_[i]);
    if (places_[i].until <= now) end(places_[i]);
  }
  std::erase_if(places_, [](const Place& place) { return place.state == State::gone; });
  if (seen[1].revents != 0) accept_all();
  return true;
}

std::vector<pollfd> Porch::awaited() const {
  const bool accepts = accepts_again_ <= Clock::now();
  std::vector<pollfd> all{{bell_, POLLIN, 0}, {accepts ? listening_ : -1, POLLIN, 0}};
  for (const Place& place : places_) {
    const short event = place.state == State::answered ? POLLOUT : POLLIN;
    all.push_back({place.socket, event, 0});
  }
  return all;
}

// Milliseconds until the first deadline; -1 if there is none.
int Porch::patience() const {
  const Clock::time_point now = Clock::now();
  Clock::time_point first = accepts_again_ > now ? accepts_again_ : Clock::time_point::max();
  for (const Place& place : places_) first = std::min(first, place.until);
  if (first == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - now);
  return static_cast<int>(std::max(left, 0ms).count());
}

// A connection that failed before it was accepted keeps no other waiting.
void Porch::accept_all() {
  for (int i = 0; i < most_at_once; ++i) {
    const int socket = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0)
      seat(socket);
    else if (would_wait())
      return;
    else if (lacks_room())
      return make_room();
  }
}

// The oldest connections go, since they have had most of their time.
void Porch::make_room() {
  if (places_.empty()) {
    accepts_again_ = Clock::now() + without_room;
    return;
  }
  end(places_.front());
  places_.erase(places_.begin());
}

void Porch::seat(int socket) {
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  if (places_.size() >= options_.places) make_room();
  places_.push_back({.socket = socket, .until = Clock::now() + options_.head});
  advance(places_.back());
  if (places_.back().state == State::gone) places_.pop_back();
}

void Porch::advance(Place& place) {
  if (place.state == State::answered)
    send_answer(place);
  else if (place.state != State::gone)
    receive(place);
}

bool Porch::is_too_long(const std::string& text) const {
  const std::string_view head(text.data(), std::min(text.find(end_of_head), text.size()));
  const auto parts =
      std::ranges::count(head, '\n') + std::ranges::count(head.substr(0, head.find('\n')), '&');
  return text.size() > options_.longest_head ||
         static_cast<std::size_t>(parts) > options_.most_parts;
}

void Porch::receive(Place& place) {
  std::array<char, 4096> piece{};
  const ssize_t size = recv(place.socket, piece.data(), piece.size(), MSG_DONTWAIT);
  if (size < 0 && would_wait()) return;
  const bool over = size <= 0;
  if (place.state == State::leaving) {
    if (over) end(place);
    return;
  }
  if (!over) place.text.append(piece.data(), static_cast<std::size_t>(size));
  if (size < 0 || place.text.empty() || is_too_long(place.text)) return end(place);
  if (over || place.text.find(end_of_head) != std::string::npos) read_head(place);
}

void Porch::read_head(Place& place) {
  if (const std::string proof = house_.proof(place.socket, place.text); !proof.empty())
    return give_proof(place, proof);
  if (house_.knows(place.text)) {
    place.state = State::gone;
    return house_.take_over(std::exchange(place.socket, -1), std::move(place.text));
  }
  place.text = house_.answer(std::move(place.text));
  place.state = State::answered;
  place.until = Clock::now() + options_.answer;
  send_answer(place);
}

// It is short enough to be taken at once. The client's next head arrives before the same deadline.
void Porch::give_proof(Place& place, const std::string& proof) {
  const ssize_t size = send(place.socket, proof.data(), proof.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (size != static_cast<ssize_t>(proof.size())) end(place);
  place.text.clear();
}

// The connection stays for a while when all is sent: closed with something unread, it would take
// the answer with it.
void Porch::send_answer(Place& place) {
  const std::size_t left = place.text.size() - place.sent;
  const ssize_t size =
      send(place.socket, place.text.data() + place.sent, left, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (size < 0) return would_wait() ? void() : end(place);
  place.sent += static_cast<std::size_t>(size);
  if (place.sent < place.text.size()) return;
  shutdown(place.socket, SHUT_WR);
  place.text = {};
  place.state = State::leaving;
  place.until = std::min(place.until, Clock::now() + options_.leaving);
}

void Porch::end(Place& place) const {
  if (place.socket >= 0) close(std::exchange(place.socket, -1));
  place.state = State::gone;
}

std::string field_of(const std::string& head, std::string_view name) {
  std::string value;
  bool found = false;
  each_line(head, [&](std::string_view line) {
    if (found || !is_named(line, name)) return;
    found = true;
    line.remove_prefix(name.size() + 1);
    const std::size_t first = std::min(line.find_first_not_of(" \t\r\n"), line.size());
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    if (last != std::string_view::npos) value = line.substr(first, last + 1 - first);
  });
  return value;
}

std::string without_escapes(const std::string& head, std::string_view name) {
  std::string text;
  each_line(head, [&](std::string_view line) {
    for (const char c : line) {
      text += c;
      if (c == '%' && is_named(line, name)) text += "25";
    }
  });
  return text;
}

std::string without_field(const std::string& head, std::string_view name) {
  std::string rest;
  each_line(head, [&](std::string_view line) {
    if (!is_named(line, name)) rest += line;
  });
  return rest;
}

}  // namespace rhizome::tools
