// The common parts of the benchmark: systems measured beside each other, and goals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "test/bench/measure.hpp"
#include "test/bench/report.hpp"

namespace rhizome::bench {

struct MeasuredSystem {
  std::string name;
  Run run;
};

// How long each system is measured, unless a part says otherwise.
struct Effort {
  unsigned repetitions = 5;
  double seconds = 2;
};

// Measures systems and gathers the findings.
class Bench {
 public:
  explicit Bench(const Effort& effort) : effort_(effort) {
    report_.repetitions = effort.repetitions;
    report_.seconds_per_run = effort.seconds;
  }

  // Repetitions of the systems alternate, so that a busy spell of the machine hits all alike.
  void measure(const std::string& part, std::uint32_t peers,
               const std::vector<MeasuredSystem>& systems);
  // Measures one system once, for so many cycles however long they take.
  void measure_cycles(const std::string& part, const BenchLoad& load, const MeasuredSystem& system);

  // The measured rate at that size; the lowest possible for a system that failed.
  [[nodiscard]] double rate(std::uint32_t peers, std::string_view system) const;
  [[nodiscard]] double seconds(std::uint32_t peers, std::string_view system) const;
  // The memory that the system occupied, in bytes.
  [[nodiscard]] double memory(std::uint32_t peers, std::string_view system) const;

  void goal(const std::string& text, double least, double measured) {
    report_.goals.push_back({text, Goal::Bound::at_least, least, measured});
  }
  void goal_at_most(const std::string& text, double most, double measured) {
    report_.goals.push_back({text, Goal::Bound::at_most, most, measured});
  }
  void remark(const std::string& text) { report_.remarks.push_back(text); }
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  void add(const std::string& part, std::uint32_t peers, const std::string& system,
           const std::vector<Measurement>& measured);
  [[nodiscard]] const Row* find(std::uint32_t peers, std::string_view system) const;

  Effort effort_;
  Report report_;
};

}  // namespace rhizome::bench
