// Hostile values: wrong, extreme, or of another type than expected.
#pragma once

#include <string>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::test {

template <class T>
const T& any_of(const std::vector<T>& list, core::Rng& rng) {
  return list[rng.below(list.size())];
}

// As a scenario may hold it: numbers at the edges, times, lists, words, texts that mean something
// to a terminal or a page.
inline const std::vector<std::string>& hostile_values() {
  static const std::vector<std::string> values{"-1",
                                               "0",
                                               "1",
                                               "2",
                                               "0.5",
                                               "-0.0",
                                               "1e308",
                                               "-1e308",
                                               "1e-320",
                                               "nan",
                                               "inf",
                                               "-inf",
                                               "4294967295",
                                               "4294967296",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "1000000",
                                               "99999999999999999999",
                                               "0x7fffffff",
                                               "true",
                                               "[]",
                                               "[1]",
                                               "[1, 2, 3]",
                                               "[[1]]",
                                               "{}",
                                               "{ a = 1 }",
                                               "\"\"",
                                               "\"0s\"",
                                               "\"-1s\"",
                                               "\"1ns\"",
                                               "\"1000000h\"",
                                               "\"9e99h\"",
                                               "\"5parsecs\"",
                                               "\"1 s\"",
                                               "\"nan\"",
                                               "\"0bit/s\"",
                                               "\"1e30Gbit/s\"",
                                               "\"all\"",
                                               "\"none\"",
                                               "\"virtual\"",
                                               "\"threads\"",
                                               "\"/\"",
                                               "\"/dev/zero\"",
                                               "\"/dev/full\"",
                                               "\".\"",
                                               "\"nowhere.csv\"",
                                               "\"\\u001b[31m\"",
                                               "\"\\u0000\"",
                                               "\"a\\nb\"",
                                               "\"%s%n\"",
                                               "\"<script>\"",
                                               "\"]]>\"",
                                               "\"=1+1\"",
                                               "\"-\"",
                                               "\"--help\"",
                                               "\"a#b\"",
                                               "\"a.b\"",
                                               "\"' OR 1=1\"",
                                               "1979-05-27",
                                               "\"" + std::string(5000, 'x') + "\"",
                                               "[" + std::string(2000, '[') + "]"};
  return values;
}
inline const std::string& hostile_value(core::Rng& rng) { return any_of(hostile_values(), rng); }

// A word of a command line.
inline const std::string& hostile_word(core::Rng& rng) {
  static const std::vector<std::string> words{"",
                                              "-",
                                              "--",
                                              "---",
                                              "-1",
                                              "0",
                                              "1",
                                              "3",
                                              "1e9",
                                              "nan",
                                              "99999999999999999999",
                                              "x",
                                              "=",
                                              "a=b",
                                              "a.b=1",
                                              "peers.count=5",
                                              "peers.count=[3,4]",
                                              "peers.count=",
                                              "=3",
                                              "a#b=1",
                                              "network.partition#5.at=1",
                                              "workload.portions=0",
                                              "engine.kind=threads",
                                              "run.seed=nan",
                                              "../..",
                                              "/",
                                              "/dev/full",
                                              "/dev/null",
                                              "/nowhere/x",
                                              ".",
                                              "runs",
                                              "latest",
                                              "runs/latest",
                                              "runs/r",
                                              "s.toml",
                                              "./s.toml",
                                              "broken.toml",
                                              "empty",
                                              "\x1b[31mred",
                                              "\xff\xfe",
                                              "a\nb",
                                              "%n%s",
                                              "*",
                                              "$(x)",
                                              "`x`",
                                              "'",
                                              "\"",
                                              "--help",
                                              "--version",
                                              "-n",
                                              "-o",
                                              "json",
                                              "markdown",
                                              "yaml",
                                              "svg",
                                              "makespan",
                                              "makespan=5",
                                              "makespam",
                                              "organic-grid",
                                              "sparrow",
                                              "0s..end",
                                              "5s",
                                              "end",
                                              "-5s",
                                              std::string(5000, 'w')};
  return any_of(words, rng);
}

// A comparison of two schedulers that is soon done.
inline const std::string small_scenario = R"(peers.count = 6
workload = { jobs = 3, portions = 2, portion_time = "20ms" }
engine = { kind = "virtual", time_limit = "1min" }
run.repetitions = 2
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "air-traffic"
)";

}  // namespace rhizome::test
