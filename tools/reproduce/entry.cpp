#include "tools/reproduce/entry.hpp"

#include <algorithm>
#include <functional>
#include <sstream>

#include "core/peer/names.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/format/builder.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/enumerators.hpp"
#include "scenarios/text/nearest.hpp"
#include "tools/carried.hpp"
#include "tools/reproduce/order.hpp"

namespace rhizome::tools {

namespace {

Operand parse_operand(const std::string& word, const Position& at) {
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos) refuse(at, "\"" + word + "\" is not LABEL.METRIC");
  Operand operand{.label = word.substr(0, dot), .metric = word.substr(dot + 1)};
  if (find_metric(operand.metric) == nullptr) refuse(at, no_metric(operand.metric));
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

// A key of a table of a reproduction: `read` stores the value of an entry in the T that the table
// describes.
template <class T>
struct Key {
  std::string name;
  std::function<void(T&, const Entry&)> read;
};

// A key with one value, which is read by the rules of scenarios.
template <class T>
Key<T> key(const core::Settings<T>& settings) {
  const core::Setting& setting = settings.list().front();
  return {setting.name, [setting](T& into, const Entry& entry) {
            if (entry.list) refuse(entry.at, "\"" + entry.key + "\" takes one value");
            assign_setting(setting, &into, entry);
          }};
}
template <class T, class M>
Key<T> key(const char* name, M T::*member) {
  return key(core::Settings<T>{}.add(name, member, {}));
}
Key<PublishedClaim> origin_key() {
  std::vector<std::string> words;
  for (const Origin origin : {Origin::published, Origin::derived, Origin::ours})
    words.emplace_back(name_of(origin));
  return key(core::Settings<PublishedClaim>{}.add("origin", &PublishedClaim::origin, words, {}));
}

// The values of an entry that has a list or a single value, all of one type.
template <class V>
std::vector<V> list_in(const Entry& entry) {
  struct One {
    V value{};
  };
  const core::Settings<One> setting = core::Settings<One>{}.add(entry.key, &One::value, {});
  std::vector<V> list;
  for (const Value& value : entry.values) {
    Entry single = entry;
    single.values = {value};
    One one;
    assign_setting(setting.list().front(), &one, single);
    list.push_back(std::move(one.value));
  }
  return list;
}
template <class T>
Key<T> key(const char* name, std::vector<std::string> T::*member) {
  return {name,
          [member](T& into, const Entry& entry) { into.*member = list_in<std::string>(entry); }};
}

// The text of an entry, for further parsing.
std::string text_in(const Entry& entry) {
  if (entry.list) refuse(entry.at, "\"" + entry.key + "\" takes one value");
  return list_in<std::string>(entry).front();
}

// A key that lists cells of the study; they are checked once the study is known.
template <class T>
Key<T> places_key(const char* name, std::vector<std::string> T::*member) {
  return {name, [member](T& into, const Entry& entry) {
            into.*member = list_in<std::string>(entry);
            into.places_at = entry.at;
          }};
}

template <class T>
void read_key(const std::vector<Key<T>>& keys, T& into, const Entry& entry) {
  std::vector<std::string> names;
  for (const Key<T>& known : keys) {
    if (known.name == entry.key) return known.read(into, entry);
    names.push_back(known.name);
  }
  refuse(entry.at, "there is no key \"" + entry.key + "\"" + suggestion(entry.key, names));
}

const std::vector<Key<Reproduction>>& head_keys() {
  static const std::vector<Key<Reproduction>> keys{
      key("name", &Reproduction::name),     key("title", &Reproduction::title),
      key("source", &Reproduction::source), key("study", &Reproduction::study),
      key("note", &Reproduction::note),     key("data", &Reproduction::data)};
  return keys;
}

// Published figures that count messages must not count portions.
void read_counting(PublishedClaim& claim, const Entry& entry) {
  if (text_in(entry) != "messages") refuse(entry.at, "\"counting\" may only be \"messages\"");
  claim.messages_only = true;
}

const std::vector<Key<PublishedClaim>>& claim_keys() {
  using C = PublishedClaim;
  static const std::vector<Key<C>> keys{
      key("says", &C::says),
      origin_key(),
      {"test", [](C& claim, const Entry& entry) { parse_test(claim, text_in(entry), entry.at); }},
      places_key("where", &C::where),
      places_key("except", &C::except),
      key("across", &C::across),
      key("within", &C::within),
      key("within_absolute", &C::within_absolute),
      {"counting", read_counting}};
  return keys;
}

// Combines two lists of a table, value by value.
using Pairs = std::vector<std::pair<std::string, double>>;
template <class T>
void put_values(T& into, Pairs T::*member, const Entry& entry) {
  Pairs& pairs = into.*member;
  into.places_at = entry.at;
  const auto values = list_in<std::string>(entry);
  if (pairs.size() < values.size()) pairs.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) pairs[i].first = values[i];
}
void put_numbers(Pairs& pairs, const Entry& entry) {
  const auto numbers = list_in<double>(entry);
  if (pairs.size() < numbers.size()) pairs.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) pairs[i].second = numbers[i];
}

void read_law(PublishedClaim& claim, const Entry& entry) {
  const std::string name = text_in(entry);
  if (find_law(name) == nullptr)
    refuse(entry.at, "there is no law \"" + name + "\"" +
                         suggestion(name, core::names_of(laws()), "rhizome list metrics"));
  claim.law = name;
  claim.law_at = entry.at;
}

void read_of(PublishedClaim& claim, const Entry& entry) {
  claim.test = text_in(entry);
  claim.left.operand = parse_operand(claim.test, entry.at);
}

// Digitised or computed points: each point is a claim.
const std::vector<Key<PublishedClaim>>& points_keys() {
  using C = PublishedClaim;
  static const std::vector<Key<C>> keys{
      key("says", &C::says),
      origin_key(),
      {"of", read_of},
      key("across", &C::across),
      places_key("where", &C::where),
      {"values", [](C& claim, const Entry& entry) { put_values(claim, &C::points, entry); }},
      {"published", [](C& claim, const Entry& entry) { put_numbers(claim.points, entry); }},
      {"law", read_law},
      key("within", &C::within),
      key("within_absolute", &C::within_absolute)};
  return keys;
}

// Reads the name of a metric.
void read_metric(std::string& name, const Entry& entry) {
  name = text_in(entry);
  if (find_metric(name) == nullptr) refuse(entry.at, no_metric(name));
}

void read_shows(PublishedFigure& figure, const Entry& entry) {
  const core::Settings<PublishedFigure> shows = core::Settings<PublishedFigure>{}.add(
      "shows", &PublishedFigure::shows, {"metric", "completions", "schedule"}, {});
  assign_setting(shows.list().front(), &figure, entry);
  figure.shows_at = entry.at;
}

// Reads numbers, or the word "load".
void read_drawn_at(PublishedFigure& figure, const Entry& entry) {
  if (!entry.list && entry.values.front().scalar == Scalar(std::string("load"))) {
    figure.at_load = entry.at;
  } else {
    put_numbers(figure.at, entry);
  }
}

const std::vector<Key<PublishedFigure>>& figure_keys() {
  using F = PublishedFigure;
  static const std::vector<Key<F>> keys{
      {"shows", read_shows},
      {"metric", [](F& figure, const Entry& entry) { read_metric(figure.metric, entry); }},
      {"bound", [](F& figure, const Entry& entry) { read_metric(figure.bound, entry); }},
      key("labels", &F::labels),
      key("across", &F::across),
      {"values", [](F& figure, const Entry& entry) { put_values(figure, &F::at, entry); }},
      {"drawn_at", read_drawn_at},
      key("axis", &F::axis),
      key("logarithmic", &F::logarithmic)};
  return keys;
}

void check_points(const PublishedClaim& claim, const std::string& name, const Position& top) {
  const bool across = !claim.across.empty();
  if (claim.law.empty()) {
    if (!across || claim.points.empty() || (claim.within <= 0 && claim.within_absolute <= 0))
      refuse(top, "points need across, values, published and within, in " + name);
    return;
  }
  if (!across || claim.within <= 0) refuse(claim.law_at, "points of a law need across and within");
  if (!claim.points.empty() || claim.within_absolute > 0)
    refuse(claim.law_at,
           "a law computes its points: values, published and within_absolute are not for it");
  if (!covers(claim.left.operand.metric))
    refuse(claim.law_at, "laws speak of mean_response and mean_queueing, not of \"" +
                             claim.left.operand.metric + "\"");
}

// An interval may contain a number by chance, which proves nothing. So "=" needs a margin, and so
// does "same", which claims that a value does not change.
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

void check_figure(const PublishedFigure& figure, const Position& top) {
  if (figure.drawn_at_load() && (figure.across.empty() || !figure.at.empty()))
    refuse(figure.at_load, "a figure drawn at the load needs across and no values");
  const bool metric = figure.shows == Shows::metric;
  if (metric && figure.metric.empty()) refuse(top, "a figure shows a metric, or says what else");
  if (!metric && !(figure.metric.empty() && figure.across.empty() && figure.at.empty()))
    refuse(figure.shows_at, "a figure of completions or a schedule has no metric and no across");
  if (!figure.bound.empty() && (figure.shows == Shows::schedule || !figure.across.empty()))
    refuse(figure.shows_at.file.empty() ? top : figure.shows_at,
           "a bound is drawn beside bars and completions only");
}

// Checks what is missing, which is possible only after all keys are read.
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
  for (const PublishedFigure& figure : made.figures) check_figure(figure, top);
}

}  // namespace

std::string_view name_of(Origin origin) {
  return one_of<Origin, std::string_view>(origin, {"published", "derived", "ours"});
}

Reproduction parse_reproduction(std::string_view text, const std::string& file) {
  const Document document = read_document(text, file);
  Reproduction made;
  const std::size_t claims = document.count("claim");
  made.claims.resize(claims + document.count("points"));
  made.figures.resize(document.count("figure"));
  for (std::size_t i = claims; i < made.claims.size(); ++i) {
    made.claims[i].kind = TestKind::near;
    made.claims[i].messages_only = true;
  }
  for (const Entry& entry : document.entries) {
    const auto [table, i] = split_section(entry.section);
    const bool item = entry.section.find('#') != std::string::npos;
    if (table.empty()) {
      read_key(head_keys(), made, entry);
    } else if (table == "claim" && item) {
      read_key(claim_keys(), made.claims[i], entry);
    } else if (table == "points" && item) {
      read_key(points_keys(), made.claims[claims + i], entry);
    } else if (table == "figure" && item) {
      read_key(figure_keys(), made.figures[i], entry);
    } else {
      refuse(entry.at, "there is no table \"" + table + "\"");
    }
  }
  check(made, file);
  return made;
}

std::vector<Reproduction> all_reproductions() {
  std::vector<Reproduction> all;
  for (const std::string_view name : order_of_results)
    all.push_back(parse_reproduction(study_text(std::string(name)), std::string(name)));
  return all;
}

std::string_view study_text(const std::string& file) {
  return carried_file("reproductions/" + file);
}

}  // namespace rhizome::tools
