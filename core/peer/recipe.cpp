#include "core/peer/recipe.hpp"

#include <limits>

namespace rhizome::core {

Recipe::Recipe(WorkKindId kind, std::string spec) {
  if (kind != WorkKindId::emulated)
    told_ = std::make_shared<const Told>(Told{kind, std::move(spec)});
}

Recipe::Recipe(const Recipe& other) = default;
Recipe::~Recipe() = default;

Recipe Recipe::with(Cargo cargo) const {
  Recipe made;
  made.told_ = std::make_shared<const Told>(
      Told{kind(), std::string(spec()), std::make_unique<const Cargo>(std::move(cargo))});
  return made;
}

void Recipe::write(Writer& out) const {
  if (!told_) {
    out.natural(0);
    return;
  }
  out.array(told_->cargo ? 3 : 2);
  out.natural(static_cast<std::uint64_t>(told_->kind));
  out.text(told_->spec);
  if (told_->cargo) detail::write(out, *told_->cargo);
}

bool Recipe::read(Reader& in) {
  std::uint64_t number = 0;
  if (in.natural(number)) {
    told_.reset();
    return number == 0;
  }
  std::size_t fields = 0;
  std::string_view spec;
  if (!in.array(fields) || (fields != 2 && fields != 3)) return false;
  if (!in.natural(number) || !in.text(spec)) return false;
  if (number > std::numeric_limits<std::uint8_t>::max() || spec.size() > longest) return false;
  *this = Recipe(static_cast<WorkKindId>(number), std::string(spec));
  if (fields == 2) return number != 0;
  Cargo cargo;
  if (!detail::read(in, cargo) || cargo.inputs.size() > most_files) return false;
  if (number == 0 && !spec.empty()) return false;
  *this = with(std::move(cargo));
  return true;
}

}  // namespace rhizome::core
