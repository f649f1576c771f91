// The work of a job in a list: the name of a kind of work and its settings, behind the duration.
//   count file=corpus.txt
//   child program=wc arguments="-w corpus.txt"
// A value with blanks stands between double quotes, as a JSON string does. Lists may come from
// other programs, and from other people: so they name files of one folder only, and programs of one
// list.
#pragma once

#include <any>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/recipe.hpp"
#include "core/work/kind.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

class JobWork {
 public:
  // `folder`: of input files, "" for the present one; its links are followed. `programs`: those
  // that may run, separated by blanks.
  JobWork(const std::string& folder, std::string_view programs);
  // No output goes to a file whose absolute name begins like one of these.
  void reserve(const std::vector<std::filesystem::path>& beginnings);

  // Parses the rest of the line from that column on. Throws InputError.
  [[nodiscard]] core::Recipe recipe_in(const LineSource& lines, std::string_view line,
                                       std::size_t column);
  // Whether some line could describe the recipe, regardless of which files exist. From any thread.
  [[nodiscard]] bool admits(const core::Recipe& recipe) const;

 private:
  struct Word;
  // Returns at least one word, since there is something from that column on.
  [[nodiscard]] static std::vector<Word> split(const LineSource& lines, std::string_view line,
                                               std::size_t column);
  [[nodiscard]] static const core::WorkKind& kind_named(const LineSource& lines, const Word& word);
  [[nodiscard]] std::any options_in(const LineSource& lines, const core::WorkKind& kind,
                                    const std::vector<Word>& words) const;
  void assign(const LineSource& lines, const core::WorkKind& kind, const Word& word,
              std::any& options) const;
  // Makes the names of files and folders absolute; names that the folder and the list do not allow
  // are reported.
  [[nodiscard]] std::optional<core::Objection> confine(const core::WorkKind& kind,
                                                       std::any& options) const;
  [[nodiscard]] std::optional<core::Objection> confined(const core::WorkKind& kind,
                                                        std::any& options) const;
  // Checks the present state of the output `name` below that directory.
  [[nodiscard]] std::optional<core::Objection> confined_output(const std::string& home,
                                                               const core::WorkFile& output,
                                                               const std::string& name) const;
  [[nodiscard]] bool is_within(const std::string& file) const;

  std::string folder_;  // absolute
  std::vector<std::string> programs_;
  std::vector<std::string> reserved_;
  std::map<std::string, core::Recipe> known_;  // by words and the state of the files
};

// The words that say it; "" for emulated work.
[[nodiscard]] std::string words_of(const core::Recipe& recipe);

}  // namespace rhizome::scenarios
