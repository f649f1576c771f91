// The keys of [files] and [[files.input]]: inputs and outputs of tasks.
#include "scenarios/format/keys.hpp"

#include "core/peer/recipe.hpp"
#include "scenarios/format/section_parts.hpp"

namespace rhizome::scenarios {

namespace {

using core::Settings;

constexpr double largest = static_cast<double>(agents::files::largest_file);

Section files() {
  using S = FilesSection;
  return {.name = "files",
          .about = "How files go from peer to peer, and what tasks leave.",
          .settings =
              Settings<S>{}
                  .add("chunk", &S::chunk,
                       {"Bytes that a file is cut into. More takes fewer messages, and more time "
                        "where one is lost.",
                        "our choice", agents::files::smallest_chunk, agents::files::largest_chunk})
                  .add("cache", &S::cache,
                       {"Bytes of files that a peer keeps, the latest used, beside those that its "
                        "tasks need; 0: all. Less brings files more often.",
                        "our choice", 0, 1e15})
                  .add("output", &S::output,
                       {"Bytes that every task leaves, and that are brought to the source before "
                        "it counts as done; 0: none.",
                        "our choice", 0, largest})
                  .list(),
          .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario.files; }};
}

Section input() {
  using S = FileInputSection;
  return repeated(
      {.name = "files.input",
       .about = "A file that tasks need before they run or move; the source has it from the "
                "start.",
       .most = core::Recipe::most_files,
       .settings =
           Settings<S>{}
               .add("name", &S::name, {"What it is called."})
               .add("size", &S::size, {"Its size in bytes.", "our choice", 1, largest})
               .add("per", &S::per, {"run", "job", "task"},
                    {"Whether all tasks need the same file, or those of a job, or each has its "
                     "own.",
                     "Peterson, section 4.3: the same code for all"})
               .add("share", &S::share,
                    {"The probability that a task needs it.", "our choice", 0, 1})
               .list()},
      [](auto& scenario) -> auto& { return scenario.files.inputs; });
}

}  // namespace

std::vector<Section> file_sections() { return {files(), input()}; }

}  // namespace rhizome::scenarios
