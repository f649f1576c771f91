// A graph of named tasks, built while a file is read. Errors are reported with the position of the
// task, and only a valid graph becomes a job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/task.hpp"
#include "scenarios/text/source_text.hpp"

namespace rhizome::scenarios {

inline constexpr std::size_t most_graph_tasks = 1'000'000;

class NamedGraph {
 public:
  // The source outlives it.
  explicit NamedGraph(const SourceText& source) : source_(source) {}

  // These functions throw InputError: add() for a name that another task has, those between for a
  // name that no task has, and job() for tasks that need each other in a cycle. Errors of a
  // task are reported at its offset in the source, if that is known.
  void add(const std::string& name, agents::Task task, std::optional<std::size_t> offset = {});
  [[nodiscard]] std::uint32_t find(const std::string& name) const;
  [[nodiscard]] bool is_connected(const std::string& task, const std::string& needs) const;
  // May be called several times for the same pair; the bytes count once.
  void connect(const std::string& task, const std::string& needs, std::uint64_t bytes);
  // Told before the files of a task are compared with those of another, so many of them: throws
  // InputError where all comparisons together take too long, as they may in a small file.
  void compare_files(const std::string& task, std::size_t files);
  [[nodiscard]] agents::Job job() const;

  [[nodiscard]] const SourceText& source() const { return source_; }

 private:
  [[noreturn]] void refuse(std::uint32_t portion, const std::string& message) const;

  const SourceText& source_;
  std::map<std::string, std::uint32_t> portions_;
  std::vector<std::string> names_;
  std::vector<std::optional<std::size_t>> offsets_;
  std::vector<agents::Task> tasks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> edges_;
  std::size_t compared_ = 0;  // files
};

}  // namespace rhizome::scenarios
