// A file of measured costs of events and real work on some machine, as `rhizome doctor --calibrate
// --to` writes it: in a scenario that names it, virtual time charges these costs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/written.hpp"

namespace rhizome::scenarios {

// Work of one kind with some settings, and how long a task of it takes alone on one processor.
struct MeasuredWork {
  WorkloadSection work{};  // its kind, and what the kind is told
  Duration time{0};
};

struct Costs {
  // Time of an event; nothing if the file lacks it.
  std::optional<Duration> handling{};
  std::optional<Duration> wake_up{};
  std::optional<std::uint32_t> cores{};
  std::vector<MeasuredWork> works{};
};

// Throws InputError for a file of another form.
[[nodiscard]] Costs read_costs(std::string_view text, const std::string& file);

// The settings of the kind that is chosen which are not its defaults, as lines of TOML.
[[nodiscard]] std::string lines_of_work(const WorkloadSection& work);

// Sets the values of the file that the scenario names: unset times of [engine], and how long a task
// of real work takes. Throws InputError if the file has no such work, or if the scenario sets that
// time, too.
void apply_costs(const Written& written, Scenario& scenario);

}  // namespace rhizome::scenarios
