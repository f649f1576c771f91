#include "scenarios/outcome/fact_watch.hpp"

#include <algorithm>
#include <sstream>

#include "scenarios/outcome/fact_text.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::scenarios {

namespace {

// One type of fact, and a reader of its values.
struct KnownFact {
  const core::FactInfo* info;
  std::vector<std::string> (*values)(std::span<const std::byte> payload);
};

template <class F>
std::vector<std::string> values_in(std::span<const std::byte> payload) {
  F fact{};
  if (core::decode(payload, fact) != core::DecodeError::none) return {};
  return std::apply(
      [](const auto&... value) { return std::vector<std::string>{text_of(value)...}; },
      core::values_of(fact));
}

template <class... F>
std::vector<KnownFact> list(const core::OneOf<F...>*) {
  return {{&F::info, &values_in<F>}...};
}

const std::vector<KnownFact>& known_facts() {
  static const std::vector<KnownFact> all = list(static_cast<const KnownFacts*>(nullptr));
  return all;
}

const core::FactInfo* info_of(const std::string& name) {
  std::vector<std::string> names;
  for (const KnownFact& known : known_facts()) {
    if (known.info->name == name) return known.info;
    names.emplace_back(known.info->name);
  }
  throw NoSuchFact("there is no fact \"" + name + "\"" + suggestion(name, names));
}

std::size_t position_of(const std::string& field, const core::FactInfo& info) {
  std::vector<std::string> names;
  for (const std::string_view name : core::fields_of(info)) names.emplace_back(name);
  const auto found = std::ranges::find(names, field);
  if (found == names.end())
    throw NoSuchFact("a fact " + std::string(info.name) + " has no \"" + field + "\"" +
                     suggestion(field, names));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> said_by(const core::EncodedFact& fact) {
  for (const KnownFact& known : known_facts())
    if (known.info == fact.info) return known.values(fact.payload);
  return {};
}

// The number alone also matches: "3" matches "peer 3", and "0.5" matches "0.5 s".
bool means(const std::string& asked, const std::string& said) {
  return asked == said || "peer " + asked == said || asked + " s" == said;
}

}  // namespace

FactWatch::FactWatch(std::string_view asked) {
  std::istringstream words{std::string(asked)};
  std::string name;
  words >> name;
  info_ = info_of(name);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw NoSuchFact("\"" + word + "\" is no FIELD=VALUE of a fact " + name);
    values_.emplace_back(position_of(word.substr(0, equals), *info_), word.substr(equals + 1));
  }
}

bool FactWatch::matches(const core::EncodedFact& fact) const {
  if (fact.info != info_) return false;
  if (values_.empty()) return true;
  const std::vector<std::string> said = said_by(fact);
  return std::ranges::all_of(values_, [&](const auto& value) {
    return value.first < said.size() && means(value.second, said[value.first]);
  });
}

std::string sentence_of(core::Time at, core::PeerId peer, const core::EncodedFact& fact) {
  return sentence_of({.at = at, .peer = peer}, *fact.info, said_by(fact));
}

}  // namespace rhizome::scenarios
