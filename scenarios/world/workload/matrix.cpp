#include "scenarios/world/workload/task_graphs.hpp"

#include <utility>

#include "agents/work/kinds.hpp"
#include "scenarios/world/workload/draw.hpp"

namespace rhizome::scenarios {

namespace {

agents::Job draw_job(const WorkloadSection& section, core::Rng& rng, std::uint32_t id,
                     std::uint32_t tasks) {
  agents::Job job{.id = id, .arrival = core::Time{} + section.start, .portions = {}};
  job.portions.reserve(tasks);
  const core::Recipe recipe =
      core::recipe_of(agents::work_kinds(), section.work, section.work_options);
  for (std::uint32_t i = 0; i < tasks; ++i)
    job.portions.push_back(draw_task(section, recipe, rng, {id, i}, draw_factor(section, rng)));
  return job;
}

// Each neighbour by itself, in the order west, north, north-west.
void connect(agents::Job& job, const MatrixOptions& options, core::Rng& rng) {
  const std::uint32_t dims = options.dims;
  const auto draw = [&](bool there, std::uint32_t task, std::uint32_t before) {
    if (there && rng.chance(options.tg_prob_connected))
      job.dependencies.push_back({task, task - before, options.edge_bytes});
  };
  for (std::uint32_t task = 0; task < dims * dims; ++task) {
    const bool west = task % dims > 0;
    const bool north = task >= dims;
    draw(west, task, 1);
    draw(north, task, dims);
    draw(west && north, task, dims + 1);
  }
}

}  // namespace

std::vector<core::Setting> matrix_settings() {
  using O = MatrixOptions;
  return own_settings<WorkloadSection>(
      core::Settings<O>{}
          .add("dims", &O::dims,
               {"Rows and columns of the matrix: the graph has dims * dims tasks.",
                "Peterson, chapter 7: 5, 50 and 100", 1, 1000})
          .add("tg_prob_connected", &O::tg_prob_connected,
               {"The probability with which a task needs each of its neighbours to the west, the "
                "north and the north-west. More makes longer chains.",
                "Peterson, chapter 7: 0.2", 0, 1})
          .add("independent", &O::independent,
               {"Tasks beside the matrix, without dependencies.", "Peterson, chapter 7: 400", 0,
                1'000'000})
          .add("edge_bytes", &O::edge_bytes,
               {"Bytes that a task is given by each that it needs. They go with the result to "
                "the peer that keeps the graph, and from there with the task; or, under a locator, "
                "straight to wherever the task is, and with it when it moves.",
                "our choice", 0, 1e12}));
}

std::unique_ptr<agents::Arrivals> generate_matrix(const WorkloadSection& section,
                                                  const core::Rng& rng) {
  const auto& options = section.own.of<MatrixOptions>();
  core::Rng draws = rng;
  agents::Workload workload;
  workload.jobs.push_back(draw_job(section, draws, 0, options.dims * options.dims));
  connect(workload.jobs.front(), options, draws);
  if (options.independent > 0)
    workload.jobs.push_back(draw_job(section, draws, 1, options.independent));
  return std::make_unique<agents::ListedArrivals>(std::move(workload));
}

}  // namespace rhizome::scenarios
