#include "tools/reproduce/queues.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace rhizome::tools {

namespace {

// Integrals over sizes below x. `mean` and `square` are the first two moments of min(S, x);
// `residence` is how long a job of size x takes where shorter rests interrupt it (srpt).
struct Below {
  double x = 0;
  double tail = 1;  // the share of sizes above x
  double mean = 0;
  double square = 0;
  double residence = 0;

  // The load of jobs smaller than x.
  [[nodiscard]] double smaller(double load) const { return load * (mean - x * tail); }

  // One step of an integral by the trapezoidal rule.
  [[nodiscard]] Below next(const JobSizes& sizes, double load, double to) const {
    Below after = *this;
    const double step = to - x;
    after.x = to;
    after.tail = sizes.tail(to);
    after.mean += step * (tail + after.tail) / 2;
    after.square += step * (x * tail + to * after.tail);
    after.residence += step * (1 / (1 - smaller(load)) + 1 / (1 - after.smaller(load))) / 2;
    return after;
  }
};

// The mean response of jobs of size x, with the load of all sizes.
using OfSize = double (*)(const Below&, double load);

double srpt_response(const Below& below, double load) {
  const double free = 1 - below.smaller(load);
  return load * below.square / (2 * free * free) + below.residence;
}

double las_response(const Below& below, double load) {
  const double free = 1 - load * below.mean;
  return load * below.square / (2 * free * free) + below.x / free;
}

double ps_response(const Below& below, double load) { return below.x / (1 - load); }

// All sizes wait alike, by the second moment of all.
double fcfs_response(const Below& whole, double load) {
  return 1 + load * whole.square / (2 * (1 - load));
}

OfSize law_of(std::string_view discipline) {
  if (discipline == "srpt") return srpt_response;
  if (discipline == "las") return las_response;
  if (discipline == "ps") return ps_response;
  return nullptr;
}

}  // namespace

double JobSizes::longest() const {
  constexpr double beyond = 60;
  return pareto ? pareto->longest() : beyond;
}

double JobSizes::tail(double x) const { return pareto ? pareto->tail(x) : std::exp(-x); }

bool has_mg1_law(std::string_view discipline) {
  return discipline == "fcfs" || law_of(discipline) != nullptr;
}

double mg1_response(const JobSizes& sizes, std::string_view discipline, double load) {
  if (!has_mg1_law(discipline))
    throw std::invalid_argument("no law of M/G/1 for the discipline " + std::string(discipline));
  // Integrates on a logarithmic scale, since tails fall over many orders of magnitude.
  constexpr int steps = 100'000;
  const double least = sizes.longest() * 1e-9;
  const double factor = std::pow(sizes.longest() / least, 1.0 / steps);
  const OfSize of_size = law_of(discipline);
  Below below = Below{}.next(sizes, load, least);
  double mean = 0;
  for (int i = 0; i < steps; ++i) {
    const Below after = below.next(sizes, load, below.x * factor);
    if (of_size != nullptr)
      mean += (below.tail - after.tail) * (of_size(below, load) + of_size(after, load)) / 2;
    below = after;
  }
  return of_size != nullptr ? mean : fcfs_response(below, load);
}

}  // namespace rhizome::tools
