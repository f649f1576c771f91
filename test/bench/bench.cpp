#include "test/bench/bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace rhizome::bench {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// One line that is always overwritten, for people only.
void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r%-75s\r", text.c_str());
}

template <class Of>
std::vector<double> all(const std::vector<Measurement>& measured, Of of) {
  std::vector<double> values;
  for (const Measurement& one : measured) values.push_back(of(one));
  return values;
}

}  // namespace

void Bench::measure(const std::string& part, std::uint32_t peers,
                    const std::vector<MeasuredSystem>& systems) {
  std::vector<std::vector<Measurement>> measured(systems.size());
  for (unsigned repetition = 0; repetition < effort_.repetitions; ++repetition)
    for (std::size_t i = 0; i < systems.size(); ++i) {
      show_progress(part + ", " + std::to_string(peers) + " peers, run " +
                    std::to_string(repetition + 1) + ": " + systems[i].name);
      const auto one = in_child(systems[i].run, {.peers = peers, .seconds = effort_.seconds});
      if (one) measured[i].push_back(*one);
    }
  show_progress("");
  for (std::size_t i = 0; i < systems.size(); ++i) add(part, peers, systems[i].name, measured[i]);
}

void Bench::measure_cycles(const std::string& part, const BenchLoad& load,
                           const MeasuredSystem& system) {
  show_progress(part + ", " + std::to_string(load.peers) + " peers: " + system.name);
  const auto one = in_child(system.run, load);
  show_progress("");
  add(part, load.peers, system.name,
      one ? std::vector<Measurement>{*one} : std::vector<Measurement>{});
}

const Row* Bench::find(std::uint32_t peers, std::string_view system) const {
  for (const Row& row : report_.rows)
    if (row.peers == peers && row.system == system) return &row;
  return nullptr;
}

double Bench::rate(std::uint32_t peers, std::string_view system) const {
  const Row* row = find(peers, system);
  return row != nullptr ? row->rate : 0;
}

double Bench::seconds(std::uint32_t peers, std::string_view system) const {
  const Row* row = find(peers, system);
  return row != nullptr ? row->startup + row->seconds : never;
}

double Bench::memory(std::uint32_t peers, std::string_view system) const {
  const Row* row = find(peers, system);
  return row != nullptr ? row->bytes_per_peer * peers : never;
}

void Bench::add(const std::string& part, std::uint32_t peers, const std::string& system,
                const std::vector<Measurement>& measured) {
  if (measured.empty()) {
    remark(system + " with " + std::to_string(peers) + " peers failed");
    return;
  }
  const std::vector<double> rates = all(measured, [](const auto& one) { return one.rate(); });
  report_.rows.push_back(
      {.part = part,
       .peers = peers,
       .system = system,
       .rate = median(rates),
       .slowest = *std::min_element(rates.begin(), rates.end()),
       .fastest = *std::max_element(rates.begin(), rates.end()),
       .startup = median(all(measured, [](const auto& one) { return one.startup; })),
       .seconds = median(all(measured, [](const auto& one) { return one.seconds; })),
       .bytes_per_peer =
           median(all(measured, [](const auto& one) { return one.resident_bytes; })) / peers});
}

}  // namespace rhizome::bench
