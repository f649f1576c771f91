// Least attained service, also called foreground-background (Schrage 1967; Nuyens and Wierman
// 2008): tasks that have had equal service are a level, the least level has the processors, and
// what it leaves goes to the next. A level that catches up with the next becomes one with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "agents/division.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

class AttainedLevels final : public Division {
 public:
  void add(ResidentTask* resident, core::Time now) override {
    settle(now);
    if (levels_.empty() || levels_.front().attained > 0) levels_.insert(levels_.begin(), Level{});
    levels_.front().residents.push_back(resident);
  }
  void remove(const ResidentTask* resident, core::Time now) override {
    settle(now);
    for (Level& level : levels_) std::erase(level.residents, resident);
    std::erase_if(levels_, [](const Level& level) { return level.residents.empty(); });
  }
  void divide(double processors, core::Time now, const Give& give) override {
    settle(now);
    for (Level& level : levels_) {
      double wanted = 0;
      for (const ResidentTask* resident : level.residents) wanted += resident->task.cpus;
      level.rate = std::min(1.0, processors / wanted);
      processors = std::max(0.0, processors - wanted);  // a level that has no more leaves nothing
      for (ResidentTask* resident : level.residents) give(*resident, level.rate);
    }
  }
  // The time until a level first catches up with the next; rounded up to whole nanoseconds.
  [[nodiscard]] std::optional<core::Duration> until_next() const override {
    std::optional<double> least;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const double gain = levels_[i].rate - levels_[i + 1].rate;
      if (gain <= 0) continue;
      const double time = (levels_[i + 1].attained - levels_[i].attained) / gain;
      least = std::min(least.value_or(time), time);
    }
    if (!least) return {};
    constexpr double longest = 4e18;  // ns, about the longest that a Duration can hold
    return core::Duration(static_cast<std::int64_t>(std::clamp(std::ceil(*least), 1.0, longest)));
  }

 private:
  struct Level {
    double attained = 0;  // ns that each of them has had
    double rate = 0;      // of each task of the level
    std::vector<ResidentTask*> residents;
  };

  // Joins levels that have caught up with the next.
  void settle(core::Time now) {
    const auto passed = static_cast<double>((now - since_).count());
    since_ = now;
    for (Level& level : levels_) level.attained += passed * level.rate;
    for (std::size_t i = 0; i + 1 < levels_.size();) {
      constexpr double close = 0.5;  // ns
      Level& next = levels_[i + 1];
      if (levels_[i].attained < next.attained - close) {
        ++i;
        continue;
      }
      Level& level = levels_[i];
      level.attained = next.attained;
      level.residents.insert(level.residents.end(), next.residents.begin(), next.residents.end());
      levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  std::vector<Level> levels_;  // by attained service, least first
  core::Time since_{};
};

}  // namespace rhizome::agents
