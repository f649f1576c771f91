// Makes frames from the boards of runs, and decides when monitors get them.
#include "scenarios/live/feed.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/engine/mirror.hpp"
#include "core/engine/onlooker.hpp"
#include "scenarios/live/telling.hpp"

namespace rhizome::scenarios::live {

namespace {

constexpr std::uint32_t most_facts = 4096;  // in a frame

}  // namespace

// Other processes are asked for news only while a monitor listens.
void Feed::sample(Run& run, std::size_t most) {
  if (is_asked()) run.board->catch_up();
  run.sampler.sample(++frames_, is_asked(), most);
  run.faults = befallen(*run.board, run.plan.foreseen.partings);
  run.faults.partings += faults_.cuts(run.title.number);
  run.processes = processes_of(*run.board);
  run.complete = run.board->mirror() == nullptr || run.board->mirror()->is_complete();
  const bool wanted = wants_views(run);
  run.board->want_views(wanted);
  if (wanted) run.sampler.sample_views();
}

bool Feed::wants_views(const Run& run) {
  return std::ranges::any_of(monitors_, [&](const auto& each) {
    const Ask& last = each.second.last;
    return last.views && find(last) == &run;
  });
}

void Feed::keep_past(Clock::time_point now) {
  for (auto& [number, run] : runs_) {
    if (now < run->past.due()) continue;
    if (run->board->mirror() != nullptr && !is_asked()) {
      run->past.pass_over(now);
      continue;
    }
    sample(*run);
    run->past.add(now, run->sampler.moment());
  }
}

// A run that several monitors ask for is sampled once for all of them.
void Feed::answer_all(Clock::time_point now) {
  const auto began = core::processor_time();
  std::vector<Run*> wanted;
  for (const auto& [client, monitor] : monitors_)
    if (Run* run = monitor.ask ? find(*monitor.ask) : nullptr)
      if (!run->over && std::ranges::find(wanted, run) == wanted.end()) wanted.push_back(run);
  for (Run* run : wanted) sample(*run);
  bool answered = false;
  for (auto& [client, monitor] : monitors_)
    if (monitor.ask && answer(client, monitor, now)) answered = true;
  if (!answered) return;
  budget_.spent(core::processor_time() - began);
  next_frame_ = now + budget_.interval();
}

auto Feed::find(std::uint32_t run) -> Run* {
  const auto found = runs_.find(run);
  if (found != runs_.end()) return found->second.get();
  return last_ && last_->title.number == run ? last_.get() : nullptr;
}

auto Feed::find(const Ask& ask) -> Run* {
  if (ask.run) return find(*ask.run);
  return runs_.empty() ? last_.get() : runs_.rbegin()->second.get();
}

bool Feed::answer(const std::string& client, Monitor& monitor, Clock::time_point now) {
  const Run* run = find(*monitor.ask);
  const bool waited = now >= monitor.asked + longest_silence;
  if (run == nullptr) {
    if (!monitor.ask->run || !waited) return false;
    monitor.gone =
        !exchange_.send(client, encode(Refused{"run " + std::to_string(*monitor.ask->run + 1) +
                                               " of the experiment is not under way"}));
  } else {
    const bool has_it =
        monitor.ask->known_run == run->title.number && monitor.ask->since == run->sampler.frame();
    if ((has_it || !run->complete) && !waited) return false;
    monitor.gone = !exchange_.send(client, encode(frame_of(*run, *monitor.ask, now)));
    ++attention_.frames;
  }
  monitor.ask.reset();
  return true;
}

Frame Feed::frame_of(const Run& run, const Ask& ask, Clock::time_point now) const {
  const bool follows = ask.known_run == run.title.number && ask.since > run.before &&
                       ask.since <= run.sampler.frame();
  const auto pace = paces_.find(run.title.number);
  const bool paced = !run.over && pace != paces_.end();
  const Clock::duration held = paced ? pace->second.held_for(now) : run.held;
  Frame frame{.number = run.sampler.frame(),
              .since = follows ? ask.since : 0,
              .run = run.title,
              .over = run.over,
              .now = run.sampler.now(),
              .real = std::max((run.over ? run.ended : now) - run.began - held, Clock::duration{}),
              .totals = run.sampler.totals()};
  frame.rows = run.sampler.rows().changed_after(frame.since);
  frame.facts =
      run.sampler.facts().slice(follows ? ask.next_fact : 0, std::min(ask.most_facts, most_facts));
  if (ask.past) frame.extras.past = run.past.moments();
  if (ask.views && run.sampler.views())
    frame.extras.views = views_of(run, follows ? ask.views_since : 0);
  frame.cost = {.share = budget_.share(),
                .interval = budget_.interval(),
                .slowed = budget_.slows(),
                .held = paced && pace->second.held(),
                .paced = paced,
                .speed = paced ? pace->second.speed() : 0,
                .by_hand = run.over ? run.by_hand : faults_.count(run.title.number),
                .faults = run.faults,
                .processes = run.processes};
  for (const auto& [number, each] : runs_) frame.under_way.push_back(number);
  return frame;
}

// The views that changed after frame `since`; all views where that frame is not one of this run.
ViewChanges Feed::views_of(const Run& run, std::uint64_t since) {
  const bool follows = since > run.before && since <= run.sampler.frame();
  ViewChanges changes{.since = follows ? since : 0};
  changes.list = run.sampler.views()->changed_after(changes.since);
  return changes;
}

}  // namespace rhizome::scenarios::live
