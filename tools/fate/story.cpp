#include "tools/fate/story.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "agents/locator/facts.hpp"
#include "scenarios/outcome/fact_text.hpp"
#include "scenarios/text/enumerators.hpp"
#include "tools/timeline/executions.hpp"

namespace rhizome::tools {

namespace {

using agents::TaskId;
using core::PeerId;
using scenarios::text_of;

// Facts of locators about a task, in the words of a story: the way of the task, its forwarders, and
// the searches for it.
// An event in a word or two, and what the peer did.
struct SearchWords {
  std::string event;
  std::string text;
};

std::string task_title(agents::TaskId task) {
  return fmt::format("task {}.{}", task.job, task.portion);
}

SearchWords search_words(const agents::locator::TaskLeft& fact) {
  return {"moves", "sends it to " + scenarios::name_of(fact.receiver)};
}
SearchWords search_words(const agents::locator::TaskSettled& fact) {
  return {"settles",
          fmt::format("has it in epoch {}, in want of {} data", fact.epoch, fact.awaits)};
}
SearchWords search_words(const agents::locator::ForwarderLeft& fact) {
  return {"forwarder",
          fmt::format("forwards to {}, version {}", scenarios::name_of(fact.next), fact.version)};
}
SearchWords search_words(const agents::locator::ForwarderTurned& fact) {
  return {"forwarder", fmt::format("forwards now to {}, version {}", scenarios::name_of(fact.next),
                                   fact.version)};
}
SearchWords search_words(const agents::locator::ForwarderGone&) {
  return {"forwarder gone", "forwards no more"};
}
SearchWords search_words(const agents::locator::DatumSent& fact) {
  return {fact.again ? "datum again" : "datum",
          fmt::format("sends what {} gives it to {}, version {}", task_title(fact.giver),
                      scenarios::name_of(fact.at), fact.version)};
}
SearchWords search_words(const agents::locator::SearchHeld& fact) {
  return {"search waits", "keeps what looks for it on behalf of " + task_title(fact.giver)};
}
SearchWords search_words(const agents::locator::SearchReleased& fact) {
  return {"search goes on",
          "keeps no more what looked for it on behalf of " + task_title(fact.giver)};
}
SearchWords search_words(const agents::locator::DatumGiven& fact) {
  return {"datum given", fmt::format("gives it what {} gives, which came by {} message{}",
                                     task_title(fact.giver), fact.hops, fact.hops == 1 ? "" : "s")};
}

// For an error message: the tasks that exist, if the task asked for does not.
std::string known_tasks(const std::vector<TaskOutcome>& tasks, std::uint32_t job) {
  const TaskOutcome* first = nullptr;
  const TaskOutcome* last = nullptr;
  for (const TaskOutcome& task : tasks) {
    if (task.id.job != job) continue;
    if (first == nullptr) first = &task;
    last = &task;
  }
  if (first != nullptr)
    return fmt::format("those of job {0} are {0}.{1} to {0}.{2}", job, first->id.portion,
                       last->id.portion);
  if (tasks.empty()) return "it has none at all";
  return fmt::format("its jobs are {} to {}", tasks.front().id.job, tasks.back().id.job);
}

const TaskOutcome& task_in(const Outcome& outcome, TaskId id) {
  const auto found =
      std::ranges::find_if(outcome.tasks, [id](const TaskOutcome& task) { return task.id == id; });
  if (found != outcome.tasks.end()) return *found;
  throw std::out_of_range(fmt::format("this run has no task {}.{}: {}", id.job, id.portion,
                                      known_tasks(outcome.tasks, id.job)));
}

class Teller {
 public:
  Teller(const Outcome& outcome, TaskId id) : outcome_(outcome), task_(task_in(outcome, id)) {}

  TaskHistory tell() {
    take_all<agents::TaskSubmitted, agents::TaskReissued, agents::TaskHanded>();
    using namespace agents::locator;
    take_all<TaskLeft, TaskSettled, ForwarderLeft, ForwarderTurned, ForwarderGone, DatumSent,
             SearchHeld, SearchReleased, DatumGiven>();
    take_all<agents::TaskStarted, agents::TaskExecuted, agents::TaskComputed, agents::TaskCompleted,
             agents::TaskDuplicate>();
    add_cut_off();
    add_faults();
    std::ranges::stable_sort(events_,
                             [](const StoryEvent& a, const StoryEvent& b) { return a.at < b.at; });
    TaskHistory story{.identity = outcome_.identity,
                      .task = task_,
                      .steered = outcome_.steered.operator_commands > 0,
                      .events = std::move(events_)};
    if (outcome_.facts.any<agents::TaskHanded>()) story.hops = hops_;
    return story;
  }

 private:
  // Adds the facts of these types about the task. Facts at the same time are told in the order of
  // the types, so that no result comes before the end of its execution.
  template <class... F>
  void take_all() {
    const auto take_those = [this](const auto& column) {
      for (const auto& noted : column)
        if (noted.fact.task == task_.id) take(noted);
    };
    (take_those(outcome_.facts.of<F>()), ...);
  }
  void add(Time at, PeerId peer, std::string event, const std::string& text) {
    events_.push_back({at, peer, std::move(event), scenarios::name_of(peer) + " " + text});
    concerned_.insert(peer);
  }
  void take(const Noted<agents::TaskSubmitted>& noted) {
    add(noted.at, noted.peer, "submitted",
        "was handed it: " + text_of(noted.fact.duration) + " on a peer of speed 1");
  }
  void take(const Noted<agents::TaskHanded>& noted) {
    ++hops_;
    concerned_.insert(noted.fact.receiver);
    add(noted.at, noted.peer, "handed on",
        "hands it on to " + scenarios::name_of(noted.fact.receiver));
  }
  template <core::one_of<agents::locator::Facts> F>
  void take(const Noted<F>& noted) {
    const auto [event, text] = search_words(noted.fact);
    add(noted.at, noted.peer, event, text);
  }
  void take(const Noted<agents::TaskStarted>& noted) {
    add(noted.at, noted.peer, "started", "began it");
  }
  void take(const Noted<agents::TaskExecuted>& noted) {
    add(noted.at, noted.peer, "ended", "ended it, after " + text_of(noted.fact.took));
  }
  void take(const Noted<agents::TaskComputed>& noted) {
    add(noted.at, noted.peer, "computed",
        "computed " + noted.fact.result +
            (noted.fact.right ? ", which is right" : ", which is wrong"));
  }
  void take(const Noted<agents::TaskReissued>& noted) {
    const PeerId holder = noted.fact.holder;
    concerned_.insert(holder);
    add(noted.at, noted.peer, "handed out again",
        "hands it out again, which " +
            (holder == noted.peer ? "it had itself" : scenarios::name_of(holder) + " had") + ": " +
            noted.fact.reason);
  }
  void take(const Noted<agents::TaskCompleted>& noted) {
    const bool first = noted.at == task_.completed_at;
    concerned_.insert(noted.fact.executor);
    add(noted.at, noted.peer, first ? "completed" : "duplicate",
        std::string("has the result of ") + scenarios::name_of(noted.fact.executor) +
            (first ? "" : ", and had forgotten the first"));
  }
  void take(const Noted<agents::TaskDuplicate>& noted) {
    concerned_.insert(noted.fact.executor);
    add(noted.at, noted.peer, "duplicate",
        "has a result once more, of " + scenarios::name_of(noted.fact.executor));
  }

  // Puts executions that were cut off before other events at the same time, which they cause.
  void add_cut_off() {
    std::vector<StoryEvent> facts = std::exchange(events_, {});
    for (const Execution& execution : executions_of(outcome_)) {
      if (execution.task != task_.id || execution.ended) continue;
      const bool open = execution.until == outcome_.ended;
      add(execution.until, execution.peer, open ? "not over" : "cut off",
          open ? "was at it, or had given it up, when the run ended"
               : "was at it, and did not end it");
    }
    events_.insert(events_.end(), facts.begin(), facts.end());
  }

  void add_faults() {
    const Time from = task_.submitted ? task_.submitted_at : Time{};
    const Time until = task_.completed ? task_.completed_at : outcome_.ended;
    std::vector<StoryEvent> faults;
    for (const core::Fault& fault : outcome_.faults)
      if (concerned_.contains(fault.peer) && fault.at >= from && fault.at <= until)
        faults.push_back({fault.at, fault.peer, std::string(core::name_of(fault.kind)),
                          scenarios::name_of(fault.peer) + " " + words_of(fault.kind)});
    events_.insert(events_.begin(), faults.begin(),
                   faults.end());  // before the executions that they cut off
  }
  static std::string words_of(core::Fault::Kind kind) {
    return one_of(kind, {"crashed", "was started again", "left", "joined"});
  }

  const Outcome& outcome_;
  const TaskOutcome& task_;
  std::vector<StoryEvent> events_;
  std::set<PeerId> concerned_;
  std::uint32_t hops_ = 0;
};

}  // namespace

TaskHistory story_of(const Outcome& outcome, TaskId task) {
  TaskHistory story = Teller(outcome, task).tell();
  story.result_known = scenarios::results_known(outcome);
  story.chain = chain_of(outcome, task);
  return story;
}

}  // namespace rhizome::tools
