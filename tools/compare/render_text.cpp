#include <algorithm>
#include <string>
#include <vector>

#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t page_width = 100;  // columns
constexpr std::size_t title_width = 26;
constexpr std::size_t mean_width = 16;
constexpr std::size_t versus_width = 24;

enum class Ink : std::uint8_t { plain, bold, green, red, yellow };

// Colour comes after the padding: its bytes take no columns.
class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string operator()(Ink ink, const std::string& text) const {
    static constexpr const char* codes[] = {"", "\033[1m", "\033[32m", "\033[31m", "\033[33m"};
    if (!colour_ || ink == Ink::plain) return text;
    return codes[static_cast<std::size_t>(ink)] + text + "\033[0m";
  }

 private:
  bool colour_;
};

Ink ink_of(int merit) { return merit > 0 ? Ink::green : (merit < 0 ? Ink::red : Ink::plain); }

// Without the spaces at its end.
std::string line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// Names that fit above a column: the sides' own, or numbers for all if one is too long.
std::vector<std::string> short_names(const std::vector<Side>& sides) {
  const bool fit = std::all_of(sides.begin(), sides.end(), [](const Side& side) {
    return columns_of(side.name) <= mean_width - 2;  // room for a mark
  });
  std::vector<std::string> names;
  names.reserve(sides.size());
  for (const Side& side : sides)
    names.push_back(fit ? side.name : "#" + std::to_string(names.size() + 1));
  return names;
}

class Table {
 public:
  Table(const Comparison& comparison, const TextOptions& options)
      : comparison_(comparison),
        names_(short_names(comparison.sides)),
        paint_(options.colour),
        all_(options.all) {}

  // Two sides fit on a line with the whole verdict; more get a block of means and one of ratios.
  [[nodiscard]] std::string text() const {
    const std::size_t sides = comparison_.sides.size();
    std::string out = title() + legend() + "\n";
    if (sides == 2) return out + pair();
    constexpr std::size_t means_at_once = (page_width - title_width) / (mean_width + 1);
    for (std::size_t from = 0; from < sides; from += means_at_once)
      out += means(from, std::min(sides, from + means_at_once));
    constexpr std::size_t ratios_at_once = (page_width - title_width) / (versus_width + 1);
    for (std::size_t from = 1; from < sides; from += ratios_at_once)
      out += ratios(from, std::min(sides, from + ratios_at_once));
    return out;
  }

 private:
  [[nodiscard]] std::string title() const {
    std::string runs;
    for (const Side& side : comparison_.sides)
      if (runs.empty() || side.runs != comparison_.sides.front().runs)
        runs += (runs.empty() ? "" : "/") + std::to_string(side.runs);
    const std::string text = comparison_.title + " (" + comparison_.engine + ", " + runs +
                             (runs == "1" ? " run" : " runs") + " each)";
    return paint_(Ink::bold, wrapped(text, page_width, 2));
  }
  [[nodiscard]] std::string legend() const {
    std::string text;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] != comparison_.sides[i].name)
        text += wrapped(names_[i] + " = " + comparison_.sides[i].name, page_width, 5);
    return text;
  }
  [[nodiscard]] bool shown(const ComparisonRow& row) const {
    return all_ || comparison_.headline(row);
  }
  [[nodiscard]] std::string head(std::size_t from, std::size_t to, std::size_t width) const {
    std::string text(title_width, ' ');
    for (std::size_t i = from; i < to; ++i)
      text += fitted(names_[i] + (sound(comparison_.sides[i]) ? "" : " !"), width) + " ";
    return text;
  }

  [[nodiscard]] std::string pair() const {
    std::string out = line(head(0, 2, mean_width) + "ratio to " + names_.front());
    for (const ComparisonRow& row : comparison_.rows) {
      if (!shown(row)) continue;
      const Versus& versus = row.versus[1];
      std::string text = fitted(heading(*row.metric), title_width);
      for (const Estimate& mean : row.means) text += fitted(mean_text(mean), mean_width) + " ";
      text += fitted(versus_text(versus), 20) + " ";
      out += line(text +
                  paint_(ink_of(merit(*row.metric, versus)), verdict_text(*row.metric, versus)));
    }
    return out;
  }

  [[nodiscard]] std::string means(std::size_t from, std::size_t to) const {
    std::string out = line(head(from, to, mean_width));
    for (const ComparisonRow& row : comparison_.rows) {
      if (!shown(row)) continue;
      std::string text = fitted(heading(*row.metric), title_width);
      for (std::size_t i = from; i < to; ++i)
        text += fitted(mean_text(row.means[i]), mean_width) + " ";
      out += line(text);
    }
    return out + "\n";
  }

  [[nodiscard]] std::string ratios(std::size_t from, std::size_t to) const {
    std::string out =
        wrapped("Ratio to " + names_.front() +
                    " (+ better, - worse, < less, > more, ~ not distinguishable, ? too few runs, "
                    "! not comparable)",
                page_width, 2);
    out += line(head(from, to, versus_width));
    for (const ComparisonRow& row : comparison_.rows) {
      if (!shown(row)) continue;
      std::string text = fitted(heading(*row.metric), title_width);
      for (std::size_t i = from; i < to; ++i) text += ratio(*row.metric, row.versus[i]) + " ";
      out += line(text);
    }
    return out + "\n";
  }

  // A sign first, because colour may be off and is never the only bearer of meaning.
  [[nodiscard]] std::string ratio(const Metric& metric, const Versus& versus) const {
    const int worth = merit(metric, versus);
    const std::string sign = worth > 0 ? "+" : (worth < 0 ? "-" : sign_of(versus.verdict));
    return paint_(ink_of(worth), fitted(sign + " " + versus_text(versus), versus_width));
  }
  static std::string sign_of(Verdict verdict) {
    switch (verdict) {
      case Verdict::less:
        return "<";
      case Verdict::more:
        return ">";
      case Verdict::not_distinguishable:
        return "~";
      case Verdict::too_few:
        return "?";
      case Verdict::not_comparable:
        return "!";
      case Verdict::inapplicable:
        break;
    }
    return " ";
  }

  const Comparison& comparison_;
  std::vector<std::string> names_;
  Painter paint_;
  bool all_;
};

Ink ink_of(Standing standing) {
  switch (standing) {
    case Standing::holds:
      return Ink::green;
    case Standing::fails:
      return Ink::red;
    case Standing::inconclusive:
    case Standing::not_distinguishable:
      break;
  }
  return Ink::yellow;
}

}  // namespace

std::string text_of(const Comparison& comparison, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out = Table(comparison, options).text();
  if (!out.ends_with("\n\n")) out += "\n";
  out += wrapped(method_text(comparison), page_width, 0);
  if (const std::string judged = judged_text(comparison); !judged.empty())
    out += wrapped(judged, page_width, 0);
  for (const std::string& warning : comparison.warnings)
    out += paint(Ink::yellow, wrapped("! " + warning, page_width, 2));
  return out;
}

std::string text_of(std::span<const ClaimResult> claims, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out;
  for (const ClaimResult& claim : claims) {
    const std::string standing(name_of(claim.standing));
    const std::string where = claim.cell.empty() ? "" : " (" + claim.cell + ")";
    out += paint(ink_of(claim.standing), fitted(standing, 20)) + claim.claim + where + "\n" +
           std::string(20, ' ') + wrapped(claim.reason, page_width - 20, 0);
  }
  return out;
}

}  // namespace rhizome::tools
