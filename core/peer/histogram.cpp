#include "core/peer/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rhizome::core {

// Values below 16 have a bucket each; above, the four bits behind the leading one choose.
std::size_t Histogram::index(std::uint64_t value) {
  if (value < sub) return static_cast<std::size_t>(value);
  const auto width = static_cast<unsigned>(std::bit_width(value));
  const unsigned shift = width - 1 - sub_bits;
  const std::size_t i = (std::size_t{shift} + 1) * sub + ((value >> shift) & (sub - 1));
  return std::min(i, buckets - 1);
}

std::int64_t Histogram::upper(std::size_t index) {
  if (index < sub) return static_cast<std::int64_t>(index);
  const std::size_t shift = index / sub - 1;
  return static_cast<std::int64_t>(((sub + index % sub + 1) << shift) - 1);
}

void Histogram::add(std::int64_t value, std::uint64_t times) {
  const std::int64_t counted = std::max<std::int64_t>(value, 0);
  counts_[index(static_cast<std::uint64_t>(counted))] += static_cast<std::uint32_t>(times);
  count_ += times;
  max_ = std::max(max_, counted);
  sum_ += static_cast<double>(counted) * static_cast<double>(times);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

std::int64_t Histogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets; ++i) {
    seen += counts_[i];
    if (seen >= wanted && seen > 0) return std::min(upper(i), max_);
  }
  return max_;
}

}  // namespace rhizome::core
