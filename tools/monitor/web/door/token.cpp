#include "tools/monitor/web/door/token.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <system_error>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t digits = 32;
constexpr std::string_view hexadecimal = "0123456789abcdef";

std::string why() { return std::generic_category().message(errno); }

bool is_token(const std::string& text) {
  return text.size() == digits && text.find_first_not_of(hexadecimal) == std::string::npos;
}

// Nothing where there is no such file. The name may be a link of the user or of root, as secrets of
// containers are; a pipe must not hold the reader up.
std::string read_token(const std::filesystem::path& file) {
  const std::filesystem::path place = scenarios::led_to(file);
  const int opened = open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (opened < 0 && errno == ENOENT) return {};
  if (opened < 0) throw scenarios::UnreadableFile(file.string() + ": " + why());
  struct stat status {};
  const bool known = fstat(opened, &status) == 0;
  const bool is_plain = known && S_ISREG(status.st_mode);
  const bool is_ours = known && status.st_uid == geteuid() && (status.st_mode & 077U) == 0;
  std::string text(digits + 1, '\0');
  const ssize_t size = read(opened, text.data(), text.size());
  close(opened);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (text.ends_with('\n')) text.pop_back();
  if (!is_plain) throw scenarios::UnreadableFile(file.string() + ": is no plain file");
  if (!is_ours)
    throw scenarios::UnreadableFile(file.string() + ": others may read this token: chmod 600");
  if (!is_token(text))
    throw scenarios::UnreadableFile(file.string() +
                                    ": holds no token, which is 32 hexadecimal digits: remove it, "
                                    "and a new one will be kept there");
  return text;
}

void write_token(const std::filesystem::path& file, const std::string& token) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string line = token + "\n";
  const bool written =
      made >= 0 && write(made, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const std::string reason = written ? "" : why();
  if (made >= 0) close(made);
  if (made >= 0 && !written) unlink(file.c_str());  // an empty file is no token of a later start
  if (!written) throw scenarios::CannotWrite(file.string() + ": " + reason);
}

}  // namespace

std::string new_token() {
  std::array<std::uint8_t, digits / 2> chance{};
  if (getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size()))
    throw std::runtime_error("the system has no chance to give: " + why());
  std::string token;
  for (const std::uint8_t byte : chance) {
    token += hexadecimal[byte >> 4U];
    token += hexadecimal[byte & 15U];
  }
  return token;
}

Tokens with_page(Tokens kept) {
  kept.read.insert(kept.read.begin(), new_token());
  kept.steer.insert(kept.steer.begin(), new_token());
  return kept;
}

std::string kept_token(const std::filesystem::path& file) {
  std::string token = read_token(file);
  if (token.empty()) throw scenarios::UnreadableFile(file.string() + ": there is no such file");
  return token;
}

std::string token_in(const std::filesystem::path& file) {
  std::string token = read_token(file);
  if (!token.empty()) return token;
  token = new_token();
  write_token(scenarios::led_to(file), token);
  return token;
}

Tokens tokens_in(const std::filesystem::path& reading, const std::filesystem::path& steering) {
  Tokens kept{.read = {token_in(reading)}, .steer = {token_in(steering)}};
  if (kept.read == kept.steer)
    throw scenarios::UnreadableFile(reading.string() + " and " + steering.string() +
                                    " hold the same token: remove one of them");
  return kept;
}

}  // namespace rhizome::tools
