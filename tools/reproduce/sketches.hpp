// Data for figures that show more than metrics, collected from outcomes one by one: keeping all
// outcomes would take too much memory.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/chart/chart.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

class Sketches {
 public:
  Sketches() = default;
  // Collects the data that the figures of these results need from the study.
  Sketches(std::span<const Reproduction> results, const std::string& study);

  void add(const Outcome& outcome);

  // By repetition: when tasks were completed, ascending.
  [[nodiscard]] const std::vector<std::vector<double>>& completions(const std::string& label) const;

  struct Schedule {
    Chart chart{};
    double ended = 0;  // seconds
  };
  // The schedule of the first repetition; null if its outcome was not seen.
  [[nodiscard]] const Schedule* schedule(const std::string& label) const;

 private:
  std::map<std::string, std::vector<std::vector<double>>> completions_;
  std::map<std::string, Schedule> schedules_;
  std::set<std::string> scheduled_;  // labels
};

}  // namespace rhizome::tools
