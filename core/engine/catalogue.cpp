#include "core/engine/catalogue.hpp"

#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/names.hpp"

namespace rhizome::core {

namespace {

std::unique_ptr<Engine> threads(EngineSetup setup, const EngineOptions& options) {
  return std::make_unique<ThreadEngine>(
      std::move(setup),
      ThreadOptions{.time_scale = options.time_scale, .history = options.history});
}

std::unique_ptr<Engine> virtual_time(EngineSetup setup, const EngineOptions&) {
  return std::make_unique<VirtualEngine>(std::move(setup));
}

constexpr EngineKind all_engines[]{
    {"threads", true, threads},
    {"virtual", false, virtual_time},
};

}  // namespace

std::span<const EngineKind> engines() { return all_engines; }

const EngineKind& engine_of(EngineId id) { return all_engines[static_cast<std::size_t>(id)]; }

std::vector<std::string> engine_names() { return names_of(all_engines); }

std::vector<std::string> engine_names(bool real_time) {
  std::vector<std::string> names;
  for (const EngineKind& engine : all_engines)
    if (engine.real_time == real_time) names.emplace_back(engine.name);
  return names;
}

}  // namespace rhizome::core
