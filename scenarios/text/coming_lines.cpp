#include "scenarios/text/coming_lines.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// Opens a pipe without waiting for a writer.
int opened(const std::string& file) {
  return file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

bool has_come(int descriptor) {
  pollfd asked{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&asked, 1, 0) > 0;
}

}  // namespace

ComingLines::ComingLines(const std::string& file)
    : LineSource(file == "-" ? "standard input" : file), descriptor_(opened(file)) {
  std::error_code ignored;
  if (descriptor_ < 0 || std::filesystem::is_directory(file, ignored))
    throw UnreadableFile(name() + ": cannot be read");
}

ComingLines::~ComingLines() {
  if (descriptor_ >= 0) close(descriptor_);
}

// Reads at most one piece of the available bytes.
void ComingLines::read() {
  std::array<char, 65536> piece{};
  if (!open_ || !has_come(descriptor_)) return;
  const ssize_t got = ::read(descriptor_, piece.data(), piece.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got < 0) throw UnreadableFile(name() + ": cannot be read");
  open_ = got > 0;
  come_.erase(0, taken_);
  taken_ = 0;
  come_.append(piece.data(), static_cast<std::size_t>(got));
}

bool ComingLines::next(std::string_view& line) {
  std::size_t end = come_.find('\n', taken_);
  if (end == std::string::npos) {
    read();
    end = come_.find('\n', taken_);
  }
  const bool ended = end != std::string::npos;
  if (!ended && (open_ || taken_ == come_.size())) {
    if (come_.size() - taken_ <= longest_line) return false;
    advance();
    check_length(come_.size() - taken_);
  }
  line = std::string_view(come_).substr(taken_, ended ? end - taken_ : std::string::npos);
  taken_ = ended ? end + 1 : come_.size();
  advance();
  trim(line);
  return true;
}

}  // namespace rhizome::scenarios
