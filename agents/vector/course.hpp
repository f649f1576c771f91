// The course of a vector over a run: its weights, and at which times they change (Peterson,
// dissertation, section 4.3, swap times). A scenario writes it as text, such as
//   queue -1 benchmark -0.3; from 300s queue -0.7 benchmark -0.5
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class Course {
 public:
  // By position in the table of metrics; 0 for metrics that are not named.
  using Weights = std::vector<double>;

  // A course without weights.
  Course();
  // Throws std::invalid_argument with half a sentence that names the error. Weights are between
  // -1000 and 1000, times in seconds and ascending. A text without weights is all zeros.
  explicit Course(std::string_view text);

  // The weights that hold at a time of the run.
  [[nodiscard]] const Weights& at(core::Time now) const;
  // Whether the weight of that metric is negative, and at least half as large as the largest
  // weight, in the first leg and in all later legs that have weights.
  [[nodiscard]] bool weighs_against(std::size_t metric) const;

 private:
  struct Leg {
    core::Time from{};
    Weights weights{};
  };
  std::vector<Leg> legs_;
};

// Why a text is no course, as half a sentence; empty if it is one.
[[nodiscard]] std::string fault_of_course(std::string_view text);

}  // namespace rhizome::agents::vectors
