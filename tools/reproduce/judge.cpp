#include "tools/reproduce/page.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/enumerators.hpp"
#include "tools/compare/compare.hpp"
#include "tools/reproduce/places.hpp"

namespace rhizome::tools {

namespace {

// One cell: the chosen values of a sweep, and its runs.
struct StudyCell {
  std::string name;
  std::vector<std::pair<std::string, std::string>> choice;
  std::vector<const RunFigures*> runs;
};

std::vector<StudyCell> cells_of(std::span<const RunFigures> runs) {
  std::vector<StudyCell> cells;
  for (const RunFigures& run : runs) {
    const std::string name = place_of(run.identity);
    auto found =
        std::ranges::find_if(cells, [&](const StudyCell& cell) { return cell.name == name; });
    if (found == cells.end()) found = cells.insert(cells.end(), {name, run.identity.cell, {}});
    found->runs.push_back(&run);
  }
  return cells;
}

bool lies_in_any(const StudyCell& cell, const std::vector<std::string>& places) {
  return std::ranges::any_of(places,
                             [&](const std::string& where) { return lies_in(cell.name, where); });
}

// A metric of messages as the other counting calls it; the same name where there is none.
std::string counted(std::string metric, Counting counting) {
  constexpr std::string_view word = "_messages";
  const std::size_t at = metric.find(word);
  const bool moves_work = metric.starts_with("job_") || metric.starts_with("result_");
  if (counting == Counting::portions && moves_work && at != std::string::npos)
    metric.replace(at, word.size(), "_portions");
  return metric;
}

// One value for each seed, by seed.
using Sample = std::map<std::uint64_t, double>;

Sample sample_of(const StudyCell& cell, const Operand& operand, Counting counting) {
  const auto metric =
      static_cast<std::size_t>(find_metric(counted(operand.metric, counting)) - metrics().data());
  Sample sample;
  for (const RunFigures* run : cell.runs)
    if (run->identity.label == operand.label) sample[run->identity.seed] = run->values[metric];
  return sample;
}

Sample sample_of(const StudyCell& cell, const Quantity& quantity, Counting counting) {
  Sample sample = sample_of(cell, quantity.operand, counting);
  if (!quantity.divisor) return sample;
  const Sample below = sample_of(cell, *quantity.divisor, counting);
  Sample ratios;
  for (const auto& [seed, value] : sample)
    if (const auto found = below.find(seed); found != below.end() && found->second != 0)
      ratios[seed] = value / found->second;
  return ratios;
}

std::vector<double> values_of(const Sample& sample) {
  std::vector<double> values;
  for (const auto& [seed, value] : sample) values.push_back(value);
  return values;
}

struct Pair {
  std::vector<double> left;
  std::vector<double> right;
  bool paired = false;
  [[nodiscard]] TwoSamples samples() const { return {left, right, paired}; }
};

// Paired by seed if both sides have the same seeds.
Pair pair_of(const Sample& left, const Sample& right) {
  Pair pair{values_of(left), values_of(right), left.size() == right.size()};
  for (const auto& [seed, value] : left) pair.paired = pair.paired && right.contains(seed);
  return pair;
}

// A claim of the runs proves nothing when they are not sound.
bool sound(const StudyCell& cell, const std::string& label) {
  return std::ranges::none_of(cell.runs, [&](const RunFigures* run) {
    return run->identity.label == label && (run->unfinished > 0 || run->violations > 0 ||
                                            run->validity.level == Validity::Level::invalid);
  });
}

Standing standing_of(TestKind kind, const Estimate& difference) {
  if (!difference.interval) return Standing::inconclusive;
  const Verdict verdict = judge(difference);
  const bool open = verdict == Verdict::not_distinguishable;
  if (open) return Standing::not_distinguishable;
  const bool wanted = (verdict == Verdict::less) == (kind == TestKind::less);
  return wanted ? Standing::holds : Standing::fails;
}

// Judges one claim under one counting.
class Court {
 public:
  Court(const PublishedClaim& claim, Counting counting, std::vector<StudyCell> cells,
        double confidence)
      : claim_(claim), counting_(counting), cells_(std::move(cells)), confidence_(confidence) {}

  [[nodiscard]] ClaimVerdict judge_all() const {
    ClaimVerdict verdict{.claim = &claim_, .counting = counting_};
    for (const StudyCell& cell : cells_) {
      if (!concerns(cell)) continue;
      if (claim_.kind == TestKind::same) {
        if (const StudyCell* other = sibling(cell)) verdict.cells.push_back(across(cell, *other));
      } else {
        verdict.cells.push_back(claim_.kind == TestKind::largest ? largest(cell)
                                : claim_.kind == TestKind::near  ? near(cell)
                                                                 : ordered(cell));
      }
    }
    conclude(verdict);
    return verdict;
  }

 private:
  void conclude(ClaimVerdict& verdict) const {
    std::size_t inconclusive = 0;
    for (const CellVerdict& cell : verdict.cells) {
      verdict.holding += cell.standing == Standing::holds ? 1 : 0;
      verdict.open += cell.standing == Standing::holds || cell.standing == Standing::fails ? 0 : 1;
      inconclusive += cell.standing == Standing::inconclusive ? 1 : 0;
    }
    if (verdict.cells.empty()) return;
    if (verdict.holding == verdict.cells.size()) {
      verdict.standing = Standing::holds;
    } else if (verdict.holding + verdict.open < verdict.cells.size()) {
      verdict.standing = Standing::fails;
    } else {
      verdict.standing = inconclusive > 0 ? Standing::inconclusive : Standing::not_distinguishable;
    }
  }

  [[nodiscard]] bool concerns(const StudyCell& cell) const {
    if (claim_.kind == TestKind::near && !published_in(cell)) return false;
    return is_meant(cell.name, claim_);
  }

  [[nodiscard]] bool sound_here(const StudyCell& cell) const {
    bool all = sound(cell, claim_.left.operand.label);
    if (claim_.left.divisor) all = all && sound(cell, claim_.left.divisor->label);
    if (const auto* right = std::get_if<Operand>(&claim_.right))
      all = all && sound(cell, right->label);
    return all;
  }

  // The figure that is published for a cell.
  [[nodiscard]] std::optional<double> published_in(const StudyCell& cell) const {
    for (const auto& [value, published] : claim_.points)
      if (lies_in(cell.name, claim_.across + "=" + value)) return published;
    return {};
  }

  // The mean decides, not its interval: published figures are means of few runs themselves. Laws
  // are exact, so the interval decides.
  [[nodiscard]] CellVerdict near(const StudyCell& cell) const {
    const double published = *published_in(cell);
    CellVerdict verdict{
        .cell = cell.name,
        .left = estimate_mean(values_of(sample_of(cell, claim_.left, counting_)), confidence_),
        .right = Estimate{.value = published}};
    std::vector<double> ratios = values_of(sample_of(cell, claim_.left, counting_));
    for (double& value : ratios) value /= published;
    if (published != 0) verdict.ratio = estimate_mean(ratios, confidence_);
    const double miss = std::abs(verdict.left.value - published);
    const bool close =
        miss <= claim_.within_absolute || miss <= claim_.within * std::abs(published);
    const bool known = sound_here(cell) && verdict.left.exists();
    verdict.standing = !known                ? Standing::inconclusive
                       : !claim_.law.empty() ? within_margin(verdict.ratio)
                       : close               ? Standing::holds
                                             : Standing::fails;
    return verdict;
  }

  [[nodiscard]] CellVerdict ordered(const StudyCell& cell) const {
    const Sample left = sample_of(cell, claim_.left, counting_);
    CellVerdict verdict{.cell = cell.name, .left = estimate_mean(values_of(left), confidence_)};
    if (const auto* operand = std::get_if<Operand>(&claim_.right)) {
      const Sample right = sample_of(cell, *operand, counting_);
      const Pair pair = pair_of(left, right);
      verdict.right = estimate_mean(pair.right, confidence_);
      verdict.difference = estimate_difference(pair.samples(), confidence_);
      verdict.ratio = estimate_ratio(pair.samples(), confidence_);
    } else {
      std::vector<double> differences = values_of(left);
      for (double& value : differences) value -= std::get<double>(claim_.right);
      verdict.difference = estimate_mean(differences, confidence_);
    }
    const Standing standing = claim_.kind != TestKind::equal
                                  ? standing_of(claim_.kind, verdict.difference)
                              : verdict.right ? within_margin(verdict.ratio)
                                              : within_distance(verdict.difference);
    verdict.standing = sound_here(cell) ? standing : Standing::inconclusive;
    return verdict;
  }

  // For a number: the margin is absolute, or a fraction of that number.
  [[nodiscard]] Standing within_distance(const Estimate& difference) const {
    const double share = claim_.within * std::abs(std::get<double>(claim_.right));
    const double margin = std::max(share, claim_.within_absolute);
    return within(difference, {-margin, margin});
  }
  [[nodiscard]] Standing within_margin(const Estimate& ratio) const {
    return within(ratio, {1 - claim_.within, 1 + claim_.within});
  }
  // Judges whether the interval lies within the margin, partly outside, or wholly outside. A
  // difference that is merely not significant would prove nothing.
  [[nodiscard]] static Standing within(const Estimate& estimate, const Interval& margin) {
    if (!estimate.interval) return Standing::inconclusive;
    if (margin.contains(estimate.interval->low) && margin.contains(estimate.interval->high))
      return Standing::holds;
    const bool outside =
        estimate.interval->high < margin.low || estimate.interval->low > margin.high;
    return outside ? Standing::fails : Standing::not_distinguishable;
  }

  // Against each cell outside of `where`; the closest one is shown and decides.
  [[nodiscard]] CellVerdict largest(const StudyCell& cell) const {
    const Sample here = sample_of(cell, claim_.left, counting_);
    CellVerdict verdict{.cell = cell.name, .left = estimate_mean(values_of(here), confidence_)};
    bool first = true;
    for (const StudyCell& other : cells_) {
      if (lies_in_any(other, claim_.where)) continue;
      const Pair pair = pair_of(here, sample_of(other, claim_.left, counting_));
      const Estimate difference = estimate_difference(pair.samples(), confidence_);
      if (!first && difference.value >= verdict.difference.value) continue;
      first = false;
      verdict.difference = difference;
      verdict.right = estimate_mean(pair.right, confidence_);
      verdict.ratio = estimate_ratio(pair.samples(), confidence_);
    }
    verdict.standing = sound_here(cell) ? standing_of(TestKind::greater, verdict.difference)
                                        : Standing::inconclusive;
    return verdict;
  }

  // The first cell that differs from this one in the key only; nothing for that first cell itself.
  [[nodiscard]] const StudyCell* sibling(const StudyCell& cell) const {
    for (const StudyCell& other : cells_) {
      bool alike = other.choice.size() == cell.choice.size();
      for (std::size_t i = 0; alike && i < cell.choice.size(); ++i)
        alike = cell.choice[i].first == claim_.across || cell.choice[i] == other.choice[i];
      if (alike) return &other == &cell ? nullptr : &other;
    }
    return nullptr;
  }

  [[nodiscard]] CellVerdict across(const StudyCell& cell, const StudyCell& base) const {
    const Pair pair =
        pair_of(sample_of(cell, claim_.left, counting_), sample_of(base, claim_.left, counting_));
    CellVerdict verdict{.cell = cell.name,
                        .left = estimate_mean(pair.left, confidence_),
                        .right = estimate_mean(pair.right, confidence_),
                        .difference = estimate_difference(pair.samples(), confidence_),
                        .ratio = estimate_ratio(pair.samples(), confidence_)};
    if (sound_here(cell) && sound_here(base)) verdict.standing = within_margin(verdict.ratio);
    return verdict;
  }

  const PublishedClaim& claim_;
  Counting counting_;
  std::vector<StudyCell> cells_;
  double confidence_;
};

// Whether the countings differ at all for the metrics of a claim.
bool counts_messages(const PublishedClaim& claim) {
  const auto differs = [](const Operand& operand) {
    return counted(operand.metric, Counting::portions) != operand.metric;
  };
  const auto* right = std::get_if<Operand>(&claim.right);
  return differs(claim.left.operand) || (right != nullptr && differs(*right));
}

}  // namespace

std::string_view name_of(Counting counting) {
  return one_of<Counting, std::string_view>(counting, {"messages", "portions", ""});
}

std::vector<ClaimVerdict> judge_published(const PublishedClaim& claim,
                                          std::span<const RunFigures> runs, double confidence) {
  std::vector<Counting> countings{Counting::neither};
  if (counts_messages(claim)) {
    countings = {Counting::messages};
    if (!claim.messages_only) countings.push_back(Counting::portions);
  }
  std::vector<ClaimVerdict> verdicts;
  for (const Counting counting : countings)
    verdicts.push_back(Court(claim, counting, cells_of(runs), confidence).judge_all());
  return verdicts;
}

}  // namespace rhizome::tools
