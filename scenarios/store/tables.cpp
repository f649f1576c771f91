#include "scenarios/store/tables.hpp"

#include <algorithm>
#include <iterator>

#include "core/peer/number_text.hpp"
#include "scenarios/outcome/invariant_catalogue.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

std::uint64_t seed_of(const std::string& text) {
  if (const auto seed = core::parse_number<std::uint64_t>(text)) return *seed;
  throw DatabaseError("\"" + text + "\" is no seed");
}

std::uint32_t from_one(std::uint32_t repetition) {
  if (repetition == 0) throw DatabaseError("repetitions count from 1, and there is one of 0");
  return repetition - 1;
}

std::string shown_name(const std::string& text, std::size_t longest) {
  if (text.size() > longest)
    throw DatabaseError("it has a name of " + std::to_string(text.size()) + " bytes, and " +
                        std::to_string(longest) + " are the most");
  return plain_text(text);
}

std::string known_invariant(const std::string& name) {
  const auto is_it = [&name](const Invariant& each) { return each.name == name; };
  if (std::none_of(std::begin(invariants), std::end(invariants), is_it))
    throw DatabaseError("there is no invariant \"" + plain_text(name.substr(0, 100)) + "\"");
  return name;
}

}  // namespace rhizome::scenarios
