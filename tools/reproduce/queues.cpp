#include "tools/reproduce/queues.hpp"

#include <cmath>

namespace rhizome::tools {

namespace {

// Terms below this do not change a sum that begins with 1.
constexpr double negligible = 1e-17;

// (d^i - 1) / (d - 1) = 1 + d + ... + d^(i - 1), which is i where there is no choice.
double geometric(std::uint32_t choices, std::uint32_t terms) {
  double sum = 0;
  for (std::uint32_t i = 0; i < terms; ++i) sum = sum * choices + 1;
  return sum;
}

}  // namespace

double mm1_wait(double load) { return load / (1 - load); }

double mm1_response(double load) { return 1 + mm1_wait(load); }

double mm1_shortfall(double load) { return load / std::pow(1 - load, 3); }

double erlang_c(std::uint32_t servers, double load) {
  const double offered = servers * load;
  double blocked = 1;  // Erlang B of 0 servers
  for (std::uint32_t n = 1; n <= servers; ++n)
    blocked = offered * blocked / (n + offered * blocked);
  return blocked / (1 - load * (1 - blocked));
}

double mmn_wait(std::uint32_t servers, double load) {
  return erlang_c(servers, load) / (servers * (1 - load));
}

double mmn_response(std::uint32_t servers, double load) { return 1 + mmn_wait(servers, load); }

double power_of_choices_tail(std::uint32_t choices, double load, std::uint32_t length) {
  return std::pow(load, geometric(choices, length));
}

// E[T] = sum over i >= 1 of load^((d^i - d) / (d - 1)): by Little's law the sum of tails over load.
double power_of_choices_response(std::uint32_t choices, double load) {
  double sum = 0;
  double term = 1;
  for (std::uint32_t i = 1; term > negligible * sum; ++i) {
    sum += term;
    term = std::pow(load, geometric(choices, i + 1) - 1);
  }
  return sum;
}

// 1 + the integral = the sum over n >= 0 of load^(d n) / (1 + n (d - 1)).
double least_loaded_response(std::uint32_t choices, double load) {
  const double step = std::pow(load, choices);
  double sum = 0;
  double power = 1;
  for (double n = 0; power > negligible * sum; ++n) {
    sum += power / (1 + n * (choices - 1));
    power *= step;
  }
  return sum;
}

}  // namespace rhizome::tools
