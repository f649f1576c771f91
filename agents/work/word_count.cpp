#include "agents/work/word_count.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/child/child_file.hpp"
#include "core/work/loop.hpp"

namespace rhizome::agents {

namespace {

struct Options {
  std::string file;
  Counts expected;
  bool links = true;  // whether the file may be reached through links
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "file", &Options::file, {"The file whose words are counted, relative to the scenario."});
}

bool is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

class Counter {
 public:
  void take(std::string_view text) {
    for (const char letter : text) {
      const bool blank = is_blank(letter);
      counts_.words += within_ || blank ? 0 : 1;
      counts_.lines += letter == '\n' ? 1 : 0;
      within_ = !blank;
    }
    counts_.bytes += text.size();
  }
  [[nodiscard]] Counts counts() const { return counts_; }

 private:
  Counts counts_;
  bool within_ = false;  // a word
};

std::string text_of(const Counts& counts) {
  return std::to_string(counts.words) + " words, " + std::to_string(counts.lines) + " lines, " +
         std::to_string(counts.bytes) + " bytes";
}

bool is_too_large(std::int64_t bytes) {
  return bytes > static_cast<std::int64_t>(most_counted_bytes);
}

std::optional<core::Objection> objection_to(const Options& options) {
  if (options.file.empty()) return core::Objection{"file", "names no file"};
  struct stat status {};
  if (stat(options.file.c_str(), &status) != 0 || !is_too_large(status.st_size)) return {};
  return core::Objection{"file", "is a file of " + std::to_string(status.st_size) +
                                     " bytes, and one of at most " +
                                     std::to_string(most_counted_bytes) + " is counted"};
}

core::Result result_of(const Options& options, core::Throttle& throttle) {
  const std::optional<Counts> counts = count_words(options.file, throttle, options.links);
  if (!counts) return core::judged("the file cannot be read", false);
  return core::judged(text_of(*counts), *counts == options.expected);
}

}  // namespace

// Since the file was named, somebody may have put a pipe in its place, which is not waited for, or
// a link on the way to it, which is not followed: already an opening may do something.
std::optional<Counts> count_words(const std::string& file, core::Throttle& throttle, bool links) {
  constexpr std::size_t step = 1U << 18U;
  const int opened = links ? open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                           : core::open_child_file(file.c_str(), O_RDONLY, true);
  if (opened < 0) return {};
  struct stat status {};
  std::vector<char> room(step);
  Counter counter;
  ssize_t size = -1;
  if (fstat(opened, &status) == 0 && S_ISREG(status.st_mode) && !is_too_large(status.st_size))
    while (throttle.go_on() && counter.counts().bytes <= most_counted_bytes &&
           (size = read(opened, room.data(), room.size())) > 0)
      counter.take({room.data(), static_cast<std::size_t>(size)});
  close(opened);
  if (size != 0) return {};
  return counter.counts();
}

core::WorkKind word_count_work() {
  return core::make_work_kind<Options>(
      {.name = "count",
       .summary = "the words, lines and bytes of a file are counted",
       .settings = settings(),
       .compute = [](const Options& options, std::uint64_t) -> std::unique_ptr<core::Computation> {
         return std::make_unique<core::Loop>(
             [options](core::Throttle& throttle) { return result_of(options, throttle); });
       },
       .files = {{"file", &Options::file}},
       .prepare =
           [](Options& options) {
             core::Throttle unhindered;
             options.expected =
                 count_words(options.file, unhindered, options.links).value_or(Counts{});
           },
       .confine = [](Options& options) { options.links = false; },
       .objection = objection_to});
}

}  // namespace rhizome::agents
