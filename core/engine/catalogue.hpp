// The engines: whatever performs a run has a word in scenarios.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.hpp"

namespace rhizome::core {

class HistoryWriter;

// What only some engines are told.
struct EngineOptions {
  double time_scale = 1;  // emulated seconds per real second
  std::shared_ptr<HistoryWriter>
      history{};  // of threads: where events are recorded; none: they are not
};

struct EngineKind {
  std::string_view name;
  // Peers have threads of their own: the machine must carry them, a run needs it for itself, and
  // counts only as far as it was not late. Otherwise no time passes but the emulated one.
  bool real_time;
  std::unique_ptr<Engine> (*make)(EngineSetup setup, const EngineOptions& options);
};

// A position in the catalogue; the first is the default.
enum class EngineId : std::uint8_t {};

[[nodiscard]] std::span<const EngineKind> engines();
[[nodiscard]] const EngineKind& engine_of(EngineId id);
// The names of all engines, or of those in real time, or of the others.
[[nodiscard]] std::vector<std::string> engine_names();
[[nodiscard]] std::vector<std::string> engine_names(bool real_time);

}  // namespace rhizome::core
