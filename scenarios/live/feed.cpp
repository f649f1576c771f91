#include "scenarios/live/feed.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>
#include <vector>

#include "core/engine/onlooker.hpp"
#include "scenarios/live/telling.hpp"

namespace rhizome::scenarios::live {

namespace {

using namespace std::chrono_literals;

// A monitor that has been silent for so long has gone, or was stopped.
constexpr auto patience = 10s;
// Where nothing is new, an answer comes after this long all the same, so that silence is telling.
constexpr auto longest_silence = 1s;
// How long the end waits for monitors that are about to ask.
constexpr auto last_words = 100ms;
constexpr std::uint32_t most_facts = 4096;  // in a frame
constexpr std::size_t facts_of_a_slice = 20'000;
constexpr std::size_t most_ends = 256;  // that are kept
// So often somebody who has caused a fault is told what came of it, once that is known.
constexpr auto look_at_faults = 5ms;

}  // namespace

Feed::Feed(Options options)
    : options_(std::move(options)),
      exchange_(options_.endpoint, request_limits.bytes),
      budget_(options_.share, options_.least),
      thread_([this] { serve(); }) {}

Feed::~Feed() {
  stopping_ = true;
  exchange_.wake();
  thread_.join();
}

void Feed::watch(const RunTitle& title, const core::Board& board, core::Foreseen foreseen) {
  auto run = std::make_unique<Run>(title, board, std::move(foreseen));
  {
    const std::scoped_lock lock(mutex_);
    run->before = frames_;
    runs_[title.number] = std::move(run);
  }
  exchange_.wake();
}

// What nobody has looked at is not worth a look at the end.
void Feed::unwatch(std::uint32_t number) {
  const std::scoped_lock lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end()) return;
  if (is_asked()) sample(*found->second, Sampler::all);
  std::unique_ptr<Run> run = std::move(found->second);
  runs_.erase(found);
  paces_.erase(number);
  run->by_hand = faults_.close(number);
  if (!is_asked()) return;
  run->over = true;
  run->board = nullptr;
  run->ended = Clock::now();
  last_ = std::move(run);
  exchange_.wake();
}

core::Pace& Feed::pace(std::uint32_t run, bool held) {
  const std::scoped_lock lock(mutex_);
  return paces_.try_emplace(run, held).first->second;
}

void Feed::steer(std::uint32_t run, core::Steering& steering) {
  const std::scoped_lock lock(mutex_);
  faults_.open(run, steering);
}

void Feed::conclude(RunEnd end) {
  const std::scoped_lock lock(mutex_);
  ends_.push_back(std::move(end));
  if (ends_.size() <= most_ends) return;
  ends_.erase(ends_.begin());
  ++first_end_;
}

void Feed::kept_in(const std::string& directory) {
  const std::scoped_lock lock(mutex_);
  directory_ = directory;
}

std::string Feed::failure() {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

Attention Feed::attention() {
  const std::scoped_lock lock(mutex_);
  return attention_;
}

void Feed::serve() {
  core::give_way();
  try {
    serve_until_stopped();
  } catch (const std::exception& error) {
    const std::scoped_lock lock(mutex_);
    failure_ = error.what();
  }
}

void Feed::serve_until_stopped() {
  std::chrono::milliseconds wait = longest_silence;
  while (!stopping_) {
    const std::optional<core::Request> request = exchange_.receive(wait);
    const std::scoped_lock lock(mutex_);
    if (request) take(*request);
    const auto now = Clock::now();
    tell_of_faults();
    keep_past(now);
    if (now >= next_frame_) answer_all(now);
    if (!searches_.empty() && now >= next_slice_) search(now);
    forget_gone(now);
    attention_.processor = core::processor_time();
    wait = idle(now);
  }
  say_farewell();
}

void Feed::take(const core::Request& request) {
  const std::optional<Request> said = decode_request(request.bytes);
  if (!said) return;  // a stranger, whom no answer would help
  std::visit([&](const auto& each) { take(request.client, each); }, *said);
}

// Whoever has been greeted is about to ask: he is told of an end that comes before.
void Feed::take(const std::string& client, const Hello& hello) {
  if (hello.version != protocol_version) {
    exchange_.send(client,
                   encode(Refused{"this run speaks version " + std::to_string(protocol_version) +
                                  " of the protocol: use a monitor of the same program"}));
    return;
  }
  exchange_.send(client, encode(Welcome{.process = static_cast<std::uint64_t>(getpid()),
                                        .scenario = options_.scenario,
                                        .runs = options_.runs,
                                        .fact_kinds = fact_kind_names(),
                                        .control = options_.control}));
  if (monitors_.size() == most_monitors) return;
  if (monitors_.try_emplace(client, Monitor{Clock::now()}).second) ++attention_.monitors;
}

void Feed::take(const std::string& client, const Ask& ask) {
  if (!monitors_.contains(client) && monitors_.size() == most_monitors) {
    exchange_.send(client, encode(Refused{std::to_string(most_monitors) +
                                          " monitors are attached, and that is the most"}));
    return;
  }
  monitors_[client] = {Clock::now(), ask, ask};
}

void Feed::take(const std::string& client, const Steer& steer) {
  if (const auto answer = answer_to(client, steer)) exchange_.send(client, encode(*answer));
}

std::optional<Answer> Feed::answer_to(const std::string& client, const Steer& steer) {
  const Run* run = find({.run = steer.run});
  if (run == nullptr || run->over) return Refused{"that run is not under way"};
  const std::uint32_t number = run->title.number;
  std::optional<core::Deed> deed = deed_of(steer);
  if (!deed) {
    const auto pace = paces_.find(number);
    return answer_to(steer, pace == paces_.end() ? nullptr : &pace->second, *run);
  }
  return faults_.take(client, number, std::move(*deed));
}

Answer Feed::answer_to(const Steer& steer, core::Pace* pace, const Run& run) {
  if (pace == nullptr && run.title.engine == "threads")
    return Refused{"a run on threads goes by its clock, which nobody can hold"};
  if (pace == nullptr) return Refused{no_control};
  if (!obey(steer, *pace)) return Refused{"there is no such step or speed"};
  return Done{};
}

void Feed::tell_of_faults() {
  for (const auto& [client, answer] : faults_.answers()) exchange_.send(client, encode(answer));
}

void Feed::take(const std::string& client, const Survey& survey) {
  if (const Run* run = find(survey.run)) exchange_.send(client, encode(run->plan));
}

void Feed::take(const std::string& client, const Story& story) {
  if (!monitors_.contains(client)) return;  // so that there are no more of these than of those
  searches_.insert_or_assign(client, Searched{Search(story), Clock::now()});
}

void Feed::take(const std::string& client, const RollCall& call) {
  Roll roll{.first_end = std::max(call.known_ends, first_end_)};
  for (const auto& [number, run] : runs_)
    roll.under_way.push_back(
        {run->title, run->sampler.now(), run->sampler.totals().tasks.completed});
  for (std::size_t i = roll.first_end - first_end_; i < ends_.size(); ++i)
    roll.ends.push_back(ends_[i]);
  exchange_.send(client, encode(std::move(roll)));
}

// Takes what frames leave of the share, and a quarter of it in any case.
void Feed::search(Clock::time_point now) {
  const auto began = core::processor_time();
  for (auto at = searches_.begin(); at != searches_.end();) {
    auto& [client, searched] = *at;
    const Run* run = find(searched.search.story().run);
    const bool readable = run != nullptr && run->board != nullptr;
    if (readable) searched.search.read(*run->board, facts_of_a_slice);
    const bool ended = !readable || searched.search.is_over();
    if (ended || now >= searched.told + longest_silence) {
      searched.told = now;
      tell(client, searched.search);
    }
    at = ended ? searches_.erase(at) : std::next(at);
  }
  const double share = std::max(options_.share - budget_.share(), options_.share / 4);
  next_slice_ =
      now + std::chrono::duration_cast<Clock::duration>((core::processor_time() - began) / share);
}

void Feed::tell(const std::string& client, const Search& search) {
  exchange_.send(client, encode(search.found()));
}

bool Feed::is_asked() const { return !monitors_.empty(); }

std::chrono::milliseconds Feed::idle(Clock::time_point now) const {
  auto until = now + longest_silence;
  for (const auto& [number, run] : runs_) until = std::min(until, run->past.due());
  if (!searches_.empty()) until = std::min(until, next_slice_);
  if (faults_.is_awaited()) until = std::min(until, now + look_at_faults);
  for (const auto& [client, monitor] : monitors_)
    if (monitor.ask)
      until = std::min(until, next_frame_ > now ? next_frame_ : now + options_.least);
  return std::max(0ms, std::chrono::ceil<std::chrono::milliseconds>(until - now));
}

// Other processes are asked where somebody listens only.
void Feed::sample(Run& run, std::size_t most) {
  if (is_asked()) run.board->catch_up();
  run.sampler.sample(++frames_, is_asked(), most);
  run.faults = befallen(*run.board, run.plan.foreseen.partings);
  run.faults.partings += faults_.cuts(run.title.number);
  run.processes = processes_of(*run.board);
  const bool wanted = wants_views(run);
  run.board->want_views(wanted);
  if (wanted) run.sampler.sample_views();
}

bool Feed::wants_views(const Run& run) {
  return std::any_of(monitors_.begin(), monitors_.end(), [&](const auto& each) {
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

// Runs that several look at are read once for all.
void Feed::answer_all(Clock::time_point now) {
  const auto began = core::processor_time();
  std::vector<Run*> wanted;
  for (const auto& [client, monitor] : monitors_)
    if (Run* run = monitor.ask ? find(*monitor.ask) : nullptr)
      if (!run->over && std::find(wanted.begin(), wanted.end(), run) == wanted.end())
        wanted.push_back(run);
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
    if (has_it && !waited) return false;
    monitor.gone = !exchange_.send(client, encode(frame_of(*run, *monitor.ask, now)));
    ++attention_.frames;
  }
  monitor.ask.reset();
  return true;
}

Frame Feed::frame_of(const Run& run, const Ask& ask, Clock::time_point now) const {
  const bool follows = ask.known_run == run.title.number && ask.since > run.before &&
                       ask.since <= run.sampler.frame();
  Frame frame{.number = run.sampler.frame(),
              .since = follows ? ask.since : 0,
              .run = run.title,
              .over = run.over,
              .now = run.sampler.now(),
              .real = (run.over ? run.ended : now) - run.began,
              .totals = run.sampler.totals()};
  frame.rows = run.sampler.rows().changed_after(frame.since);
  frame.facts =
      run.sampler.facts().slice(follows ? ask.next_fact : 0, std::min(ask.most_facts, most_facts));
  if (ask.past) frame.extras.past = run.past.moments();
  if (ask.views && run.sampler.views())
    frame.extras.views = views_of(run, follows ? ask.views_since : 0);
  const auto pace = paces_.find(run.title.number);
  const bool paced = !run.over && pace != paces_.end();
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

// Since a frame that nobody was told, or of which nobody knows what it was: all of them.
ViewChanges Feed::views_of(const Run& run, std::uint64_t since) {
  const bool follows = since > run.before && since <= run.sampler.frame();
  ViewChanges changes{.since = follows ? since : 0};
  changes.list = run.sampler.views()->changed_after(changes.since);
  return changes;
}

void Feed::forget_gone(Clock::time_point now) {
  std::erase_if(monitors_, [now](const auto& each) {
    const Monitor& monitor = each.second;
    return monitor.gone || (!monitor.ask && now > monitor.asked + patience);
  });
  std::erase_if(searches_, [this](const auto& each) { return !monitors_.contains(each.first); });
}

// Whoever is about to ask is waited for, so that all see how the last run ended.
void Feed::say_farewell() {
  const auto until = Clock::now() + last_words;
  const std::scoped_lock lock(mutex_);
  tell_of_faults();
  const auto all_ask = [this] {
    return std::all_of(monitors_.begin(), monitors_.end(),
                       [](const auto& each) { return each.second.ask.has_value(); });
  };
  while (Clock::now() < until) {
    const bool complete = all_ask();
    const std::optional<core::Request> request =
        exchange_.receive(complete ? 0ms : last_words / 10);
    if (request)
      take(*request);
    else if (complete)
      break;
  }
  for (auto& [client, monitor] : monitors_) {
    if (monitor.ask) static_cast<void>(answer(client, monitor, Clock::now()));
    exchange_.send(client, encode(Over{directory_, ends_}));
  }
}

}  // namespace rhizome::scenarios::live
