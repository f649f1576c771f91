#include "scenarios/text/lines.hpp"

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// The mark that some programs put before UTF-8.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// An archive of a few bytes may give any number of equal ones. Tables of numbers give 3 to 30 times
// the bytes of their archive; what is small as it is may give more.
constexpr std::size_t most_times = 100;
constexpr std::size_t always_given = std::size_t{16} << 20U;

}  // namespace

class Lines::File {
 public:
  // Throws UnreadableFile when it cannot be opened or is a directory.
  explicit File(const std::string& name) : name_(name), handle_(gzopen(name.c_str(), "rb")) {
    std::error_code ignored;
    if (handle_ != nullptr && !std::filesystem::is_directory(name, ignored)) return;
    if (handle_ != nullptr) gzclose(handle_);
    throw UnreadableFile(name + ": cannot be read");
  }
  ~File() { gzclose(handle_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The next bytes; none at the end of the file. An archive that was cut short gives all its data
  // first, and then the error, which is passed to refuse(sentence).
  template <class Refuse>
  std::string_view read(Refuse refuse) {
    const int got = gzread(handle_, buffer_.data(), static_cast<unsigned>(buffer_.size()));
    int error = Z_OK;
    const std::string message = gzerror(handle_, &error);
    if (error == Z_ERRNO) throw UnreadableFile(name_ + ": cannot be read");
    if (got < 0 || (got == 0 && error != Z_OK && error != Z_STREAM_END))
      refuse("the archive is damaged (" + message + ")");
    given_ += static_cast<std::size_t>(got);
    if (given_ > always_given && gzdirect(handle_) == 0 && given_ / most_times > size())
      refuse("the archive gives more than " + std::to_string(most_times) +
             " times its own bytes: unpack it first");
    return {buffer_.data(), static_cast<std::size_t>(got)};
  }

 private:
  [[nodiscard]] std::uintmax_t size() const {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(name_, error);
    return error ? 0 : bytes;
  }

  std::string name_;
  gzFile handle_;
  std::size_t given_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18U);
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
  rest_ = file_->read([this](const std::string& why) { refuse(1, why); });
  return !rest_.empty();
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
  for (std::string_view part; !(part = opened.read(refuse)).empty();) {
    text += part;
    if (text.size() > most_bytes)
      refuse("the file is larger than " + std::to_string(most_bytes >> 20U) + " MiB");
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

}  // namespace rhizome::scenarios
