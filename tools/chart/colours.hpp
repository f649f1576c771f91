// Who has which colour where several charts show the same names: one name, one colour.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// All that are there, as #rrggbb, the most different first.
[[nodiscard]] const std::vector<std::string>& palette();

class Colours {
 public:
  // For each chart the names in it. A name has one colour, where its letters lead: the schedulers
  // that are compared most have colours of their own, and no two names of one chart have the same,
  // unless they are more than there are colours.
  explicit Colours(std::span<const std::vector<std::string>> charts);

  // The one of a name in those charts; throws std::out_of_range for others.
  [[nodiscard]] const std::string& of(const std::string& name) const { return colours_.at(name); }
  [[nodiscard]] bool knows(const std::string& name) const { return colours_.contains(name); }

 private:
  std::map<std::string, std::string> colours_;
};

// Colours of a chart alone.
[[nodiscard]] Json colours_of(const Json& names);

// Gives the series of a chart those colours; none where one of them is not known.
void recolour(Json& spec, const Colours& colours);

}  // namespace rhizome::tools
