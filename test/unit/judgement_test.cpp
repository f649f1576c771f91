// Claims of a scenario, and what they come to for its runs.
#include "tools/compare/judgement.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/outcome/most.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/figures.hpp"

namespace rhizome::scenarios::judgement_test {

using namespace tools;

using test::fast;
using test::judged;
using test::run_of;
using test::runs_of;
using test::slow;
using test::together;

TEST_CASE("a claim holds, fails or cannot be told, by the paired interval") {
  const auto runs = together(runs_of("a", fast), runs_of("b", slow));
  CHECK(judged("a.makespan < b.makespan", runs) == Standing::holds);
  CHECK(judged("a.makespan > b.makespan", runs) == Standing::fails);
  CHECK(judged("b.makespan > a.makespan", runs) == Standing::holds);
  CHECK(judged("a.makespan < a.makespan", runs) == Standing::not_distinguishable);
  CHECK(judged("a.makespan > a.duplicates", runs) == Standing::holds);
}

TEST_CASE("a claim that allows equality holds where there is no difference") {
  const auto runs = together(runs_of("a", fast), runs_of("b", slow));
  CHECK(judged("a.makespan <= a.makespan", runs) == Standing::holds);
  CHECK(judged("a.makespan >= a.makespan", runs) == Standing::holds);
  CHECK(judged("a.makespan <= b.makespan", runs) == Standing::holds);
  CHECK(judged("a.makespan >= b.makespan", runs) == Standing::fails);
}

TEST_CASE("a factor and a margin move the right side of a claim") {
  const auto runs = together(runs_of("a", fast), runs_of("b", slow));
  CHECK(judged("b.makespan <= a.makespan", runs) == Standing::fails);
  CHECK(judged("b.makespan <= 1.1 * a.makespan", runs) == Standing::holds);
  CHECK(judged("b.makespan <= a.makespan + 10", runs) == Standing::holds);
  CHECK(judged("b.makespan > 1.1 * a.makespan - 1000", runs) == Standing::holds);
  CHECK(judged("a.makespan <= 0.5 * b.makespan + 1", runs) == Standing::fails);
}

TEST_CASE("a text that is no claim is not parsed as one") {
  for (const char* text :
       {"a.makespan <= 1.1 b.makespan", "a.makespan <= 0 * b.makespan",
        "a.makespan <= b.makespan +", "a.makespan <= b.makespan + b.makespan",
        "a.makespan <= 2 * 3", "a.makespan =< 2", "1.1 * a.makespan < b.makespan",
        "a.makespan < b.makespan * 2", "a.makespan <"})
    CHECK_MESSAGE(!parse_claim(text).has_value(), text);
}

TEST_CASE("a claim about a number is judged by the interval of the mean") {
  const auto runs = runs_of("a", {10, 11, 12});
  CHECK(judged("a.makespan < 20", runs) == Standing::holds);
  CHECK(judged("a.makespan > 20", runs) == Standing::fails);
  CHECK(judged("a.makespan < 11.5", runs) == Standing::not_distinguishable);
}

TEST_CASE("a claim is inconclusive where runs are few, invalid, unfinished or missing") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  CHECK(judged("a.makespan < b.makespan", together(runs_of("a", {1}), runs_of("b", {2}))) ==
        Standing::inconclusive);
  CHECK(judged("a.makespan < c.makespan", runs) == Standing::inconclusive);
  SUBCASE("invalid") { runs[5].validity.level = Validity::Level::invalid; }
  SUBCASE("unfinished") { runs[5].unfinished = 1; }
  const bool spoilt = runs[5].unfinished > 0 || runs[5].validity.level != Validity::Level::valid;
  CHECK(judged("a.makespan < b.makespan", runs) ==
        (spoilt ? Standing::inconclusive : Standing::holds));
}

TEST_CASE("more claims than anybody reads are refused, not judged") {
  const std::vector<Claim> claims(most_judged + 1, parse_claim("a.makespan < 5").value());
  CHECK_THROWS_AS((void)judge_claims(claims, runs_of("a", fast), 0.95), UnreadableFile);
}

TEST_CASE("claims are judged in every cell") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  auto reversed = together(runs_of("a", slow), runs_of("b", fast));
  for (RunFigures& run : reversed) run.identity.cell = {{"k", "2"}};
  const Claim claim = parse_claim("a.makespan < b.makespan").value();
  const auto results = judge_claims(std::vector<Claim>{claim}, together(runs, reversed), 0.95);
  REQUIRE(results.size() == 2);
  CHECK(results[0].standing == Standing::holds);
  CHECK(results[0].reason == "left minus right is -2.5 s, between -4.554 and -0.4457");
  CHECK(results[1].cell == "k=2");
  CHECK(results[1].standing == Standing::fails);
}

TEST_CASE("the whole fails with a claim or an invariant, and is inconclusive with a doubt") {
  auto runs = runs_of("a", fast);
  const auto standing = [&](const std::vector<Standing>& claims) {
    std::vector<ClaimResult> results;
    for (const Standing claim : claims) results.push_back({.standing = claim});
    return overall(results, runs);
  };
  CHECK(standing({}) == Standing::holds);
  CHECK(standing({Standing::holds, Standing::holds}) == Standing::holds);
  CHECK(standing({Standing::holds, Standing::not_distinguishable}) == Standing::inconclusive);
  CHECK(standing({Standing::fails, Standing::inconclusive}) == Standing::fails);
  runs[2].validity.level = Validity::Level::invalid;
  CHECK(standing({Standing::holds}) == Standing::inconclusive);
  runs[1].violations = 1;
  CHECK(standing({Standing::holds}) == Standing::fails);
}

}  // namespace rhizome::scenarios::judgement_test
