#include "core/peer/recipe.hpp"

#include <limits>
#include <utility>

namespace rhizome::core {

Recipe::Recipe(WorkKindId kind, std::string spec) {
  if (kind != WorkKindId::emulated) told_ = std::make_unique<Told>(Told{kind, std::move(spec)});
}

Recipe::Recipe(const Recipe& other)
    : told_(other.told_ ? std::make_unique<Told>(*other.told_) : nullptr) {}

void Recipe::write(Writer& out) const {
  if (!told_) {
    out.natural(0);
    return;
  }
  out.array(2);
  out.natural(static_cast<std::uint64_t>(told_->kind));
  out.text(told_->spec);
}

bool Recipe::read(Reader& in) {
  std::uint64_t number = 0;
  if (in.natural(number)) {
    told_.reset();
    return number == 0;
  }
  std::size_t fields = 0;
  std::string_view spec;
  if (!in.array(fields) || fields != 2 || !in.natural(number) || !in.text(spec)) return false;
  if (number == 0 || number > std::numeric_limits<std::uint8_t>::max() || spec.size() > longest)
    return false;
  *this = Recipe(static_cast<WorkKindId>(number), std::string(spec));
  return true;
}

}  // namespace rhizome::core
