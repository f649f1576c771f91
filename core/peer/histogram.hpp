// A histogram of durations or counts with logarithmic buckets: quantiles within 1/16 of their value
// at a fixed small size, whatever is recorded.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "core/peer/fields.hpp"

namespace rhizome::core {

class Histogram {
 public:
  // Negative values count as zero.
  void add(std::int64_t value, std::uint64_t times = 1);
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::int64_t max() const { return max_; }
  [[nodiscard]] double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  // The smallest bucket bound that at least `share` of the values do not exceed; 0 when empty.
  [[nodiscard]] std::int64_t quantile(double share) const;

  // Calls f(upper bound, count) for every bucket that is not empty, ascending.
  template <class F>
  void for_each_bucket(F&& f) const {
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) f(upper(i), std::uint64_t{counts_[i]});
  }

 private:
  static constexpr unsigned sub_bits = 4;  // 16 buckets to each power of two
  static constexpr std::size_t sub = std::size_t{1} << sub_bits;
  static constexpr std::size_t buckets = sub * 44;  // up to 2^47: 39 hours of nanoseconds

  friend struct Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.counts_, self.count_, self.max_, self.sum_);
  }

  static std::size_t index(std::uint64_t value);
  static std::int64_t upper(std::size_t index);

  std::array<std::uint32_t, buckets> counts_{};
  std::uint64_t count_ = 0;
  std::int64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace rhizome::core
