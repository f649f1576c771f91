// Processor sharing: every task has the same part of the processors, or all that it asks for where
// there is enough.
#pragma once

#include <algorithm>
#include <vector>

#include "agents/division.hpp"

namespace rhizome::agents {

class EqualShares final : public Division {
 public:
  void add(ResidentTask* resident, core::Time) override { residents_.push_back(resident); }
  void remove(const ResidentTask* resident, core::Time) override {
    std::erase(residents_, resident);
  }
  void divide(double processors, core::Time, const Give& give) override {
    double wanted = 0;
    for (const ResidentTask* resident : residents_) wanted += resident->task.cpus;
    for (ResidentTask* resident : residents_) give(*resident, std::min(1.0, processors / wanted));
  }

 private:
  std::vector<ResidentTask*> residents_;  // in the order in which they came
};

}  // namespace rhizome::agents
