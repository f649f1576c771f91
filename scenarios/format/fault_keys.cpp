// The tables of keys about faults: [faults] and what lies in it.
#include "scenarios/format/keys.hpp"

#include <utility>

#include "scenarios/format/section_parts.hpp"
#include "scenarios/world/faults/lifetimes.hpp"

namespace rhizome::scenarios {

namespace {

using core::Settings;

constexpr double shortest_mean = 1e-3;  // shorter ones make schedules of millions of faults
constexpr double most_shape = 100;

Section faults() {
  using S = FaultsSection;
  return {
      .name = "faults",
      .about = "Crashes by chance; peers that the scheduler cannot do without are spared.",
      .settings = Settings<S>{}
                      .add("crash_share", &S::crash_share,
                           {"Share of the peers that crash, each once.", "our choice", 0, 1})
                      .add("crash_from", &S::crash_from,
                           {"The earliest crash; times are uniform.", "our choice", 0, long_time})
                      .add("crash_until", &S::crash_until,
                           {"The latest crash.", "our choice", 0, long_time})
                      .add("restart_after", &S::restart_after,
                           {"A crashed peer starts anew after this time; 0: never.", "our choice",
                            0, long_time})
                      .add("expected", &S::expected,
                           {"Whether schedulers take precautions against loss and deaths even if "
                            "the scenario has none, as in runs that monitors may steer.",
                            "our choice"})
                      .list(),
      .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario.faults; }};
}

Section fault_event() {
  using S = FaultEventSection;
  return repeated(
      {.name = "faults.event",
       .about = "One event at a stated time, of any peer.",
       .settings = Settings<S>{}
                       .add("at", &S::at, {"When.", "our choice", 0, long_time})
                       .add("peer", &S::peer, {"Who, from 0.", "our choice", 0, most_peers})
                       .add("kind", &S::kind, {"crash", "restart", "leave", "join"},
                            {"It is gone without a word, starts anew, says goodbye and is "
                             "gone (which of the schedulers only sparrow hears), or does not "
                             "exist before."})
                       .add("restart_after", &S::restart_after,
                            {"It starts anew after this time; 0: never, or by an event.",
                             "our choice", 0, long_time})
                       .list(),
       .conditions = {{"restart_after", "kind", {"crash", "leave"}}}},
      [](auto& scenario) -> auto& { return scenario.faults.events; });
}

Section fault_mass() {
  using S = MassFailureSection;
  return repeated(
      {.name = "faults.mass",
       .about = "Many peers crash at the same time; those that a scheduler cannot do without do "
                "not.",
       .settings =
           Settings<S>{}
               .add("at", &S::at, {"When.", "our choice", 0, long_time})
               .add("share", &S::share,
                    {"Share of all peers, by chance. Those of a smaller share are among "
                     "those of a larger one.",
                     "our choice", 0, 1})
               .add("restart_after", &S::restart_after,
                    {"All start anew after this time; 0: never.", "our choice", 0, long_time})
               .list()},
      [](auto& scenario) -> auto& { return scenario.faults.masses; });
}

Section fault_machine() {
  using S = MachineFailureSection;
  return repeated(
      {.name = "faults.machine",
       .about = "All peers of a machine crash at the same time, and do not come back.",
       .settings = Settings<S>{}
                       .add("at", &S::at, {"When.", "our choice", 0, long_time})
                       .add("machine", &S::machine,
                            {"Which of engine.machines, from 0.", "our choice", 0, most_peers})
                       .list()},
      [](auto& scenario) -> auto& { return scenario.faults.machines; });
}

std::vector<core::Setting> lifetime_settings() {
  using S = LifetimesSection;
  return Settings<S>{}
      .add("distribution", &S::distribution, words_of(lifetime_models()),
           {"How lives are distributed, or that they are read from a file.",
            "pareto: Yao, Leonard, Wang and Loguinov 2006; weibull: Stutzbach and Rejaie 2006"})
      .add("mean", &S::mean,
           {"Mean length of a life. Less is more churn.", "our choice", shortest_mean, long_time})
      .add("shape", &S::shape,
           {"Shape of the distribution: less makes short lives more frequent and a few much "
            "longer; 0: 3 for pareto, 0.5 for weibull.",
            "as for the distributions", 0, most_shape})
      .add("file", &S::file,
           {"A CSV file with the columns peer, up_at and down_at, in seconds, a line for each "
            "life."})
      .add("share", &S::share,
           {"Share of the peers that take part, by chance; the others stay.", "our choice", 0, 1})
      .add("until", &S::until,
           {"No life ends from then on; 0: until the time limit.", "our choice", 0, long_time})
      .add("ends_by", &S::ends_by, {"crash", "leave"},
           {"Whether peers are gone without a word or say goodbye."})
      .add("downtime", &S::downtime, words_of(downtime_models()),
           {"How the times until a next life are distributed; never: there is none."})
      .add("downtime_mean", &S::downtime_mean,
           {"Mean time until a next life. More leaves fewer peers at a time.", "our choice",
            shortest_mean, long_time})
      .add("downtime_shape", &S::downtime_shape,
           {"Shape of that distribution; 0: 3 for pareto, 0.5 for weibull.",
            "as for the distributions", 0, most_shape})
      .list();
}

std::vector<Condition> lifetime_conditions() {
  std::vector<Condition> conditions = conditions_of(lifetime_models(), "distribution");
  for (Condition& of_downtime : conditions_of(downtime_models(), "downtime"))
    conditions.push_back(std::move(of_downtime));
  return conditions;
}

Section lifetimes() {
  return {.name = "faults.lifetimes",
          .about =
              "Churn: peers live, are gone and come back, again and again; those that a "
              "scheduler cannot do without stay.",
          .settings = lifetime_settings(),
          .conditions = lifetime_conditions(),
          .address = [](Scenario& scenario, std::size_t) -> void* {
            return &scenario.faults.lifetimes;
          }};
}

}  // namespace

std::vector<Section> fault_sections() {
  return {faults(), fault_event(), fault_mass(), fault_machine(), lifetimes()};
}

}  // namespace rhizome::scenarios
