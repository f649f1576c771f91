#include "scenarios/format/selection.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "scenarios/format/claim.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::scenarios {

namespace {

using Words = std::vector<std::string>;

bool contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

Words texts_of(const Entry* entry) {
  Words texts;
  if (entry == nullptr) return texts;
  for (const Value& value : entry->values)
    if (const std::string* text = value.text()) texts.push_back(*text);
  return texts;
}

std::string section_of(const Document& document, std::size_t index) {
  return document.compared() + "#" + std::to_string(index);
}

// The names of an item in results: its labels, or else its use.
Words labels_of(const Document& document, std::size_t index) {
  if (const Words labels = texts_of(document.find(section_of(document, index), "label"));
      !labels.empty())
    return labels;
  const Entry* use = document.find(section_of(document, index), "use");
  if (use == nullptr && document.compared() == "protocol") return {"protocol"};
  return texts_of(use);
}

// A label, and not what a scheduler uses, is asked for.
std::string exactly(const std::string& label) { return "=" + label; }

// All by which it can be asked for.
Words names_of(const Document& document, std::size_t index) {
  Words names = labels_of(document, index);
  for (const std::string& use : texts_of(document.find(section_of(document, index), "use")))
    names.push_back(use);
  for (const std::string& label : labels_of(document, index)) names.push_back(exactly(label));
  return names;
}

void check_names(const Document& document, const Words& wanted) {
  Words known;
  for (std::size_t i = 0; i < document.count(document.compared()); ++i)
    for (const std::string& name : names_of(document, i))
      if (!contains(known, name)) known.push_back(name);
  Words plain = known;
  std::erase_if(plain, [](const std::string& name) { return name.starts_with(exactly("")); });
  for (const std::string& name : wanted)
    if (!contains(known, name))
      refuse(
          {"--scheduler " + name, 0, 0},
          "no " + document.compared() + " of this scenario is called so" + suggestion(name, plain));
}

// A `use` or `label` that sweeps keeps the wanted ones of its words, if it was asked for by them.
void narrow(Document& document, std::size_t index, const Words& wanted) {
  for (const std::string key : {"label", "use"})
    for (Entry& entry : document.entries) {
      if (entry.section != section_of(document, index) || entry.key != key) continue;
      const auto unwanted = [&](const Value& value) {
        const std::string* text = value.text();
        return text == nullptr || (!contains(wanted, *text) && !contains(wanted, exactly(*text)));
      };
      if (std::ranges::all_of(entry.values, unwanted)) continue;
      std::erase_if(entry.values, unwanted);
      return;
    }
}

// The new number of "scheduler#3"; nothing for one that is left out.
std::optional<std::string> renumbered(const std::string& section, const std::string& compared,
                                      const std::map<std::size_t, std::size_t>& numbers) {
  const std::string prefix = compared + "#";
  if (!section.starts_with(prefix)) return section;
  std::size_t digits = 0;
  const std::size_t old = std::stoul(section.substr(prefix.size()), &digits);
  const auto found = numbers.find(old);
  if (found == numbers.end()) return {};
  return prefix + std::to_string(found->second) + section.substr(prefix.size() + digits);
}

template <class Item>
void renumber(std::vector<Item>& items, std::string Item::*section, const std::string& compared,
              const std::map<std::size_t, std::size_t>& numbers) {
  std::erase_if(items, [&](Item& item) {
    const auto renamed = renumbered(item.*section, compared, numbers);
    if (renamed) item.*section = *renamed;
    return !renamed;
  });
}

// Removes the claims about labels that were in `before` and are not in `left`.
Words drop_claims(Document& document, const Words& before, const Words& left) {
  Words dropped;
  const auto gone = [&](const Operand& operand) {
    return contains(before, operand.label) && !contains(left, operand.label);
  };
  const auto about_others = [&](const Value& value) {
    const std::string* text = value.text();
    const auto claim = text == nullptr ? std::nullopt : parse_claim(*text);
    if (!claim) return false;
    const auto* right = std::get_if<Operand>(&claim->right);
    if (!gone(claim->left) && (right == nullptr || !gone(*right))) return false;
    dropped.push_back(*text);
    return true;
  };
  for (Entry& entry : document.entries)
    if (entry.section.empty() && entry.key == "claims") std::erase_if(entry.values, about_others);
  std::erase_if(document.entries, [](const Entry& entry) { return entry.values.empty(); });
  return dropped;
}

// Keeps the items that have a new number, in the order of these.
void keep(std::vector<Position>& items, const std::map<std::size_t, std::size_t>& numbers) {
  std::vector<Position> kept;
  for (const auto& [before, now] : numbers) kept.push_back(items[before]);
  items = std::move(kept);
}

Words all_labels(const Document& document) {
  Words all;
  for (std::size_t i = 0; i < document.count(document.compared()); ++i)
    for (const std::string& label : labels_of(document, i)) all.push_back(label);
  return all;
}

}  // namespace

std::vector<std::string> keep_schedulers(Document& document, const Words& names) {
  check_names(document, names);
  const Words before = all_labels(document);
  std::map<std::size_t, std::size_t> numbers;  // of the remaining items
  for (std::size_t i = 0; i < document.count(document.compared()); ++i) {
    const Words own = names_of(document, i);
    const auto wanted = [&](const std::string& name) { return contains(names, name); };
    if (!std::ranges::any_of(own, wanted)) continue;
    narrow(document, i, names);
    numbers.emplace(i, numbers.size());
  }
  const std::string compared = document.compared();
  renumber(document.entries, &Entry::section, compared, numbers);
  renumber(document.tables, &WrittenTable::name, compared, numbers);
  for (WrittenTable& table : document.tables)
    if (table.name == compared) keep(table.items, numbers);
  return drop_claims(document, before, all_labels(document));
}

}  // namespace rhizome::scenarios
