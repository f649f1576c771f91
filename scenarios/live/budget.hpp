// A budget: how often something may be done, if it is to take no more than a share of a processor.
#pragma once

#include <chrono>

namespace rhizome::scenarios::live {

class Budget {
 public:
  using Time = std::chrono::nanoseconds;

  // `share`: of one processor, above 0. `least`: interval between two samples, however little they
  // cost.
  Budget(double share, Time least) : share_(share), least_(least) {}

  // Records the processor time of one sample.
  void spent(Time processor) {
    usual_ = usual_ == Time::zero() ? processor : (3 * usual_ + processor) / 4;
  }
  // The interval between two samples.
  [[nodiscard]] Time interval() const {
    const auto needed = std::chrono::duration_cast<Time>(
        std::chrono::duration<double, std::nano>(static_cast<double>(usual_.count()) / share_));
    return needed > least_ ? needed : least_;
  }
  // Whether samples are rarer than wanted because of their cost.
  [[nodiscard]] bool slows() const { return interval() > least_; }
  // The share of a processor at that interval.
  [[nodiscard]] double share() const {
    return static_cast<double>(usual_.count()) / static_cast<double>(interval().count());
  }

 private:
  double share_;
  Time least_;
  Time usual_{0};  // lately, the latest weighing most
};

}  // namespace rhizome::scenarios::live
