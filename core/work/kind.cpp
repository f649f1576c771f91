#include "core/work/kind.hpp"

#include <chrono>
#include <future>
#include <stdexcept>

namespace rhizome::core {

namespace {

struct NoSettings {};

}  // namespace

WorkKind emulated_work() {
  return make_work_kind<NoSettings>(
      {.name = "emulated", .summary = "time passes, and nothing is computed"});
}

Recipe recipe_of(WorkKinds kinds, WorkKindId kind, const std::vector<std::any>& options) {
  if (kind == WorkKindId::emulated) return {};
  const auto at = static_cast<std::size_t>(kind);
  const bool said = at < options.size() && options[at].has_value();
  std::string spec = kinds[at].spec(said ? options[at] : kinds[at].defaults());
  if (spec.size() > Recipe::longest)
    throw std::invalid_argument("what work of the kind " + std::string(kinds[at].name) +
                                " is told takes " + std::to_string(spec.size()) + " bytes, and " +
                                std::to_string(Recipe::longest) + " are the most");
  return {kind, std::move(spec)};
}

std::unique_ptr<Computation> computation_of(WorkKinds kinds, const Work& work) {
  const auto at = static_cast<std::size_t>(work.recipe.kind());
  if (at >= kinds.size() || !kinds[at].compute) return nullptr;
  return kinds[at].compute(work.recipe.spec(), work.seed);
}

Result result_of(WorkKinds kinds, const Work& work, const std::atomic<bool>* stop) {
  constexpr std::chrono::milliseconds look{20};
  std::promise<Result> promise;  // outlives the computation, which keeps a reference to it
  const auto at = static_cast<std::size_t>(work.recipe.kind());
  if (at < kinds.size() && !kinds[at].in_virtual_time) return {};
  const std::unique_ptr<Computation> computation = computation_of(kinds, work);
  if (!computation) return {};
  std::future<Result> result = promise.get_future();
  // Runs in another thread only if the caller may want to end it.
  std::future<void> begun = std::async(
      stop == nullptr ? std::launch::deferred : std::launch::async,
      [&] { computation->begin([&promise](Result made) { promise.set_value(std::move(made)); }); });
  if (stop == nullptr) begun.get();
  for (bool wanted = true; result.wait_for(look) != std::future_status::ready;) {
    if (begun.valid() && begun.wait_for(look) == std::future_status::ready) begun.get();
    if (wanted && stop != nullptr && *stop) {
      computation->cancel();
      wanted = false;
    }
  }
  return result.get();
}

}  // namespace rhizome::core
