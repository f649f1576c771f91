#include "agents/vector/course.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "agents/possible.hpp"
#include "agents/vector/metrics.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::agents::vectors {

namespace {

constexpr double most_weight = 1000;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

double number_in(std::string_view word, const std::string& what) {
  const auto value = core::parse_number<double>(word);
  if (!value) refuse("has \"" + std::string(word) + "\" where " + what + " should stand");
  return *value;
}

core::Time time_in(const std::string& word) {
  const bool seconds = word.size() > 1 && word.back() == 's';
  const double value = number_in(seconds ? std::string_view(word).substr(0, word.size() - 1) : word,
                                 "a time in seconds, such as 300s,");
  if (!seconds || !(value > 0) || value > core::seconds(longest_time))
    refuse("has \"" + word + "\" where a time in seconds, such as 300s, should stand");
  return core::Time{} + core::from_seconds(value);
}

double weight_in(const std::string& word, const std::string& metric) {
  const double weight = number_in(word, "the weight of \"" + metric + "\"");
  if (!(weight >= -most_weight && weight <= most_weight))
    refuse("has a weight of \"" + metric + "\" that is not between -1000 and 1000");
  return weight;
}

std::string known_metrics() {
  std::string names;
  for (const PeerMetric& metric : metrics())
    names += (names.empty() ? "\"" : ", \"") + std::string(metric.name) + "\"";
  return names;
}

void add_weight(Course::Weights& weights, const std::string& metric, std::istream& words) {
  const auto place = find_metric(metric);
  if (!place) refuse("names \"" + metric + "\", which is no metric: there are " + known_metrics());
  if (weights[*place] != 0) refuse("names \"" + metric + "\" twice");
  std::string word;
  if (!(words >> word)) refuse("gives \"" + metric + "\" no weight");
  weights[*place] = weight_in(word, metric);
}

}  // namespace

Course::Course() : legs_{{.from = {}, .weights = Weights(metrics().size(), 0)}} {}

Course::Course(std::string_view text) : Course() {
  std::istringstream legs{std::string(text)};
  std::string leg;
  for (bool first = true; std::getline(legs, leg, ';'); first = false) {
    std::istringstream words(leg);
    std::string word;
    if (!first) {
      if (!(words >> word) || word != "from" || !(words >> word))
        refuse("has no \"from\" and time after a semicolon");
      const core::Time from = time_in(word);
      if (from <= legs_.back().from) refuse("has times that do not ascend");
      legs_.push_back({.from = from, .weights = Weights(metrics().size(), 0)});
    }
    while (words >> word) add_weight(legs_.back().weights, word, words);
  }
}

bool Course::weighs_against(std::size_t metric) const {
  const auto size = [](double weight) { return std::abs(weight); };
  const auto against = [&](const Leg& leg) {
    const double most = size(std::ranges::max(leg.weights, {}, size));
    return leg.weights[metric] < 0 && size(leg.weights[metric]) >= most / 2;
  };
  const auto counts = [](const Leg& leg) {
    return std::ranges::any_of(leg.weights, [](double weight) { return weight != 0; });
  };
  return against(legs_.front()) &&
         std::ranges::all_of(legs_, [&](const Leg& leg) { return !counts(leg) || against(leg); });
}

const Course::Weights& Course::at(core::Time now) const {
  std::size_t leg = legs_.size() - 1;
  while (legs_[leg].from > now) --leg;
  return legs_[leg].weights;
}

std::string fault_of_course(std::string_view text) {
  try {
    static_cast<void>(Course(text));
    return {};
  } catch (const std::invalid_argument& fault) {
    return fault.what();
  }
}

}  // namespace rhizome::agents::vectors
