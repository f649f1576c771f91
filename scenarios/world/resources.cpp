#include "scenarios/world/resources.hpp"

#include <cmath>
#include <cstdint>

namespace rhizome::scenarios {

namespace {

std::int64_t thousandths(double amount) { return std::llround(amount * agents::Amounts::unit); }

// Between whole numbers only whole numbers are drawn: half a gpu is possible only where the
// scenario has fractions.
std::int64_t draw_between(std::int64_t low, std::int64_t high, core::Rng& rng) {
  const std::int64_t unit = agents::Amounts::unit;
  const std::int64_t step = low % unit == 0 && high % unit == 0 ? unit : 1;
  return rng.between(low / step, high / step) * step;
}

}  // namespace

agents::Amounts draw_amounts(const std::vector<ResourceSection>& resources, core::Rng& rng) {
  agents::Amounts amounts;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const ResourceSection& resource = resources[i];
    if (resource.share < 1 && !rng.chance(resource.share)) continue;
    std::int64_t amount = thousandths(resource.amount);
    if (resource.most > resource.amount)
      amount = draw_between(amount, thousandths(resource.most), rng);
    amounts.set(i, static_cast<std::uint32_t>(amount));
  }
  return amounts;
}

}  // namespace rhizome::scenarios
