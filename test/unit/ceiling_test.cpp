// The findings of doctor for several processes, and its search for a ceiling.
#include "tools/commands/guiding/ceiling.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <string>

#include "tools/commands/guiding/hosts_report.hpp"

namespace rhizome::ceiling_test {

using namespace std::chrono_literals;
using tools::HostFindings;
using tools::rungs;

namespace {

HostFindings host(std::uint32_t process, const std::string& name, std::uint64_t maps) {
  return {.process = process,
          .host = name,
          .cores = 2,
          .host_cores = 2,
          .limits = {{"vm.max_map_count", maps, maps / 4}, {"threads-max", 9000, 9000}},
          .round_trip = 57us,
          .clock_offset = 5s,
          .clock_bound = 28us};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the highest good rung is found wherever it is, by few trials, each rung once") {
  for (int highest = -rungs - 1; highest <= rungs; ++highest) {
    std::multiset<int> tried;
    const auto found = tools::highest_good(highest >= 0, [&](int rung) {
      tried.insert(rung);
      return rung <= highest;
    });
    CAPTURE(highest);
    CHECK(found.value_or(-rungs - 1) == highest);
    CHECK(tried.size() <= 4);
    CHECK(tried.count(0) == 0);
    CHECK(std::set<int>(tried.begin(), tried.end()).size() == tried.size());
  }
}

TEST_CASE("two rungs double") {
  CHECK(tools::factor_of(0) == 1);
  CHECK(tools::factor_of(2) == doctest::Approx(2));
  CHECK(tools::factor_of(-rungs) == doctest::Approx(1.0 / 16));
}

TEST_CASE("processes stand side by side, and their differences are named") {
  const std::string text = tools::text_of({host(0, "h1", 4000), host(1, "h2", 8000)});
  CHECK(holds(text, "57 us"));
  CHECK(holds(text, "+5.000 s, within 28 us"));
  CHECK(holds(text, "vm.max_map_count: 4000 on h1, 8000 on h2"));
  CHECK_FALSE(holds(text, "threads-max: "));
  CHECK_FALSE(holds(text, "cores to be used"));
  CHECK(holds(text, "Together 4 cores, and peers by their limits: 3000"));
}

TEST_CASE("if processes do not differ that is reported") {
  HostFindings other = host(1, "h2", 4000);
  CHECK(holds(tools::text_of({host(0, "h1", 4000), other}), "All have the same cores and limits."));
  other.cores = 1;
  CHECK(holds(tools::text_of({host(0, "h1", 4000), other}), "cores to be used: 2 on h1, 1 on h2"));
}

}  // namespace rhizome::ceiling_test
