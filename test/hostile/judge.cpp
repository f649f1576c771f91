#include "test/hostile/judge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "scenarios/text/json.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::test {

namespace {

// The statuses of sysexits.h that the README names, without those that mean an error in the
// program.
const std::set<int> known{0, 1, 2, 64, 65, 66, 69, 73, 130};

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

// A terminal would do something else than to show it.
bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  });
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == text.npos) return {};
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == text.npos ? 0 : begin + 1, end - (begin == text.npos ? 0 : begin));
}

bool asks_for_json(const Attempt& attempt) {
  const auto at = std::find(attempt.words.begin(), attempt.words.end(), "-o");
  return at != attempt.words.end() && at + 1 != attempt.words.end() && at[1] == "json";
}

// A signal that the command does not catch ends it as it ends any other.
bool ended_as_asked(const Attempt& attempt, const End& end) {
  return end.sent && end.killed_by == (attempt.signal ? attempt.signal->number : SIGINT);
}

std::string refusal_complaint(const Attempt& attempt, const End& end,
                              const std::filesystem::path& directory) {
  if (attempt.errors == Attempt::Stream::kept &&
      !last_line(end.errors).starts_with("rhizome: error: ") && !has(end.errors, "Usage:"))
    return "refused without a sentence";
  const bool wrong_input = end.status >= 64 && end.status <= 66;
  if (wrong_input && attempt.words.front() == "run" && !end.output.empty())
    return "refused, but something was printed";
  const bool had_one =
      std::any_of(attempt.files.begin(), attempt.files.end(),
                  [](const auto& file) { return file.first.starts_with("runs/"); });
  if (wrong_input && std::filesystem::exists(directory / "work" / "runs") && !had_one)
    return "refused, but a run directory was made";
  return {};
}

}  // namespace

std::string complaint_of(const Attempt& attempt, const End& end,
                         const std::filesystem::path& directory) {
  if (end.stubborn) return "it did not end when it was asked to";
  for (const char* word : {"internal error", "terminate called", "Sanitizer", "runtime error:"})
    if (has(end.errors, word) || has(end.output, word)) return std::string("it says ") + word;
  if (has_control(end.errors)) return "a control character on standard error";
  if (has_control(end.output)) return "a control character on standard output";
  if (ended_as_asked(attempt, end)) return {};
  if (end.killed_by != 0) return "killed by signal " + std::to_string(end.killed_by);
  if (!known.contains(end.status)) return "status " + std::to_string(end.status);
  if (end.status == 130 && !end.sent) return "interrupted by nobody";
  if (end.status >= 64 && end.status != 130) return refusal_complaint(attempt, end, directory);
  if (asks_for_json(attempt) && end.status < 64 && attempt.output == Attempt::Stream::kept &&
      !end.output.empty() && !scenarios::parse_json(end.output))
    return "its JSON is none";
  return {};
}

void try_all(const std::vector<Attempt>& attempts) {
  const TemporaryDirectory place;
  std::vector<std::string> complaints(attempts.size());
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < attempts.size(); i = next++) {
      const std::filesystem::path directory = place.path() / std::to_string(i);
      const End end = carry_out(attempts[i], directory);
      done += end.status == 0 ? 1 : 0;
      complaints[i] = complaint_of(attempts[i], end, directory);
      if (!complaints[i].empty())
        complaints[i] += " (status " + std::to_string(end.status) + ")\n" + text_of(attempts[i]) +
                         "\n--- standard error:\n" + end.errors.substr(0, 3000);
      std::error_code ignored;
      std::filesystem::remove_all(directory, ignored);
    }
  };
  std::vector<std::thread> workers(std::max(1U, std::thread::hardware_concurrency()));
  for (std::thread& worker : workers) worker = std::thread(work);
  for (std::thread& worker : workers) worker.join();
  for (std::size_t i = 0; i < attempts.size(); ++i)
    CHECK_MESSAGE(complaints[i].empty(), "attempt " << i << ": " << complaints[i]);
  CHECK(done > 0);
  CHECK(done < attempts.size());
}

std::uint64_t share(std::uint64_t attempts) {
  const char* percent = std::getenv("RHIZOME_HOSTILE_CASES");
  return percent == nullptr ? attempts : attempts * std::strtoull(percent, nullptr, 10) / 100;
}

}  // namespace rhizome::test
