// Runs in virtual time that are done again: the same seed gives the same facts, unless a program of
// the user's is not deterministic.
#pragma once

#include <optional>
#include <string>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/directory.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// A repeated run that differs from the original.
struct Difference {
  std::string run;  // its name
  std::string how;
  bool of_program = false;  // its peers are programs of the user's
  bool same_build = true;   // of rhizome
};
// Tells it. A program may not be deterministic, or have changed since: then it fails. Throws
// UnreadableFile where another build of rhizome did the run; the same one must not differ.
[[nodiscard]] Exit tell_difference(const Difference& difference);

// Compares an outcome with that of the run that is repeated. Where only bytes differ, messages held
// the names of the run's files, which are copies beside it now, and `remark` says so.
struct DoneAgain {
  std::optional<std::string> difference;
  std::string remark;
};
[[nodiscard]] DoneAgain compared(const scenarios::StoredRun& stored,
                                 const scenarios::Outcome& before, const scenarios::Outcome& again);

// Does the runs of a directory that the options choose again, each from its seed, and compares
// their facts and burdens with those that are stored. A difference fails, since a store can be
// changed by hand. Throws UnreadableFile where none is stored.
[[nodiscard]] Exit do_again(const Arguments& arguments);

}  // namespace rhizome::tools
