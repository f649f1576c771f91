#include "tools/explore/expedition.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "agents/schedulers.hpp"
#include "core/explore/minimise.hpp"
#include "scenarios/experiment/exploration.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::tools {

using scenarios::Cell;

namespace {

std::string label_of(const Cell& cell, std::size_t scheduler) {
  std::string label = cell.scenario.schedulers[scheduler].label;
  for (const auto& [key, value] : scenarios::choices_for(cell, label))
    label += ", " + key.substr(key.rfind('.') + 1) + " = " + value;
  return label;
}

// A budget that begins now, and ends with an interrupt.
std::function<bool()> budget_of(const ExpeditionOptions& options, const std::atomic<bool>& stop) {
  return [&stop, end = std::chrono::steady_clock::now() + options.time] {
    return stop.load() || std::chrono::steady_clock::now() >= end;
  };
}

// Makes it short, within another budget, and tells it once more.
void tell(Expedition& expedition, core::BrokenHistory history, const Cell& cell,
          std::size_t scheduler, const ExpeditionOptions& options, const std::atomic<bool>& stop) {
  scenarios::Exploration exploration(cell, scheduler, options.explorer);
  core::Explorer& explorer = exploration.explorer();
  expedition.found = history.choices.size();
  history = core::minimise(explorer, std::move(history), options.depth, budget_of(options, stop));
  expedition.rule = history.broken.rule;
  expedition.told = history.broken.told;
  expedition.file = scenarios::history_text({cell, scheduler, options.explorer}, history);
  explorer.listen([&](const std::string& line) { expedition.conversation.push_back(line); });
  static_cast<void>(core::follow(explorer, history.choices, history.choices.size()));
}

// Going back repeats the same events, after which a program may behave differently.
std::exception_ptr error_of(const Cell& cell, std::size_t scheduler, std::exception_ptr error) {
  const scenarios::SchedulerChoice& choice = cell.scenario.schedulers[scheduler];
  if (choice.scheduler->name != agents::program_name) return error;
  return std::make_exception_ptr(scenarios::InputError(
      cell.scenario.file, 1, 1,
      choice.label + " cannot be explored: the program is not deterministic, for the same events "
                     "were followed by others the next time"));
}

}  // namespace

Expedition explore(const Cell& cell, std::size_t scheduler, const ExpeditionOptions& options,
                   const std::atomic<bool>& stop) {
  const auto began = std::chrono::steady_clock::now();
  const std::function<bool()> enough = budget_of(options, stop);
  scenarios::Exploration exploration(cell, scheduler, options.explorer);
  core::Search search(exploration.explorer(),
                      {.depth = options.depth, .states = options.states, .enough = enough});
  search.explore();
  Expedition expedition{.label = label_of(cell, scheduler),
                        .opaque = exploration.explorer().opaque(),
                        .exhausted = search.exhausted()};
  core::Rng rng = core::Rng::derive({options.seed}, "walks");
  while (!search.exhausted() && !search.broken() && expedition.walks < options.walks &&
         !stop.load()) {
    search.walk(rng, [&stop] { return stop.load(); });
    ++expedition.walks;
  }
  expedition.counts = search.counts();
  if (search.broken()) tell(expedition, *search.broken(), cell, scheduler, options, stop);
  expedition.wall = std::chrono::steady_clock::now() - began;
  return expedition;
}

std::vector<Expedition> explore_all(const std::vector<Cell>& cells,
                                    const ExpeditionOptions& options, std::size_t threads,
                                    const std::atomic<bool>& stop) {
  std::vector<std::pair<const Cell*, std::size_t>> tasks;
  for (const Cell& cell : cells)
    for (std::size_t i = 0; i < cell.scenario.schedulers.size(); ++i) tasks.emplace_back(&cell, i);
  std::vector<Expedition> results(tasks.size());
  std::vector<std::exception_ptr> errors(tasks.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size() && !stop.load(); i = next++) try {
        results[i] = explore(*tasks[i].first, tasks[i].second, options, stop);
      } catch (const core::ImpossibleChoice&) {
        errors[i] = error_of(*tasks[i].first, tasks[i].second, std::current_exception());
      } catch (...) {
        errors[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> worker_pool;
    try {
      while (worker_pool.size() + 1 < std::min(threads, tasks.size()))
        worker_pool.emplace_back(work);
    } catch (const std::system_error&) {
      // If the system allows no more threads, the existing ones do all the work.
    }
    work();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  std::erase_if(results, [](const Expedition& one) { return one.label.empty(); });
  return results;
}

}  // namespace rhizome::tools
