#include "scenarios/text/lines.hpp"

#include <zlib.h>

#include <filesystem>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

struct Lines::File {
  explicit File(const std::string& name) : handle(gzopen(name.c_str(), "rb")) {}
  ~File() {
    if (handle != nullptr) gzclose(handle);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  gzFile handle;
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 18U);
};

void LineSource::refuse(std::size_t column, const std::string& message) const {
  throw InputError(name_, number_, column, message);
}

void LineSource::trim(std::string_view& line) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (const std::size_t zero = line.find('\0'); zero != std::string_view::npos)
    refuse(zero + 1, "this is no text: it has a zero byte");
}

void LineSource::check_length(std::size_t length) const {
  if (length > longest_line) refuse(1, "the line is longer than a mebibyte");
}

Lines::Lines(std::string file)
    : LineSource(std::move(file)), file_(std::make_unique<File>(name())) {
  std::error_code ignored;
  if (file_->handle == nullptr || std::filesystem::is_directory(name(), ignored))
    throw UnreadableFile(name() + ": cannot be read");
}

Lines::~Lines() = default;

// False at the end of the file. An archive that was cut short gives what it has, and only then
// admits the error.
bool Lines::fill() {
  std::vector<char>& buffer = file_->buffer;
  const int got = gzread(file_->handle, buffer.data(), static_cast<unsigned>(buffer.size()));
  int error = Z_OK;
  const std::string message = gzerror(file_->handle, &error);
  if (error == Z_ERRNO) throw UnreadableFile(name() + ": cannot be read");
  if (got < 0 || (got == 0 && error != Z_OK && error != Z_STREAM_END))
    refuse(1, "the archive is damaged (" + message + ")");
  rest_ = {buffer.data(), static_cast<std::size_t>(got)};
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

}  // namespace rhizome::scenarios
