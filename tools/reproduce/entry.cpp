#include "tools/reproduce/entry.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/nearest.hpp"
#include "tools/carried.hpp"

namespace rhizome::tools {

namespace {

// The order in which results are listed and reported.
constexpr std::string_view order[] = {
    "fig5-1.toml",   "fig5-2.toml",   "fig5-3.toml",    "fig5-4.toml",   "fig5-5.toml",
    "density.toml",  "tree.toml",     "promotion.toml", "rise.toml",     "machines.toml",
    "children.toml", "adaptive.toml", "hybrid.toml",    "spread.toml",   "cloud.toml",
    "load.toml",     "random-a.toml", "random-b.toml",  "random-c.toml", "exponential.toml",
    "cyclon.toml",   "healing.toml",  "gradient.toml",  "queues.toml",   "choices.toml"};

Operand parse_operand(const std::string& word, const Position& at) {
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos) refuse(at, "\"" + word + "\" is not LABEL.METRIC");
  Operand operand{.label = word.substr(0, dot), .metric = word.substr(dot + 1)};
  if (find_metric(operand.metric) == nullptr) {
    const std::vector<std::string> names = metric_names();
    refuse(at, "there is no metric \"" + operand.metric + "\"" + suggestion(operand.metric, names));
  }
  return operand;
}

std::optional<double> number_in(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') return {};
  return value;
}

void parse_right(PublishedClaim& claim, const std::string& word, const Position& at) {
  if (const auto number = number_in(word)) {
    claim.right = *number;
  } else {
    claim.right = parse_operand(word, at);
  }
}

// "A < B", "A > 3", "A / B < 3", "A = B", "A largest", "A / B largest", "A same".
void parse_test(PublishedClaim& claim, const std::string& text, const Position& at) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  claim.test = text;
  claim.test_at = at;
  const auto is = [&](std::size_t i, const char* word) {
    return i < words.size() && words[i] == word;
  };
  if (words.size() == 3 && (is(1, "<") || is(1, ">") || is(1, "="))) {
    claim.kind = is(1, "<") ? TestKind::less : is(1, ">") ? TestKind::greater : TestKind::equal;
    parse_right(claim, words[2], at);
  } else if (words.size() == 5 && is(1, "/") && (is(3, "<") || is(3, ">")) && number_in(words[4])) {
    claim.kind = is(3, "<") ? TestKind::less : TestKind::greater;
    claim.left.divisor = parse_operand(words[2], at);
    claim.right = *number_in(words[4]);
  } else if (words.size() == 4 && is(1, "/") && is(3, "largest")) {
    claim.kind = TestKind::largest;
    claim.left.divisor = parse_operand(words[2], at);
  } else if (words.size() == 2 && (is(1, "largest") || is(1, "same"))) {
    claim.kind = is(1, "same") ? TestKind::same : TestKind::largest;
  } else {
    refuse(at,
           "\"" + text +
               "\" is none of: A < B, A > B, A = B, A / B < 3, A largest, A / B largest, A same");
  }
  claim.left.operand = parse_operand(words[0], at);
}

// Reads the keys of one table; each must be known.
class Keys {
 public:
  explicit Keys(const Entry& entry) : entry_(entry) {}

  [[nodiscard]] std::string text() const {
    const auto* value = std::get_if<std::string>(&single());
    if (value == nullptr) refuse(entry_.at, "\"" + entry_.key + "\" must be a text");
    return *value;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> list;
    for (const Scalar& scalar : entry_.values) {
      const auto* value = std::get_if<std::string>(&scalar);
      if (value == nullptr) refuse(entry_.at, "\"" + entry_.key + "\" must be a list of texts");
      list.push_back(*value);
    }
    return list;
  }
  [[nodiscard]] std::vector<double> numbers() const {
    std::vector<double> list;
    for (const Scalar& scalar : entry_.values) list.push_back(number_of(scalar));
    return list;
  }
  [[nodiscard]] bool boolean() const {
    const auto* value = std::get_if<bool>(&single());
    if (value == nullptr) refuse(entry_.at, "\"" + entry_.key + "\" must be true or false");
    return *value;
  }
  [[nodiscard]] bool says(const std::string& word) const {
    const auto* value = std::get_if<std::string>(&entry_.values.front());
    return !entry_.list && value != nullptr && *value == word;
  }
  [[nodiscard]] double number() const { return number_of(single()); }
  [[noreturn]] void unknown(const std::vector<std::string>& names) const {
    refuse(entry_.at, "there is no key \"" + entry_.key + "\"" + suggestion(entry_.key, names));
  }

 private:
  [[nodiscard]] double number_of(const Scalar& scalar) const {
    if (const auto* real = std::get_if<double>(&scalar)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return static_cast<double>(*whole);
    refuse(entry_.at, "\"" + entry_.key + "\" must be a number");
  }
  [[nodiscard]] const Scalar& single() const {
    if (entry_.list) refuse(entry_.at, "\"" + entry_.key + "\" takes one value");
    return entry_.values.front();
  }
  const Entry& entry_;
};

void read_head(Reproduction& made, const Entry& entry) {
  const Keys keys(entry);
  if (entry.key == "name") {
    made.name = keys.text();
  } else if (entry.key == "title") {
    made.title = keys.text();
  } else if (entry.key == "source") {
    made.source = keys.text();
  } else if (entry.key == "study") {
    made.study = keys.text();
  } else if (entry.key == "note") {
    made.note = keys.text();
  } else {
    keys.unknown({"name", "title", "source", "study", "note"});
  }
}

Origin origin_named(const std::string& word, const Position& at) {
  for (const Origin origin : {Origin::published, Origin::derived, Origin::ours})
    if (word == name_of(origin)) return origin;
  refuse(at, "\"origin\" is \"published\", \"derived\" or \"ours\"");
}

void read_claim(PublishedClaim& claim, const Entry& entry) {
  const Keys keys(entry);
  if (entry.key == "says") {
    claim.says = keys.text();
  } else if (entry.key == "test") {
    parse_test(claim, keys.text(), entry.at);
  } else if (entry.key == "where") {
    claim.where = keys.texts();
  } else if (entry.key == "except") {
    claim.except = keys.texts();
  } else if (entry.key == "origin") {
    claim.origin = origin_named(keys.text(), entry.at);
  } else if (entry.key == "across") {
    claim.across = keys.text();
  } else if (entry.key == "within") {
    claim.within = keys.number();
  } else if (entry.key == "within_absolute") {
    claim.within_absolute = keys.number();
  } else if (entry.key == "counting") {
    if (keys.text() != "messages") refuse(entry.at, "\"counting\" may only be \"messages\"");
    claim.messages_only = true;
  } else {
    keys.unknown({"says", "origin", "test", "where", "except", "across", "within",
                  "within_absolute", "counting"});
  }
}

// The lists of a table that belong together, value by value.
void put_values(std::vector<std::pair<std::string, double>>& pairs,
                const std::vector<std::string>& values) {
  if (pairs.size() < values.size()) pairs.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) pairs[i].first = values[i];
}
void put_numbers(std::vector<std::pair<std::string, double>>& pairs,
                 const std::vector<double>& numbers) {
  if (pairs.size() < numbers.size()) pairs.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) pairs[i].second = numbers[i];
}

void read_law(PublishedClaim& claim, const std::string& name, const Position& at) {
  std::vector<std::string> names;
  for (const Law& law : laws()) names.emplace_back(law.name);
  if (find_law(name) == nullptr)
    refuse(at, "there is no law \"" + name + "\"" + suggestion(name, names));
  claim.law = name;
  claim.law_at = at;
}

// Digitised or computed points: a claim for each of them.
void read_points(PublishedClaim& claim, const Entry& entry) {
  const Keys keys(entry);
  claim.kind = TestKind::near;
  claim.messages_only = true;
  if (entry.key == "says") {
    claim.says = keys.text();
  } else if (entry.key == "origin") {
    claim.origin = origin_named(keys.text(), entry.at);
  } else if (entry.key == "of") {
    claim.test = keys.text();
    claim.left.operand = parse_operand(claim.test, entry.at);
  } else if (entry.key == "across") {
    claim.across = keys.text();
  } else if (entry.key == "values") {
    put_values(claim.points, keys.texts());
  } else if (entry.key == "published") {
    put_numbers(claim.points, keys.numbers());
  } else if (entry.key == "within") {
    claim.within = keys.number();
  } else if (entry.key == "within_absolute") {
    claim.within_absolute = keys.number();
  } else if (entry.key == "law") {
    read_law(claim, keys.text(), entry.at);
  } else {
    keys.unknown({"says", "origin", "of", "across", "values", "published", "law", "within",
                  "within_absolute"});
  }
}

void read_figure(PublishedFigure& figure, const Entry& entry) {
  const Keys keys(entry);
  if (entry.key == "labels") {
    figure.labels = keys.texts();
  } else if (entry.key == "metric") {
    figure.metric = keys.text();
    const std::vector<std::string> names = metric_names();
    if (find_metric(figure.metric) == nullptr)
      refuse(entry.at,
             "there is no metric \"" + figure.metric + "\"" + suggestion(figure.metric, names));
  } else if (entry.key == "across") {
    figure.across = keys.text();
  } else if (entry.key == "values") {
    put_values(figure.at, keys.texts());
  } else if (entry.key == "drawn_at" && keys.says("load")) {
    figure.at_load = entry.at;
  } else if (entry.key == "drawn_at") {
    put_numbers(figure.at, keys.numbers());
  } else if (entry.key == "axis") {
    figure.axis = keys.text();
  } else if (entry.key == "logarithmic") {
    figure.logarithmic = keys.boolean();
  } else {
    keys.unknown({"metric", "labels", "across", "values", "drawn_at", "axis", "logarithmic"});
  }
}

void check_points(const PublishedClaim& claim, const std::string& name, const Position& top) {
  const bool some = !claim.across.empty() && claim.within > 0;
  if (claim.law.empty()) {
    if (!some || claim.points.empty())
      refuse(top, "points need across, values, published and within, in " + name);
    return;
  }
  if (!some) refuse(claim.law_at, "points of a law need across and within");
  if (!claim.points.empty() || claim.within_absolute > 0)
    refuse(claim.law_at,
           "a law computes its points: values, published and within_absolute are not for it");
  if (!covers(claim.left.operand.metric))
    refuse(claim.law_at, "laws speak of mean_response and mean_queueing, not of \"" +
                             claim.left.operand.metric + "\"");
}

// A number that an interval happens to contain proves nothing: "=" needs a margin, and so does a
// law that nothing changes.
void check_test(const PublishedClaim& claim) {
  const bool same = claim.kind == TestKind::same;
  const bool equal = claim.kind == TestKind::equal;
  const auto* number = std::get_if<double>(&claim.right);
  if (same == claim.across.empty())
    refuse(claim.test_at, "\"across\" belongs to the test \"A same\"");
  if (claim.within_absolute > 0 && !(equal && number != nullptr))
    refuse(claim.test_at, "\"within_absolute\" belongs to the test \"A = 3\"");
  if ((same || equal) != (claim.within > 0 || claim.within_absolute > 0))
    refuse(claim.test_at,
           "\"within\" belongs to the tests \"A same\" and \"A = B\", which need it");
  if (equal && number != nullptr && *number == 0 && claim.within > 0)
    refuse(claim.test_at, "there is no share of 0: state \"within_absolute\"");
  if (claim.kind == TestKind::largest && claim.where.empty())
    refuse(claim.test_at, "the test \"largest\" needs \"where\"");
}

// What is missing can only be seen once all keys are there.
void check(const Reproduction& made, const std::string& file) {
  const Position top{file};
  if (made.name.empty() || made.study.empty())
    refuse(top, "a published result has a name and a study");
  for (const PublishedClaim& claim : made.claims) {
    if (claim.test.empty()) refuse(top, "a claim of " + made.name + " has no test");
    if (claim.kind == TestKind::near) {
      check_points(claim, made.name, top);
      continue;
    }
    check_test(claim);
  }
  for (const PublishedFigure& figure : made.figures)
    if (figure.drawn_at_load() && (figure.across.empty() || !figure.at.empty()))
      refuse(figure.at_load, "a figure drawn at the load needs across and no values");
}

}  // namespace

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::published:
      return "published";
    case Origin::derived:
      return "derived";
    case Origin::ours:
      break;
  }
  return "ours";
}

Reproduction parse_reproduction(std::string_view text, const std::string& file) {
  const Document document = read_document(text, file);
  Reproduction made;
  const std::size_t claims = document.count("claim");
  made.claims.resize(claims + document.count("points"));
  made.figures.resize(document.count("figure"));
  for (const Entry& entry : document.entries) {
    const std::size_t mark = entry.section.find('#');
    const std::string table = entry.section.substr(0, mark);
    const std::size_t i = mark == std::string::npos
                              ? 0
                              : std::strtoull(entry.section.c_str() + mark + 1, nullptr, 10);
    if (table.empty()) {
      read_head(made, entry);
    } else if (table == "claim" && mark != std::string::npos) {
      read_claim(made.claims[i], entry);
    } else if (table == "points" && mark != std::string::npos) {
      read_points(made.claims[claims + i], entry);
    } else if (table == "figure" && mark != std::string::npos) {
      read_figure(made.figures[i], entry);
    } else {
      refuse(entry.at, "there is no table \"" + table + "\"");
    }
  }
  check(made, file);
  return made;
}

std::vector<Reproduction> all_reproductions() {
  std::vector<Reproduction> all;
  for (const std::string_view name : order)
    all.push_back(parse_reproduction(study_text(std::string(name)), std::string(name)));
  return all;
}

std::string_view study_text(const std::string& file) {
  return carried_file("reproductions/" + file);
}

}  // namespace rhizome::tools
