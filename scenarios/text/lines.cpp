#include "scenarios/text/lines.hpp"

#include <zlib.h>

#include <filesystem>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// The mark that some programs put before UTF-8.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// The number of bytes read; 0 at the end of the file. An archive that was cut short gives all its
// data first, and then the error, which is passed to refuse(sentence).
template <class Refuse>
std::size_t read_some(gzFile handle, std::vector<char>& buffer, const std::string& name,
                      Refuse refuse) {
  const int got = gzread(handle, buffer.data(), static_cast<unsigned>(buffer.size()));
  int error = Z_OK;
  const std::string message = gzerror(handle, &error);
  if (error == Z_ERRNO) throw UnreadableFile(name + ": cannot be read");
  if (got < 0 || (got == 0 && error != Z_OK && error != Z_STREAM_END))
    refuse("the archive is damaged (" + message + ")");
  return static_cast<std::size_t>(got);
}

}  // namespace

struct Lines::File {
  // Throws UnreadableFile when it cannot be opened or is a directory.
  explicit File(const std::string& name) : handle(gzopen(name.c_str(), "rb")) {
    std::error_code ignored;
    if (handle != nullptr && !std::filesystem::is_directory(name, ignored)) return;
    if (handle != nullptr) gzclose(handle);
    throw UnreadableFile(name + ": cannot be read");
  }
  ~File() { gzclose(handle); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  gzFile handle;
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 18U);
};

void LineSource::refuse(std::size_t column, const std::string& message) const {
  throw InputError(name_, number_, column, message);
}

void LineSource::trim(std::string_view& line) const {
  if (number_ == 1)
    line.remove_prefix(line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (const std::size_t zero = line.find('\0'); zero != std::string_view::npos)
    refuse(zero + 1, "this is no text: it has a zero byte");
}

void LineSource::check_length(std::size_t length) const {
  if (length > longest_line) refuse(1, "the line is longer than a mebibyte");
}

Lines::Lines(std::string file)
    : LineSource(std::move(file)), file_(std::make_unique<File>(name())) {}

Lines::~Lines() = default;

// False at the end of the file.
bool Lines::fill() {
  const std::size_t got = read_some(file_->handle, file_->buffer, name(),
                                    [this](const std::string& why) { refuse(1, why); });
  rest_ = {file_->buffer.data(), got};
  return got > 0;
}

bool Lines::next(std::string_view& line) {
  advance();
  line_.clear();
  std::size_t end = rest_.find('\n');
  while (end == std::string_view::npos) {
    line_ += rest_;
    check_length(line_.size());
    if (!fill()) break;
    end = rest_.find('\n');
  }
  const bool ended = end != std::string_view::npos;
  if (!ended && line_.empty()) return false;
  line = rest_.substr(0, end);
  rest_.remove_prefix(ended ? end + 1 : rest_.size());
  if (!line_.empty()) line = line_ += line;
  trim(line);
  return true;
}

std::string Lines::all_of(const std::string& file, std::size_t most_bytes) {
  const auto refuse = [&file](const std::string& why) { throw InputError(file, 1, 1, why); };
  File opened(file);
  std::string text;
  while (const std::size_t got = read_some(opened.handle, opened.buffer, file, refuse)) {
    text.append(opened.buffer.data(), got);
    if (text.size() > most_bytes)
      refuse("the file is larger than " + std::to_string(most_bytes >> 20U) + " MiB");
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

}  // namespace rhizome::scenarios
