// How a sweep is put into words, the same in every renderer for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/names.hpp"
#include "tools/sweep/sweep.hpp"

namespace rhizome::tools {

// One of the tables of a sweep: the head, and the rows below it.
struct SweepTable {
  std::string title;  // empty if the head says it all
  std::vector<std::vector<std::string>> rows;
  std::size_t keys = 1;  // columns on the left, of what was set
};

// Schedulers that the same single key concerns share a table; two keys make a grid of each
// scheduler; more have a row for each cell. Who is concerned by none has a row "any". The best has
// a star, what cannot be told from it a tilde, and what did not run soundly an exclamation mark.
[[nodiscard]] std::vector<SweepTable> tables_of(const Sweep& sweep);

// " *", " ~", " !" or nothing: see tables_of.
[[nodiscard]] std::string mark_of(const SweepSide& side, std::size_t point);

// One for each scheduler and each condition under which it was swept.
[[nodiscard]] std::vector<std::string> sentences_on(const Sweep& sweep);

// "og-vs-atc (virtual): makespan, s".
[[nodiscard]] std::string title_of(const Sweep& sweep);

[[nodiscard]] std::string method_text(const Sweep& sweep);

}  // namespace rhizome::tools
