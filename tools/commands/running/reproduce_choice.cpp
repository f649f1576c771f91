#include "tools/commands/running/reproduce_choice.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "scenarios/text/nearest.hpp"
#include "tools/cli/messages.hpp"

namespace rhizome::tools {

namespace {

namespace fs = std::filesystem;

// A suggestion for an unknown name: "organic-grid/fig5-1" for "fig5-1", else the nearest name.
std::string meant_by(const std::string& word, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.substr(name.rfind('/') + 1) == word) return "; did you mean \"" + name + "\"?";
  return scenarios::suggestion(word, names);
}

// "vector" or "vector/*" means all of "vector/phases", "vector/stasis" and so on.
bool means(std::string word, const std::string& name) {
  if (word.ends_with("/*")) word.resize(word.size() - 2);
  return name == word || name.starts_with(word + "/");
}

// The published results whose data files exist.
std::vector<Reproduction> all_with_data(const Arguments& arguments) {
  std::vector<Reproduction> all = all_reproductions();
  std::erase_if(all, [&](const Reproduction& one) {
    const std::string why = missing_data(one, arguments);
    if (!why.empty()) warn("left out: " + why);
    return !why.empty();
  });
  return all;
}

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Whether the word, "figure 5.1" or "5.1", is a figure that the source names; "figure 5.12" is
// another. Both are in small letters.
bool is_figure(const std::string& word, const std::string& source) {
  const std::string number = word.starts_with("figure ") ? word.substr(7) : word;
  if (number.empty() || number.find_first_not_of("0123456789.") != std::string::npos) return false;
  const std::string phrase = "figure " + number;
  const std::size_t at = source.find(phrase);
  if (at == std::string::npos) return false;
  const std::size_t end = at + phrase.size();
  return end == source.size() || std::isdigit(static_cast<unsigned char>(source[end])) == 0;
}

}  // namespace

fs::path data_folder(const Arguments& arguments) { return arguments.text("data").value_or("."); }

std::string missing_data(const Reproduction& one, const Arguments& arguments) {
  if (one.data.empty() || fs::exists(data_folder(arguments) / one.data)) return {};
  return one.name + " needs the file " + one.data + " in the folder of --data: " + one.note;
}

std::vector<Reproduction> named_results(const Arguments& arguments) {
  std::vector<Reproduction> all = all_reproductions();
  std::vector<std::string> names;
  for (const Reproduction& one : all) names.push_back(one.name);
  std::set<std::size_t> taken;
  std::vector<Reproduction> list;
  for (const std::string& said : arguments.positional()) {
    const std::string word = in_small_letters(said);
    bool known = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!means(word, names[i]) && !is_figure(word, in_small_letters(all[i].source))) continue;
      known = true;
      if (taken.insert(i).second) list.push_back(all[i]);
    }
    if (!known)
      throw UsageError("there is no published result \"" + said + "\"" + meant_by(word, names) +
                       "; rhizome reproduce --list names them");
  }
  return list;
}

std::vector<Reproduction> chosen_results(const Arguments& arguments) {
  if (arguments.has("all")) return all_with_data(arguments);
  const std::vector<Reproduction> list = named_results(arguments);
  if (list.empty()) throw UsageError("say which published result, --all or --list");
  for (const Reproduction& one : list)
    if (const std::string why = missing_data(one, arguments); !why.empty()) throw UsageError(why);
  return list;
}

}  // namespace rhizome::tools
