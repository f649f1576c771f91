// The colours of names: a name has the same colour in all charts that show it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// All colours, as #rrggbb, the most different first.
[[nodiscard]] const std::vector<std::string>& palette();

class Colours {
 public:
  // Takes the names of each chart. A hash of the name chooses its colour. The schedulers that are
  // compared most often have colours of their own. Two names of one chart have different colours,
  // unless the chart has more names than there are colours.
  explicit Colours(std::span<const std::vector<std::string>> charts);

  // The colour of a name in those charts; throws std::out_of_range for other names.
  [[nodiscard]] const std::string& of(const std::string& name) const { return colours_.at(name); }
  [[nodiscard]] bool knows(const std::string& name) const { return colours_.contains(name); }

 private:
  std::map<std::string, std::string> colours_;
};

// The colours for the names of a single chart, in their order.
[[nodiscard]] Json colours_of(const Json& names);

// Gives the series of a chart these colours; changes nothing if the colour of one series is not
// known.
void recolour(Json& spec, const Colours& colours);

}  // namespace rhizome::tools
