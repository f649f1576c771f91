#include "test/fuzz/protocol/draft.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::fuzz {

namespace {

// "network.partition#0" heads an item of a list of tables.
std::string heading(const std::string& section) {
  const std::size_t mark = section.find('#');
  if (mark == std::string::npos) return "[" + section + "]\n";
  return "[[" + section.substr(0, mark) + "]]\n";
}

template <class D>
auto find(D& draft, std::string_view section, std::string_view key) {
  return std::find_if(draft.begin(), draft.end(), [&](const Assignment& assignment) {
    return assignment.section == section && assignment.key == key;
  });
}

}  // namespace

std::string to_toml(const Draft& draft) {
  std::vector<std::string> order;
  for (const Assignment& assignment : draft)
    if (std::find(order.begin(), order.end(), assignment.section) == order.end())
      order.push_back(assignment.section);
  std::string text;
  for (const std::string& section : order) {
    text += heading(section);
    for (const Assignment& assignment : draft)
      if (assignment.section == section) text += assignment.key + " = " + assignment.value + "\n";
  }
  return text;
}

std::string_view value_of(const Draft& draft, std::string_view section, std::string_view key) {
  const auto found = find(draft, section, key);
  return found == draft.end() ? std::string_view() : std::string_view(found->value);
}

void assign(Draft& draft, std::string_view section, std::string_view key, std::string value) {
  const auto found = find(draft, section, key);
  if (found != draft.end()) {
    found->value = std::move(value);
  } else {
    draft.push_back({std::string(section), std::string(key), std::move(value)});
  }
}

}  // namespace rhizome::fuzz
