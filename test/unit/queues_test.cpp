#include "tools/reproduce/queues.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

namespace rhizome::scenarios::queues_test {

using namespace tools;

TEST_CASE("M/M/1 waits load / (1 - load) services") {
  CHECK(mm1_wait(0) == 0);
  CHECK(mm1_response(0.5) == doctest::Approx(2));
  CHECK(mm1_wait(0.9) == doctest::Approx(9));
  CHECK(mm1_shortfall(0.9) == doctest::Approx(900));
}

// The first is the textbook example of 2 servers, C = 2 rho² / (1 + rho); the others are from
// printed tables of Erlang C: 10 servers and 8 erlangs, 20 and 16.
TEST_CASE("Erlang C agrees with printed tables") {
  for (const double load : {0.1, 0.5, 0.9})
    CHECK(erlang_c(2, load) == doctest::Approx(2 * load * load / (1 + load)));
  CHECK(erlang_c(10, 0.8) == doctest::Approx(0.4092).epsilon(1e-4));
  CHECK(erlang_c(20, 0.8) == doctest::Approx(0.2561).epsilon(1e-3));
  CHECK(mmn_wait(10, 0.8) == doctest::Approx(0.2046).epsilon(1e-4));
}

TEST_CASE("M/M/n with one server is M/M/1") {
  for (const double load : {0.1, 0.5, 0.99}) {
    CHECK(erlang_c(1, load) == doctest::Approx(load));
    CHECK(mmn_response(1, load) == doctest::Approx(mm1_response(load)));
  }
}

TEST_CASE("Erlang C neither overflows nor loses digits with many servers") {
  // Halfin and Whitt 1981: load = 1 - beta / sqrt(n) tends to 1 / (1 + beta Phi / phi).
  constexpr double beta = 1;
  const double normal = 0.5 * std::erfc(-beta / std::sqrt(2.0));
  const double density = std::exp(-beta * beta / 2) / std::sqrt(2 * std::acos(-1.0));
  const double limit = 1 / (1 + beta * normal / density);
  CHECK(erlang_c(1'000'000, 1 - beta / 1000) == doctest::Approx(limit).epsilon(1e-3));
  CHECK(erlang_c(100'000, 0.5) >= 0);
  CHECK(mmn_response(100'000, 0.5) == doctest::Approx(1));
}

// Mitzenmacher 1996 and 2001: predictions for two choices.
TEST_CASE("two choices respond as the table of their source says") {
  CHECK(power_of_choices_response(2, 0.50) == doctest::Approx(1.2657).epsilon(1e-4));
  CHECK(power_of_choices_response(2, 0.70) == doctest::Approx(1.6145).epsilon(1e-4));
  CHECK(power_of_choices_response(2, 0.80) == doctest::Approx(1.9475).epsilon(1e-4));
  CHECK(power_of_choices_response(2, 0.90) == doctest::Approx(2.6141).epsilon(1e-4));
  CHECK(power_of_choices_response(2, 0.99) == doctest::Approx(5.4320).epsilon(1e-4));
}

TEST_CASE("the tail of the power of choices falls doubly exponentially, and sums to the response") {
  CHECK(power_of_choices_tail(2, 0.9, 0) == 1);
  CHECK(power_of_choices_tail(2, 0.9, 1) == doctest::Approx(0.9));
  CHECK(power_of_choices_tail(2, 0.9, 3) == doctest::Approx(std::pow(0.9, 7)));
  CHECK(power_of_choices_tail(3, 0.9, 3) == doctest::Approx(std::pow(0.9, 13)));
  double customers = 0;
  for (std::uint32_t i = 1; i < 20; ++i) customers += power_of_choices_tail(3, 0.9, i);
  CHECK(customers / 0.9 == doctest::Approx(power_of_choices_response(3, 0.9)));
}

TEST_CASE("one choice is M/M/1, however it is made") {
  for (const double load : {0.0, 0.3, 0.95}) {
    CHECK(power_of_choices_response(1, load) == doctest::Approx(mm1_response(load)));
    CHECK(least_loaded_response(1, load) == doctest::Approx(mm1_response(load)));
  }
}

TEST_CASE("the least loaded of two responds as its differential equation says") {
  for (const double load : {0.2, 0.5, 0.9}) {
    CHECK(least_loaded_response(2, load) ==
          doctest::Approx(-std::log1p(-load * load) / (load * load)));
    // Euler's midpoint rule on F' = -F + load F³, and the integral of F³ beside it.
    constexpr double step = 1e-3;
    double wait = 0;
    double share = load;
    for (int i = 0; i < 200'000; ++i) {
      const auto slope = [load](double f) { return -f + load * f * f * f; };
      const double middle = share + step / 2 * slope(share);
      wait += step * middle * middle * middle;
      share += step * slope(middle);
    }
    CHECK(least_loaded_response(3, load) == doctest::Approx(1 + wait).epsilon(1e-5));
  }
}

TEST_CASE("knowing more waits less: random, shortest of two, least loaded of two, one queue") {
  for (const double load : {0.3, 0.7, 0.95}) {
    CHECK(mm1_response(load) > power_of_choices_response(2, load));
    CHECK(power_of_choices_response(2, load) > least_loaded_response(2, load));
    CHECK(least_loaded_response(2, load) > mmn_response(100, load));
  }
}

TEST_CASE("M/G/1: exponential sizes respond alike wherever sizes are unknown") {
  for (const double load : {0.1, 0.5, 0.9})
    for (const auto* discipline : {"fcfs", "ps", "las"})
      CHECK(mg1_response({}, discipline, load) ==
            doctest::Approx(mm1_response(load)).epsilon(1e-4));
}

// Bansal and Harchol-Balter, Analysis of SRPT Scheduling, 2001, state responses of M/M/1 under srpt
// that are below those of shared processors by the more, the higher the load.
TEST_CASE("M/G/1: the shortest remaining time first is never slower than sharing") {
  double former = 1;
  for (const double load : {0.5, 0.7, 0.9, 0.99}) {
    const double ratio = mg1_response({}, "srpt", load) / mm1_response(load);
    CHECK(ratio < former);
    former = ratio;
  }
  CHECK(mg1_response({}, "srpt", 0) == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("M/G/1: a heavy tail delays by its second moment under fcfs and not at all under ps") {
  const scenarios::BoundedPareto pareto(1.5, 1000);
  const JobSizes heavy{pareto};
  // The closed form is shape / (2 - shape) (range^(2 - shape) - 1) / (1 - range^-shape) least^2.
  const double square =
      3 * (std::sqrt(1000) - 1) / (1 - std::pow(1000, -1.5)) * pareto.least() * pareto.least();
  CHECK(mg1_response(heavy, "fcfs", 0.5) == doctest::Approx(1 + square / 2).epsilon(1e-4));
  CHECK(mg1_response(heavy, "ps", 0.5) == doctest::Approx(2).epsilon(1e-4));
  CHECK(mg1_response(heavy, "las", 0.5) < 2);
  CHECK(mg1_response(heavy, "srpt", 0.5) < mg1_response(heavy, "las", 0.5));
}

TEST_CASE("a bounded Pareto law has a mean of 1, and quantiles that invert its tail") {
  for (const double shape : {0.5, 1.0, 1.5, 3.0}) {
    const scenarios::BoundedPareto law(shape, 100);
    double mean = 0;
    constexpr int draws = 100'000;
    for (int i = 0; i < draws; ++i) {
      const double u = (i + 0.5) / draws;
      mean += law.quantile(u) / draws;
      if (i % 1000 == 0) CHECK(law.tail(law.quantile(u)) == doctest::Approx(1 - u));
    }
    CHECK(mean == doctest::Approx(1).epsilon(1e-3));
    CHECK(law.quantile(0) == doctest::Approx(law.least()));
    CHECK(law.longest() == doctest::Approx(100 * law.least()));
  }
}

}  // namespace rhizome::scenarios::queues_test
