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
  // The folder of all outputs, in that of the files. An output may replace what is there, so that
  // nothing but outputs belongs there: no program, setting or data of anybody.
  static constexpr const char* outputs_folder = "job-outputs";

  // `folder`: of input files, "" for the present one; its links are followed. `programs`: those
  // that may run, separated by blanks; one with a slash is a path from the folder on.
  // `judged`: whether all lines were admitted already; the work of one whose files have gone since
  // then names files that cannot be there.
  // `store`: that of the server, without links. No job reads it, what stands beside it, or another
  // database; empty: there is no server.
  JobWork(const std::string& folder, std::string_view programs, bool judged = false,
          std::string store = {});

  // Parses the rest of the line from that column on. Throws InputError.
  [[nodiscard]] core::Recipe recipe_in(const LineSource& lines, std::string_view line,
                                       std::size_t column);
  [[nodiscard]] const std::vector<std::string>& programs() const { return programs_; }
  // Whether some line could describe the recipe, regardless of which files exist and who may write
  // to them: what was taken stays admitted. From any thread.
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
  // Makes the names of files, folders and programs absolute; names that the folder and the list do
  // not allow are reported.
  [[nodiscard]] std::optional<core::Objection> confine(const core::WorkKind& kind,
                                                       std::any& options) const;
  [[nodiscard]] std::optional<core::Objection> confined(const core::WorkKind& kind,
                                                        std::any& options) const;
  // Checks the present state of the output `name`.
  [[nodiscard]] std::optional<core::Objection> confined_output(const core::WorkFile& output,
                                                               const std::string& name) const;
  // Lets the work fail when it begins.
  void name_nothing(const core::WorkKind& kind, std::any& options) const;
  // Throws std::invalid_argument where they are too long.
  [[nodiscard]] static core::Recipe recipe_of(const core::WorkKind& kind, std::any options);
  [[nodiscard]] bool is_within(const std::string& file) const;
  [[nodiscard]] bool is_output(const std::string& file) const;
  [[nodiscard]] std::string placed(const std::string& program) const;

  std::string folder_;   // absolute
  std::string outputs_;  // absolute
  std::vector<std::string> programs_;
  [[nodiscard]] bool is_of_server(const std::string& name) const;
  bool judged_;
  std::string store_;
  std::map<std::string, core::Recipe> known_;  // by words and the state of the files
};

// The words that say it; "" for emulated work.
[[nodiscard]] std::string words_of(const core::Recipe& recipe);

}  // namespace rhizome::scenarios
