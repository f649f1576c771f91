// The charts of a report.
#include "tools/report/parts.hpp"

#include <algorithm>

#include "tools/timeline/completions.hpp"

namespace rhizome::tools {

namespace {

constexpr double confidence = 0.95;
constexpr std::size_t points = 60;

double last_completion(const std::vector<Contestant>& contestants) {
  double last = 0;
  for (const Contestant& contestant : contestants)
    for (const auto& times : contestant.completions)
      if (!times.empty()) last = std::max(last, times.back());
  return last;
}

// The ranks to show: each of the first ones, then ever fewer.
std::vector<std::size_t> shown_ranks(std::size_t peers) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < peers; rank += 1 + rank / 15) ranks.push_back(rank);
  return ranks;
}

std::string carried(core::MessageClass message_class) {
  if (message_class == core::MessageClass::job) return "tasks";
  return message_class == core::MessageClass::result ? "results" : "neither tasks nor results";
}

}  // namespace

Chart completion_chart(const std::vector<Contestant>& contestants) {
  const double end = last_completion(contestants);
  std::vector<LinePoint> line;
  for (const Contestant& contestant : contestants)
    for (std::size_t i = 0; i <= points; ++i) {
      const double at = end * static_cast<double>(i) / points;
      std::vector<double> shares;
      for (std::size_t r = 0; r < contestant.completions.size(); ++r) {
        const auto& times = contestant.completions[r];
        const auto done = std::ranges::upper_bound(times, at) - times.begin();
        shares.push_back(static_cast<double>(done) /
                         static_cast<double>(std::max<std::size_t>(contestant.tasks[r], 1)));
      }
      Estimate share = estimate_mean(shares, confidence);
      if (share.interval)
        share.interval =
            Interval{std::max(0.0, share.interval->low), std::min(1.0, share.interval->high)};
      line.push_back({contestant.name, at, share});
    }
  return {.id = "completion",
          .title = "Tasks completed",
          .caption =
              "Share of all tasks whose result had reached its source; the bands are 95 % "
              "intervals of the mean over the repetitions.",
          .spec = line_chart(line, {.title = "seconds"}, {.title = "share of the tasks"})};
}

Chart order_chart(const std::vector<Contestant>& contestants) {
  std::vector<Completions> all;
  for (const Contestant& contestant : contestants)
    all.push_back({contestant.name, contestant.completions});
  return kth_completion_chart(all, confidence);
}

namespace {

using Repetitions = std::vector<std::vector<double>>;

bool carried_any(const Repetitions& repetitions) {
  return std::ranges::any_of(repetitions, [](const auto& burdens) {
    return std::ranges::any_of(burdens, [](double burden) { return burden > 0; });
  });
}

}  // namespace

// A peer that carried no message is drawn at 1, because a logarithmic scale has no 0. A contestant
// whose peers all carried none is not drawn.
Chart burden_chart(const std::vector<Contestant>& contestants, core::MessageClass message_class) {
  std::vector<LinePoint> line;
  std::string idle;
  for (const Contestant& contestant : contestants) {
    const auto& repetitions = contestant.burdens[static_cast<std::size_t>(message_class)];
    if (!carried_any(repetitions)) {
      idle += (idle.empty() ? "" : ", ") + contestant.name;
      continue;
    }
    for (const std::size_t rank : shown_ranks(repetitions.front().size())) {
      std::vector<double> values;
      for (const auto& burdens : repetitions)
        if (rank < burdens.size()) values.push_back(std::max(1.0, burdens[rank]));
      Estimate burden = estimate_mean(values, confidence);
      if (burden.interval) burden.interval->low = std::max(1.0, burden.interval->low);
      line.push_back({contestant.name, static_cast<double>(rank + 1), burden});
    }
  }
  const std::string word(name_of(message_class));
  Chart chart{.id = "burdens-" + word,
              .title = "Who carried the " + word + " messages",
              .caption = "There were none.",
              .spec = nullptr};
  if (line.empty()) return chart;
  chart.caption = "Messages that carry " + carried(message_class) +
                  ", sent and received by each peer, the most loaded first; both scales are "
                  "logarithmic, and a peer that carried none is drawn at 1." +
                  (idle.empty() ? "" : " There were none of " + idle + ".");
  chart.spec = line_chart(line, {.title = "rank of the peer", .logarithmic = true},
                          {.title = "messages", .logarithmic = true});
  return chart;
}

Chart cause_chart(const std::vector<Contestant>& contestants) {
  std::vector<Bar> bars;
  for (std::size_t c = 0; c < core::causes; ++c) {
    const auto cause = static_cast<core::Cause>(c);
    for (const Contestant& contestant : contestants) {
      std::uint64_t messages = 0;
      for (const BillItem& item : contestant.bill.items)
        if (item.cause == cause) messages += item.sent.messages;
      if (messages == 0) continue;
      bars.push_back({std::string(name_of(cause)),
                      contestant.name,
                      {static_cast<double>(messages) / static_cast<double>(std::max<std::uint64_t>(
                                                           contestant.bill.completed, 1))}});
    }
  }
  Chart chart{.id = "causes",
              .title = "What the messages were for",
              .caption = "No message was sent.",
              .spec = nullptr};
  if (bars.empty()) return chart;
  chart.caption = "Messages sent for each completed task, by cause, in the first repetition.";
  chart.spec = bar_chart(bars, {}, {.title = "messages a task"});
  return chart;
}

}  // namespace rhizome::tools
