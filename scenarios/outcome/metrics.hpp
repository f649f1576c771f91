// The metrics of an outcome by name: one table for comparisons, claims, reports and documentation.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Whether less or more of a metric is better, or neither.
enum class Better : std::uint8_t { less, more, neither, last = neither };
[[nodiscard]] std::string_view name_of(Better better);

// The value of a metric for an outcome that it does not apply to, such as the depth of a tree where
// there is none: not 0, which would be a figure. Tables show "n/a", and JSON and the store null.
inline constexpr double not_applicable = std::numeric_limits<double>::quiet_NaN();

struct Metric {
  std::string name;
  std::string title;    // for tables
  std::string unit;     // "messages", "s", ""
  std::string meaning;  // one sentence
  bool headline;        // belongs in the short table
  Better better = Better::less;
  std::function<double(const Outcome&)> of;
  std::string alone{};  // its title where the one above it, under which it is indented, is not
};

// Metrics defined in files of their own; metrics() contains them.
[[nodiscard]] std::vector<Metric> structure_metrics();
[[nodiscard]] std::vector<Metric> placement_metrics();
[[nodiscard]] std::vector<Metric> phase_metrics();
[[nodiscard]] std::vector<Metric> graph_metrics();
[[nodiscard]] std::vector<Metric> fluid_metrics();  // within phase_metrics()
[[nodiscard]] std::vector<Metric> overlay_metrics();
[[nodiscard]] std::vector<Metric> network_metrics();
[[nodiscard]] std::vector<Metric> file_metrics();
[[nodiscard]] std::vector<Metric> locator_metrics();
[[nodiscard]] std::vector<Metric> job_metrics();
[[nodiscard]] std::vector<Metric> server_metrics();
[[nodiscard]] std::vector<Metric> central_metrics();
[[nodiscard]] std::vector<Metric> provision_metrics();
[[nodiscard]] std::vector<Metric> client_metrics();

// not_applicable for an empty list.
[[nodiscard]] double mean(const std::vector<double>& values);
// By interpolation at p(n + 1), as in the Sparrow course report; not_applicable for an empty list.
[[nodiscard]] double percentile(std::vector<double> values, double share);

// By peer: what it sent and received of a class of messages, in that unit.
[[nodiscard]] std::vector<std::uint64_t> burdens_of(const Outcome& outcome,
                                                    core::MessageClass message_class,
                                                    std::uint64_t core::Burden::*unit);

// The waits of tasks that started: from submission to first start, in seconds.
[[nodiscard]] std::vector<double> waits_of(const Outcome& outcome);

[[nodiscard]] std::span<const Metric> metrics();
[[nodiscard]] const Metric* find_metric(const std::string& name);
[[nodiscard]] std::vector<std::string> metric_names();
// "there is no metric \"...\"", with the name that was probably meant: the nearest one, or that of
// the metric which tables show under these words ("mean_wait": mean_queueing).
[[nodiscard]] std::string no_metric(const std::string& name);

}  // namespace rhizome::scenarios
