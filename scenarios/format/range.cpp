#include "scenarios/format/range.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

#include "core/peer/number_text.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/quantity.hpp"

namespace rhizome::scenarios {

namespace {

constexpr double most_values = 10'000;

enum class QuantityKind : std::uint8_t { whole, decimal, duration, rate };

// A whole number, or one of nanoseconds or of bits a second, is exact; a decimal is `real`.
struct Quantity {
  QuantityKind kind = QuantityKind::whole;
  std::int64_t exact = 0;
  double real = 0;
};

std::optional<Quantity> quantity(std::string_view text) {
  if (const auto whole = core::parse_number<std::int64_t>(text))
    return Quantity{QuantityKind::whole, *whole, static_cast<double>(*whole)};
  const auto decimal = core::parse_number<double>(text);
  if (decimal && std::isfinite(*decimal)) return Quantity{QuantityKind::decimal, 0, *decimal};
  if (const auto duration = parse_duration(text))
    return Quantity{QuantityKind::duration, duration->count(),
                    static_cast<double>(duration->count())};
  if (const auto rate = parse_rate(text))
    return Quantity{QuantityKind::rate, rate->bits_per_second,
                    static_cast<double>(rate->bits_per_second)};
  return {};
}

// Four digits are enough to space values by, and are read with ease.
double four_digits(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Scalar one_value(QuantityKind kind, std::int64_t exact) {
  if (kind == QuantityKind::duration) return duration_text(core::Duration(exact));
  if (kind == QuantityKind::rate) return rate_text(core::Rate{exact});
  return exact;
}

// One range: its ends, and how it goes from one to the other.
class Range {
 public:
  Range(std::string_view text, const Position& at) : text_(text), at_(at) {
    const std::size_t dots = text.find("..");
    std::istringstream rest{std::string(text.substr(dots + 2))};
    std::string high;
    std::string size;
    rest >> high >> how_ >> size >> more_;
    low_ = read(text.substr(0, text.find_last_not_of(' ', dots - 1) + 1));
    high_ = read(high);
    if (!more_.empty() || (how_.empty() != size.empty()) ||
        (!how_.empty() && how_ != "step" && how_ != "log"))
      refuse_as("it goes on as \"step SIZE\" or \"log COUNT\", or ends");
    if (!how_.empty()) size_ = read(size);
    agree();
  }

  [[nodiscard]] std::vector<Scalar> values() const {
    std::vector<Scalar> list = how_ == "log" ? logarithmic() : stepped();
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

 private:
  [[noreturn]] void refuse_as(const std::string& why) const {
    refuse(at_, fmt::format("\"{}\" is no range: {}", text_, why));
  }
  [[nodiscard]] Quantity read(std::string_view text) const {
    if (const auto found = quantity(text)) return *found;
    refuse_as(
        fmt::format("\"{}\" is no number, no duration such as 250ms and no rate such as "
                    "10Mbit/s",
                    text));
  }

  void agree() {
    if (low_.kind != high_.kind && !(numeric(low_) && numeric(high_)))
      refuse_as("its ends are not of one kind");
    kind_ = low_.kind == high_.kind ? low_.kind : QuantityKind::decimal;
    if (how_ == "step" && numeric(size_) && kind_ == QuantityKind::whole) kind_ = size_.kind;
    if (high_.real < low_.real) refuse_as("it ends below its beginning");
    if (how_ == "log") return agree_on_log();
    if (how_.empty() && kind_ != QuantityKind::whole)
      refuse_as(
          "only whole numbers follow one another by themselves: add \"step SIZE\" or \"log "
          "COUNT\"");
    if (how_.empty()) size_ = Quantity{QuantityKind::whole, 1, 1};
    if (numeric(size_) != (kind_ == QuantityKind::whole || kind_ == QuantityKind::decimal) ||
        (!numeric(size_) && size_.kind != kind_))
      refuse_as("its step is not of the kind of its ends");
    if (!(size_.real > 0)) refuse_as("its step must be above 0");
    if ((high_.real - low_.real) / size_.real >= most_values)
      refuse_as(fmt::format("it has more than {} values", most_values));
  }
  void agree_on_log() const {
    if (size_.kind != QuantityKind::whole || size_.exact < 2 || size_.real > most_values)
      refuse_as(fmt::format("the count after \"log\" is a whole number from 2 to {}", most_values));
    if (!(low_.real > 0)) refuse_as("a logarithmic one begins above 0");
  }
  static bool numeric(const Quantity& one) {
    return one.kind == QuantityKind::whole || one.kind == QuantityKind::decimal;
  }

  [[nodiscard]] std::vector<Scalar> stepped() const {
    std::vector<Scalar> list;
    if (kind_ != QuantityKind::decimal) {
      // Unsigned, because the ends may lie farther apart than a signed number can hold.
      const auto low = static_cast<std::uint64_t>(low_.exact);
      const auto size = static_cast<std::uint64_t>(size_.exact);
      const std::uint64_t steps = (static_cast<std::uint64_t>(high_.exact) - low) / size;
      for (std::uint64_t i = 0; i <= steps; ++i)
        list.push_back(one_value(kind_, static_cast<std::int64_t>(low + i * size)));
      return list;
    }
    // Sums of decimals miss the end by a rounding: 0.1 + 2 * 0.1 is above 0.3.
    const auto steps =
        static_cast<std::int64_t>(std::floor((high_.real - low_.real) / size_.real + 1e-9));
    for (std::int64_t i = 0; i <= steps; ++i)
      list.emplace_back(
          std::stod(fmt::format("{:.12g}", low_.real + static_cast<double>(i) * size_.real)));
    return list;
  }

  // Ends are as they were written.
  [[nodiscard]] std::vector<Scalar> logarithmic() const {
    std::vector<Scalar> list;
    const std::int64_t last = size_.exact - 1;
    for (std::int64_t i = 0; i <= last; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(last);
      const double value = low_.real * std::pow(high_.real / low_.real, share);
      const bool end = i == 0 || i == last;
      const Quantity& nearest = i == 0 ? low_ : high_;
      if (kind_ == QuantityKind::decimal) {
        list.emplace_back(end ? nearest.real : four_digits(value));
      } else {
        const double rounded = kind_ == QuantityKind::whole ? value : four_digits(value);
        list.push_back(one_value(kind_, end ? nearest.exact : std::llround(rounded)));
      }
    }
    return list;
  }

  std::string_view text_;
  const Position& at_;
  Quantity low_;
  Quantity high_;
  Quantity size_;     // the step, or how many
  std::string how_;   // "step", "log" or nothing
  std::string more_;  // superfluous text
  QuantityKind kind_ = QuantityKind::whole;
};

// A value that begins otherwise, such as "../file", is a text.
bool begins_as_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos || dots == 0) return false;
  return quantity(text.substr(0, text.find_last_not_of(' ', dots - 1) + 1)).has_value();
}

}  // namespace

std::optional<std::vector<Scalar>> range_values(std::string_view text, const Position& at) {
  if (!begins_as_range(text)) return {};
  return Range(text, at).values();
}

}  // namespace rhizome::scenarios
