#include "core/child/dialogue.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "core/child/child.hpp"
#include "core/child/links.hpp"
#include "core/child/own_program.hpp"
#include "core/child/wardens.hpp"

namespace rhizome::core {

namespace {

using Clock = std::chrono::steady_clock;
using Ends = std::array<int, 2>;

[[noreturn]] void refuse(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Makes a pipe whose first end, which this process keeps, does not block.
Ends pipe_to_us() {
  Ends ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse("no pipe from a program");
  fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
  return ends;
}

void close_end(int& end) {
  if (end >= 0) close(std::exchange(end, -1));
}

int milliseconds_of(Duration patience) {
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(patience).count());
}

}  // namespace

Dialogue::Dialogue(const DialogueOptions& options) : longest_line_(options.longest_line) {
  try {
    start(options);
  } catch (...) {
    close_all();
    throw;
  }
}

Dialogue::~Dialogue() {
  close_all();
  if (warden_ > 0) end_warden(warden_);
}

void Dialogue::close_all() {
  for (int* end : {&line_, &input_, &output_, &errors_}) close_end(*end);
}

void Dialogue::start(const DialogueOptions& options) {
  log_file_ = options.log;
  Ends line{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line.data()) != 0)
    refuse("no line to a child process");
  line_ = line[0];
  Ends given{line[1], -1};
  std::array<int, 3> streams{-1, -1, -1};
  const auto close_theirs = [&] {
    close(given[0]);
    for (int& stream : streams) close_end(stream);
  };
  try {
    // A socket, since writing to one need not raise a signal where the child has gone.
    Ends input{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0)
      refuse("no line to a program");
    input_ = input[1];
    streams[0] = input[0];
    const Ends output = pipe_to_us();
    output_ = output[0];
    streams[1] = output[1];
    const Ends errors = pipe_to_us();
    errors_ = errors[0];
    streams[2] = errors[1];
    std::vector<std::string> words{warden_program(), "0", "0", "-", "-", options.directory, "1"};
    words.insert(words.end(), options.words.begin(), options.words.end());
    warden_ = begin_warden(ProcessLaunch(given[0], streams), std::move(words));
  } catch (...) {
    close_theirs();
    throw;
  }
  close_theirs();
}

bool Dialogue::await(bool listening, Duration patience) {
  std::array<pollfd, 3> seen{{{closed_ ? -1 : output_, POLLIN, 0},
                              {errors_, POLLIN, 0},
                              {listening ? input_ : -1, POLLOUT, 0}}};
  constexpr Duration look = std::chrono::milliseconds(100);  // whether to go on
  if (hung_up_) throw HungUp();
  const int ready = poll(seen.data(), seen.size(), milliseconds_of(std::min(patience, look)));
  if (ready == 0 && patience > look) return true;
  if (ready < 0 && errno == EINTR) return true;
  if (ready <= 0) return false;
  if (seen[1].revents != 0) take_errors();
  if (seen[0].revents != 0) take();
  return true;
}

void Dialogue::take() {
  std::array<char, 65536> text{};
  const ssize_t size = read(output_, text.data(), text.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0)
    closed_ = true;
  else
    heard_.append(text.data(), static_cast<std::size_t>(size));
}

namespace {

// Its name can be foreseen, so that in a folder that others may write to they could put a link
// there. Not open where it cannot be opened, or is not this user's own.
std::ofstream opened_log(const std::string& name) try {
  const std::filesystem::path place = std::filesystem::absolute(name);
  const std::filesystem::path file = led_to(place.parent_path()) / place.filename();
  std::error_code ignored;  // the file then cannot be opened
  std::filesystem::create_directories(file.parent_path(), ignored);
  constexpr int how = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
  const Opened opened(open_without_links(AT_FDCWD, file.c_str(), how));
  const bool is_ours =
      opened && opened.is(S_IFREG) && opened.owner() == geteuid() && opened.links() < 2;
  return is_ours ? std::ofstream(opened.path(), std::ios::app) : std::ofstream();
} catch (const StrangeLink&) {
  return {};
}

}  // namespace

void Dialogue::log(std::string_view text) {
  constexpr std::size_t most = 1U << 20U;
  if (log_file_.empty() || logged_ >= most) return;
  if (!log_.is_open()) {
    log_ = opened_log(log_file_);
    if (!log_.is_open()) throw std::runtime_error("cannot write " + log_file_);
  }
  logged_ += text.size();
  log_ << text;
  if (logged_ >= most) log_ << "\n(here 1 MiB was reached: the rest is not kept)\n";
  log_.flush();
}

// Keeps the last characters of standard error, which tell what went wrong.
void Dialogue::take_errors() {
  constexpr std::size_t kept = 2000;
  std::array<char, 4096> text{};
  const ssize_t size = read(errors_, text.data(), text.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    close_end(errors_);
    return;
  }
  log(std::string_view(text.data(), static_cast<std::size_t>(size)));
  last_errors_.append(text.data(), static_cast<std::size_t>(size));
  if (last_errors_.size() <= kept) return;
  last_errors_.erase(0, last_errors_.size() - kept);
  const std::size_t line = last_errors_.find('\n');  // a part of a line explains nothing
  if (line + 1 < last_errors_.size()) last_errors_.erase(0, line + 1);
}

// Output of the program during the write does not extend the time-out: it does not show that the
// program reads.
void Dialogue::send(std::string_view text, Duration patience) {
  Clock::time_point end = Clock::now() + patience;
  while (!text.empty()) {
    const ssize_t size = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
      end = Clock::now() + patience;
      continue;
    }
    if (size < 0 && (errno == EPIPE || errno == ECONNRESET)) throw DialogueError(how_it_ended());
    if (size < 0 && errno != EAGAIN && errno != EINTR) refuse("cannot write to a program");
    if (closed_) throw DialogueError(how_it_ended());
    if (heard_.size() - first_ > longest_line_)
      throw DialogueError("it reads nothing and writes more than " + std::to_string(longest_line_) +
                          " bytes");
    const auto left = std::chrono::duration_cast<Duration>(end - Clock::now());
    if (left <= Duration::zero() || !await(true, left))
      throw DialogueError("it reads nothing of what it is told");
  }
}

std::optional<std::string_view> Dialogue::line(Duration patience) {
  const Clock::time_point end = Clock::now() + patience;
  // What was read is forgotten once it is more than half, so that all of it is moved once.
  if (first_ > heard_.size() / 2) {
    heard_.erase(0, first_);
    searched_ -= first_;
    first_ = 0;
  }
  for (;;) {
    const std::size_t found = heard_.find('\n', searched_);
    if (found != std::string::npos && found - first_ <= longest_line_) {
      const std::string_view said(heard_.data() + first_, found - first_);
      first_ = searched_ = found + 1;
      ++lines_;
      return said;
    }
    searched_ = heard_.size();
    if (heard_.size() - first_ > longest_line_)
      throw DialogueError("it wrote a line of more than " + std::to_string(longest_line_) +
                          " bytes");
    if (closed_) throw DialogueError(how_it_ended());
    const auto left = std::chrono::duration_cast<Duration>(end - Clock::now());
    if (left <= Duration::zero() || !await(false, left)) return {};
  }
}

namespace {

// Without blanks around it; the first of its characters where they are many.
std::string last_line(const std::string& text) {
  constexpr std::size_t most = 120;
  const std::size_t begin = text.find_last_of('\n') + 1;  // 0 where there is none
  const std::size_t word = std::min(text.find_first_not_of(" \t", begin), text.size());
  return text.substr(word, most);
}

}  // namespace

// Descendants of the program may go on, and write without end, so the wait is bounded.
std::string Dialogue::how_it_ended() {
  constexpr Duration moment = std::chrono::seconds(2);
  const Clock::time_point last = Clock::now() + moment;
  while (errors_ >= 0 && heard_.size() - first_ <= longest_line_ && Clock::now() < last &&
         await(false, std::chrono::milliseconds(200)))
    continue;
  std::array<pollfd, 1> ended{{{line_, POLLIN, 0}}};
  std::array<char, Result::longest> text{};
  std::string end = "it closed its output";
  if (poll(ended.data(), ended.size(), milliseconds_of(moment)) > 0) {
    const ssize_t size = recv(line_, text.data(), text.size(), 0);
    if (size > 0) end = "it ended: " + std::string(text.data(), static_cast<std::size_t>(size));
  }
  if (heard_.size() > first_) end += ", in the middle of a line";
  while (last_errors_.ends_with('\n')) last_errors_.pop_back();
  if (last_errors_.empty()) return end;
  return end + ": " + last_line(last_errors_) + "\nthe end of its standard error:\n" + last_errors_;
}

}  // namespace rhizome::core
