#include "scenarios/world/files.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/files/content.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::scenarios {

namespace {

using core::FileRef;

// Which files have the same name: that of the run, of a job or of a task.
std::uint64_t owner(FilePer per, agents::TaskId task) {
  switch (per) {
    case FilePer::run:
      return 0;
    case FilePer::job:
      return std::uint64_t{task.job} + 1;
    case FilePer::task:
      break;
  }
  return agents::subject_of(task) + 1;
}

class ArrivalsWithFiles final : public agents::Arrivals {
 public:
  ArrivalsWithFiles(std::unique_ptr<agents::Arrivals> jobs, const FilesSection& files,
                    core::PeerId source, std::uint64_t seed, FileNames names)
      : jobs_(std::move(jobs)), files_(files), source_(source), seed_(seed), names_(names) {}

  [[nodiscard]] std::optional<agents::Job> next() override {
    std::optional<agents::Job> job = jobs_->next();
    if (!job) return job;
    for (agents::Task& task : job->portions) task.recipe = task.recipe.with(cargo_of(task.id));
    return job;
  }
  [[nodiscard]] bool awaits() const override { return jobs_->awaits(); }
  // Remarks about the jobs so far.
  [[nodiscard]] std::vector<std::string> remarks() override {
    std::vector<std::string> all = jobs_->remarks();
    all.push_back("tasks need " + std::to_string(inputs_) +
                  (inputs_ == 1 ? " file, of " : " files, together of ") +
                  std::to_string(input_bytes_) +
                  " bytes: so many at least go to each peer that needs them, for each peer but "
                  "the source; and tasks leave " +
                  std::to_string(output_bytes_) + " bytes");
    return all;
  }

 private:
  core::Cargo cargo_of(agents::TaskId task) {
    const std::uint64_t subject = agents::subject_of(task);
    core::Cargo cargo{.subject = subject, .inputs = {}, .output = files_.output, .client = source_};
    output_bytes_ += files_.output;
    core::Rng rng = core::Rng::derive({seed_, subject}, "files");
    for (std::size_t i = 0; i < files_.inputs.size(); ++i)
      if (rng.chance(files_.inputs[i].share)) cargo.inputs.push_back(file(i, task));
    return cargo;
  }
  // The files of the run are made once, and of others the last one, which most often comes again.
  const FileRef& file(std::size_t input, agents::TaskId task) {
    const FileInputSection& section = files_.inputs[input];
    const std::uint64_t of = owner(section.per, task);
    auto& [made_for, made] = made_[input];
    if (made.size == 0 || made_for != of) {
      made = make(core::derive_seed({seed_, input, of}, "file"), section.size);
      made_for = of;
      ++inputs_;
      input_bytes_ += section.size;
    }
    return made;
  }

  [[nodiscard]] FileRef make(std::uint64_t content, std::uint64_t size) const {
    if (names_ == FileNames::left_out) return {{}, size, content, source_};
    return agents::files::make_file(content, size, files_.chunk, source_);
  }

  std::unique_ptr<agents::Arrivals> jobs_;
  FilesSection files_;
  core::PeerId source_;
  std::uint64_t seed_;
  FileNames names_;
  std::map<std::size_t, std::pair<std::uint64_t, FileRef>> made_;
  std::uint64_t inputs_ = 0;  // different ones so far
  std::uint64_t input_bytes_ = 0;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace

agents::files::Options file_options(const FilesSection& files) {
  std::uint64_t largest = files.output;
  for (const FileInputSection& input : files.inputs) largest = std::max(largest, input.size);
  return {.used = files.used(),
          .chunk = files.chunk,
          .cache = files.cache,
          .output = files.output,
          .largest = largest};
}

std::unique_ptr<agents::Arrivals> with_files(std::unique_ptr<agents::Arrivals> jobs,
                                             const FilesSection& files, core::PeerId source,
                                             std::uint64_t seed, FileNames names) {
  return std::make_unique<ArrivalsWithFiles>(std::move(jobs), files, source, seed, names);
}

}  // namespace rhizome::scenarios
