// A graph of tasks that a file gives names, as it is read: what is wrong with it is told at its
// name, and only what is right becomes a job.
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

  // Each throws InputError: for a name that another task has, for one that no task has, and for
  // tasks that need each other.
  // What is wrong with a task is told at its offset in the source, if that is known.
  void add(const std::string& name, agents::Task task, std::optional<std::size_t> offset = {});
  [[nodiscard]] std::uint32_t find(const std::string& name) const;
  // Said once or more often; the bytes count once.
  void connect(const std::string& task, const std::string& needs, std::uint64_t bytes);
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
};

}  // namespace rhizome::scenarios
