#include "agents/central/sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rhizome::agents::central {

namespace {

using Shares = std::vector<std::uint32_t>;

double spread(const std::vector<double>& rates, const Shares& shares) {
  double least = rates[0] * shares[0];
  double most = least;
  for (std::size_t i = 1; i < rates.size(); ++i) {
    least = std::min(least, rates[i] * shares[i]);
    most = std::max(most, rates[i] * shares[i]);
  }
  return most - least;
}

// Moves a worker from the fastest model to the slowest; true if that is fairer.
bool improve(const std::vector<double>& rates, Shares& shares) {
  std::size_t fastest = 0;
  std::size_t slowest = 0;
  for (std::size_t i = 1; i < rates.size(); ++i) {
    if (rates[i] * shares[i] > rates[fastest] * shares[fastest]) fastest = i;
    if (rates[i] * shares[i] < rates[slowest] * shares[slowest]) slowest = i;
  }
  if (fastest == slowest || shares[fastest] <= 1) return false;
  Shares moved = shares;
  --moved[fastest];
  ++moved[slowest];
  const double before = spread(rates, shares);
  const double after = spread(rates, moved);
  const double tie = 1e-9 * (before + after);
  const bool fairer = after < before - tie || (after < before + tie && slowest < fastest);
  if (fairer) shares = moved;
  return fairer;
}

}  // namespace

std::vector<std::uint32_t> share_workers(const std::vector<double>& rates, std::uint32_t workers) {
  const std::size_t models = rates.size();
  Shares shares(models, 0);
  if (models == 0) return shares;
  if (workers <= models) {
    std::fill_n(shares.begin(), workers, 1U);
    return shares;
  }
  double need = 0;  // workers for a rate of 1 of each
  for (const double rate : rates) need += 1 / rate;
  for (std::size_t i = 0; i < models; ++i) {
    const double ideal = static_cast<double>(workers) / need / rates[i];
    shares[i] = std::max(1U, static_cast<std::uint32_t>(ideal));
  }
  std::uint32_t given = std::accumulate(shares.begin(), shares.end(), 0U);
  const auto rate = [&](std::size_t i) { return rates[i] * shares[i]; };
  std::vector<std::size_t> order(models);
  std::iota(order.begin(), order.end(), 0U);
  const auto slower = [&](std::size_t a, std::size_t b) { return rate(a) < rate(b); };
  for (; given < workers; ++given) ++shares[*std::min_element(order.begin(), order.end(), slower)];
  for (; given > workers; --given) {
    std::erase_if(order, [&](std::size_t i) { return shares[i] <= 1; });
    --shares[*std::max_element(order.begin(), order.end(), slower)];
  }
  while (improve(rates, shares)) {
  }
  return shares;
}

}  // namespace rhizome::agents::central
