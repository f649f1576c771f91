#include "scenarios/format/checks/checks.hpp"

#include "core/engine/catalogue.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

void check_live(const Written& written, Scenario& scenario) {
  const Scenario& s = scenario;
  if (!comes_live(s.workload)) return;
  const std::string but = ", but jobs that come through a pipe come once, and as time goes by";
  if (!core::engine_of(s.engine.kind).real_time)
    refuse(written.where("engine", "kind"), "\"kind\" is virtual time" + but);
  if (s.run.repetitions > 1)
    refuse(written.where("run", "repetitions"), "\"repetitions\" is more than 1" + but);
  if (s.schedulers.size() > 1)
    refuse(written.where("workload", "file"), "the scenario has several schedulers" + but);
  if (s.workload.max_jobs == 0)
    refuse(written.where("workload", "file"),
           "jobs come through a pipe: say with \"max_jobs\" how many may come at most");
}

}  // namespace rhizome::scenarios
