#include "tools/serve/address_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <regex>

#include "core/child/links.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/serve/places.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;

namespace {

std::string text_of(const core::Opened& file) {
  std::array<char, 400> text{};
  const ssize_t size = pread(file.number(), text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

// What a server has left there; earlier versions wrote a second line. A user may have a file of
// that name.
bool is_address(const core::Opened& file) {
  static const std::regex ours(R"(http://[^\s]+\n([0-9a-f-]{36} [0-9]+\n)?)");
  return file.is(S_IFREG) && (file.size() == 0 || std::regex_match(text_of(file), ours));
}

void check_replaceable(const fs::path& path) {
  const core::Opened there(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!there ? errno != ENOENT : !is_address(there))
    throw scenarios::CannotWrite(path.string() +
                                 ": would hold the address of the server, and is no such file: "
                                 "move it away, or name another store");
}

}  // namespace

void publish_address(const fs::path& store, std::string_view url) {
  constexpr mode_t own = S_IRUSR | S_IWUSR;
  const fs::path path = address_file(store);
  check_replaceable(path);
  scenarios::WholeFile file(path, scenarios::WholeFile::Name::implied, own);
  file.out() << url << '\n';
  file.commit();
}

std::string published_address(const fs::path& store) {
  const fs::path path = address_file(store);
  const core::Opened file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  std::error_code error;
  const bool missing = (!file && errno == ENOENT) || !fs::is_regular_file(store, error);
  const std::string hint =
      "; say --store FILE, as the server does, or --server URL and "
      "--token-file FILE";
  if (missing)
    throw scenarios::UnreadableFile(path.string() + ": no server has had " + store.string() +
                                    " yet" + hint);
  if (!file || !file.is(S_IFREG) || file.owner() != geteuid() || file.is_for_others())
    throw scenarios::UnreadableFile(path.string() + ": is no file of this user alone" + hint);
  const std::string text = text_of(file);
  return text.substr(0, text.find('\n'));
}

}  // namespace rhizome::tools
