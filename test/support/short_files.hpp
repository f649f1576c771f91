// A disk that is nearly full, for as long as a test needs it.
#pragma once

#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace rhizome::test {

// No file of this process grows beyond so many bytes.
class ShortFiles {
 public:
  explicit ShortFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) throw_error();
    before_ = limit;
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) throw_error();
  }
  ~ShortFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  static void throw_error() {
    throw std::system_error(errno, std::generic_category(), "a limit of files");
  }

  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace rhizome::test
