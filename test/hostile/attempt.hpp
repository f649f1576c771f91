// One call of the real command, in a directory and under limits of its own.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rhizome::test {

struct Attempt {
  // Where a stream of the command leads.
  enum class Stream : std::uint8_t { kept, full, closed };
  // A signal to the command, so long after its start; it may have ended by then.
  struct Signal {
    int number = 0;
    std::chrono::milliseconds after{0};
  };

  std::vector<std::string> words;                               // after the command's name
  std::map<std::string, std::string> files{};                   // in its directory
  std::vector<std::pair<std::string, std::string>> settings{};  // of its environment
  std::vector<std::pair<int, rlim_t>> limits{};                 // RLIMIT_... and at most
  std::optional<Signal> signal{};
  Stream output = Stream::kept;
  Stream errors = Stream::kept;
};

// How a call ended. A command that still runs after a while is interrupted, and killed if that does
// not help.
struct End {
  int status = -1;        // the exit status, if there is one
  int killed_by = 0;      // a signal, else
  bool sent = false;      // a signal was sent to it
  bool stubborn = false;  // it did not end when it was asked to
  std::string output{};
  std::string errors{};
};

// `directory` is made, and holds all that the command leaves.
[[nodiscard]] End carry_out(const Attempt& attempt, const std::filesystem::path& directory);

// The attempt as text, for a person who repeats it by hand.
[[nodiscard]] std::string text_of(const Attempt& attempt);

}  // namespace rhizome::test
