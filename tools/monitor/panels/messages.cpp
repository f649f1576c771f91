// Messages by class over time.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

constexpr std::array classes{core::MessageClass::job, core::MessageClass::result,
                             core::MessageClass::information};

// Messages of a class per second, in each of so many equal parts of the known time span.
std::vector<double> rates_over(const std::deque<live::Moment>& moments, std::size_t kind,
                               std::size_t stretches, double span) {
  std::vector<double> rates;
  if (moments.size() < 2 || span <= 0) return std::vector<double>(stretches, 0);
  const double end = core::seconds(moments.back().at);
  const auto sent_at = [&](double time) {
    const auto after = std::lower_bound(
        moments.begin(), moments.end(), time,
        [](const live::Moment& moment, double at) { return core::seconds(moment.at) < at; });
    if (after == moments.begin()) return static_cast<double>(moments.front().sent[kind]);
    if (after == moments.end()) return static_cast<double>(moments.back().sent[kind]);
    const live::Moment& before = *std::prev(after);
    const double share = (time - core::seconds(before.at)) / core::seconds(after->at - before.at);
    return static_cast<double>(before.sent[kind]) +
           share *
               (static_cast<double>(after->sent[kind]) - static_cast<double>(before.sent[kind]));
  };
  const double step = span / static_cast<double>(stretches);
  for (std::size_t i = 0; i < stretches; ++i) {
    const double from = end - span + step * static_cast<double>(i);
    rates.push_back(std::max(0.0, (sent_at(from + step) - sent_at(from)) / step));
  }
  return rates;
}

struct Course {
  std::string name;
  std::vector<double> rates;  // over the known time span
  double mean = 0;            // since the start of the run
  [[nodiscard]] double most() const { return *std::max_element(rates.begin(), rates.end()); }
};

double known_seconds(const live::State& state) {
  return state.moments().empty()
             ? 0
             : core::seconds(state.frame().now) - core::seconds(state.moments().front().at);
}

Course course_of(const live::State& state, core::MessageClass kind, std::size_t cells) {
  const auto index = static_cast<std::size_t>(kind);
  const double now = core::seconds(state.frame().now);
  const double sent = static_cast<double>(state.frame().totals.sent[index]);
  return {std::string(core::name_of(kind)),
          rates_over(state.moments(), index, cells, known_seconds(state)),
          now > 0 ? sent / now : 0};
}

}  // namespace

std::size_t put_messages(TextGrid& grid, const Panel& panel, std::size_t line) {
  constexpr std::size_t begin = 27;
  const std::size_t width = grid.size().width;
  const std::size_t cells = width - begin - 8;
  grid.put(0, line, "messages/s    now   mean", Style::faint);
  grid.put(begin, line, fmt::format("last {:.3g} s", known_seconds(panel.state)), Style::faint);
  grid.put_before(width, line++, "max", Style::faint);
  for (const core::MessageClass kind : classes) {
    const Course course = course_of(panel.state, kind, cells);
    grid.put(1, line, course.name);
    grid.put_before(17, line, short_number(course.rates.back()));
    grid.put_before(24, line, short_number(course.mean));
    grid.put(begin, line, spark_line(course.rates, panel.view.script));
    grid.put_before(width, line++, short_number(course.most()));
  }
  return line;
}

std::size_t put_tall_messages(TextGrid& grid, const Panel& panel, std::size_t line) {
  for (const core::MessageClass kind : classes) {
    const Course course = course_of(panel.state, kind, grid.size().width);
    grid.put(0, line++,
             fmt::format("{:<11}{:>6}, mean{:>6}, max{:>6}", course.name,
                         short_number(course.rates.back()), short_number(course.mean),
                         short_number(course.most())));
    for (const std::string& marks : spark_lines(course.rates, 2, panel.view.script))
      grid.put(0, line++, marks);
  }
  return line;
}

}  // namespace rhizome::tools
