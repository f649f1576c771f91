// The lines between a server and the worker of a node, which go over the worker's standard input
// and output. Bytes travel as hexadecimal digits, so that a line has words and nothing else.
//   to the worker:    work ID KIND SEED SPEC | pace ID RATE | stop ID | here | end
//   from the worker:  ready VERSION | done ID VERDICT VALUE | here
// Each side says "here" from time to time. A side that hears nothing for `longest_silence` takes
// the other for dead.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/peer/work.hpp"

namespace rhizome::tools {

inline constexpr std::chrono::seconds between_signs{2};
inline constexpr std::chrono::seconds longest_silence{20};

struct WorkerOrder {
  enum class Kind : std::uint8_t { work, pace, stop, here, end };
  Kind kind = Kind::here;
  std::uint32_t id = 0;
  core::Work work{};
  double rate = 1;
};
struct WorkerAnswer {
  enum class Kind : std::uint8_t { ready, done, here };
  Kind kind = Kind::here;
  std::string version{};
  std::uint32_t id = 0;
  core::Result result{};
};

// Whole lines, with their end. Work must be of a kind of tasks.
[[nodiscard]] std::string line_of(const WorkerOrder& order);
[[nodiscard]] std::string line_of(const WorkerAnswer& answer);
// Nothing for another line, or for a kind of work that this program does not have.
[[nodiscard]] std::optional<WorkerOrder> worker_order_in(std::string_view line);
[[nodiscard]] std::optional<WorkerAnswer> answer_in(std::string_view line);

// The version that a worker and its server must share.
[[nodiscard]] std::string worker_version();

}  // namespace rhizome::tools
