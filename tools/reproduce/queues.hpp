// Closed forms of queueing theory, for comparison with measurements. Times are in mean service
// times of one server; arrivals are Poisson and service times exponential; `load` is the arrival
// rate over the capacity of all servers, from 0 to below 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/world/workload/bounded_pareto.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// M/M/1: the mean wait before service, load / (1 - load), and with service (Kleinrock, Queueing
// Systems, volume 1, 1975, section 3.2).
[[nodiscard]] double mm1_wait(double load);
[[nodiscard]] double mm1_response(double load);

// By how much the waits of a run over T service times fall short of mm1_wait, summed over that
// time, because it starts empty: a mean over a long T lacks this over T. The wait is that of an
// arrival, which finds the workload V. The generator of V takes x²/(2(1 - load)) to E V - x, so
// that the sum is E V² / (2(1 - load)) = load / (1 - load)³.
[[nodiscard]] double mm1_shortfall(double load);

// Erlang C: the probability that a customer of M/M/n finds all n >= 1 servers busy. From Erlang B
// by its recursion, which adds positive terms only and so neither overflows nor cancels (Cooper,
// Introduction to Queueing Theory, 1981, section 3.3).
[[nodiscard]] double erlang_c(std::uint32_t servers, double load);
[[nodiscard]] double mmn_wait(std::uint32_t servers, double load);
[[nodiscard]] double mmn_response(std::uint32_t servers, double load);

// Infinitely many queues; each customer joins the shortest of `choices` >= 1 that it draws. The
// share of queues with at least `length` customers, and the mean response (Mitzenmacher,
// dissertation, 1996; IEEE Trans. Parallel and Distributed Systems 12(10), 2001).
[[nodiscard]] double power_of_choices_tail(std::uint32_t choices, double load,
                                           std::uint32_t length);
[[nodiscard]] double power_of_choices_response(std::uint32_t choices, double load);

// Infinitely many queues; each customer joins the one of `choices` >= 1 drawn that will be empty
// first, which late binding finds out without knowing durations (Hellemans and Van Houdt, Proc. ACM
// Measurement and Analysis of Computing Systems 2(2), 2018: LL(d)). The share F of queues with a
// workload above w obeys F' = -F + load F^d, F(0) = load, and the mean wait is the integral of F^d.
[[nodiscard]] double least_loaded_response(std::uint32_t choices, double load);

// Mean response times of a single server by discipline, of Poisson arrivals and any sizes: M/G/1.
// Sizes of jobs, of mean 1: exponential, or by a bounded Pareto law.
struct JobSizes {
  std::optional<scenarios::BoundedPareto> pareto{};

  [[nodiscard]] double longest() const;  // of exponential ones: a share of 1e-26 is beyond
  [[nodiscard]] double tail(double x) const;
};

// fcfs, ps, srpt and las have one.
[[nodiscard]] bool has_mg1_law(std::string_view discipline);

// In mean service times, at a load from 0 to below 1. fcfs: Pollaczek and Khinchine; ps: the same
// for all sizes of a mean; srpt: Schrage and Miller 1966; las, also called foreground-background:
// Schrage 1967 (all in Harchol-Balter, Performance Modeling and Design of Computer Systems, 2013,
// parts VI and VII).
[[nodiscard]] double mg1_response(const JobSizes& sizes, std::string_view discipline, double load);

}  // namespace rhizome::tools
