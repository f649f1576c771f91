#include "scenarios/live/feed.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <variant>

#include "core/engine/onlooker.hpp"
#include "scenarios/live/telling.hpp"

namespace rhizome::scenarios::live {

namespace {

using namespace std::chrono_literals;

// How long the feed waits at its end for the next requests of monitors.
constexpr auto last_words = 100ms;
// How much a search reads at once, and its share of a processor where runs are in virtual time: it
// slows them down, but does not change them. On a busy machine a thread waits for its turn after
// each slice, so that many small slices would take long.
constexpr std::size_t slice_in_real_time = 20'000;
constexpr std::size_t slice_in_virtual_time = 1'000'000;
constexpr double search_in_virtual_time = 0.5;
constexpr std::size_t most_ends = 256;  // ends of runs that are kept
// How often the feed checks whether the result of a fault by hand is known.
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

// A run that no monitor asks about is not sampled at its end.
void Feed::unwatch(std::uint32_t number) {
  const std::scoped_lock lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end()) return;
  if (is_asked()) sample(*found->second, RunSampler::all);
  std::unique_ptr<Run> run = std::move(found->second);
  runs_.erase(found);
  if (const auto pace = paces_.extract(number)) {
    run->held = pace.mapped().held_for(Clock::now());
    speed_ = pace.mapped().speed();
  }
  run->by_hand = faults_.close(number);
  if (!is_asked()) return;
  run->over = true;
  run->board = nullptr;
  run->ended = Clock::now();
  last_ = std::move(run);
  exchange_.wake();
}

// Who watches at a speed watches the next run at it, too.
core::Pace& Feed::pace(std::uint32_t run, bool held) {
  const std::scoped_lock lock(mutex_);
  const auto [place, fresh] = paces_.try_emplace(run, held);
  if (fresh && is_asked()) place->second.set_speed(speed_);
  return place->second;
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
  if (options_.real_time) core::give_way();
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
    knock(now);
    forget_gone(now);
    attention_.processor = core::processor_time();
    wait = idle(now);
  }
  say_farewell();
}

void Feed::take(const core::Request& request) {
  const std::optional<Request> said = decode_request(request.bytes);
  if (!said) return;  // not a monitor of this protocol, so no answer would help
  std::visit([&](const auto& each) { take(request.client, each); }, *said);
}

// A monitor that was welcomed is about to ask. It is registered now, so that it learns of an end
// that comes before.
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
  std::optional<core::OperatorCommand> operator_command = operator_command_of(steer);
  if (!operator_command) {
    const auto pace = paces_.find(number);
    return answer_to(steer, pace == paces_.end() ? nullptr : &pace->second, *run);
  }
  return faults_.take(client, number, std::move(*operator_command));
}

Answer Feed::answer_to(const Steer& steer, core::Pace* pace, const Run& run) {
  if (pace == nullptr && run.title.engine == "threads")
    return Refused{"a run on threads goes by its clock, which cannot be held"};
  if (pace == nullptr) return Refused{no_control};
  if (!obey(steer, *pace)) return Refused{"there is no such step or speed"};
  return Done{text_of(steer, *pace)};
}

void Feed::tell_of_faults() {
  for (const auto& [client, answer] : faults_.answers()) exchange_.send(client, encode(answer));
}

void Feed::take(const std::string& client, const Survey& survey) {
  if (const Run* run = find(survey.run)) exchange_.send(client, encode(run->plan));
}

void Feed::take(const std::string& client, const Story& story) {
  if (!monitors_.contains(client)) return;  // so that there are never more searches than monitors
  searches_.insert_or_assign(client, Searched{StorySearch(story), Clock::now()});
}

void Feed::take(const std::string& client, const RunsRequest& request) {
  RunsAnswer answer{.first_end = std::max(request.known_ends, first_end_)};
  for (const auto& [number, run] : runs_)
    answer.under_way.push_back(
        {run->title, run->sampler.now(), run->sampler.totals().tasks.completed});
  for (std::size_t i = answer.first_end - first_end_; i < ends_.size(); ++i)
    answer.ends.push_back(ends_[i]);
  exchange_.send(client, encode(std::move(answer)));
}

// A search of runs in real time uses the part of the budget that frames leave, and at least a
// quarter of the budget.
void Feed::search(Clock::time_point now) {
  const auto began = core::processor_time();
  const std::size_t slice = options_.real_time ? slice_in_real_time : slice_in_virtual_time;
  for (auto at = searches_.begin(); at != searches_.end();) {
    auto& [client, searched] = *at;
    const Run* run = find(searched.search.story().run);
    const bool readable = run != nullptr && run->board != nullptr;
    if (readable) searched.search.read(*run->board, slice);
    const bool ended = !readable || searched.search.is_over();
    if (ended || now >= searched.told + longest_silence) {
      searched.told = now;
      tell(client, searched.search);
    }
    at = ended ? searches_.erase(at) : std::next(at);
  }
  const double share = options_.real_time
                           ? std::max(options_.share - budget_.share(), options_.share / 4)
                           : search_in_virtual_time;
  next_slice_ =
      now + std::chrono::duration_cast<Clock::duration>((core::processor_time() - began) / share);
}

void Feed::tell(const std::string& client, const StorySearch& search) {
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

// A monitor that asks is answered within `longest_silence`. One that has not asked for so long gets
// a message that shows whether it is still connected.
void Feed::knock(Clock::time_point now) {
  for (auto& [client, monitor] : monitors_) {
    const auto met = std::max(monitor.asked, monitor.knocked);
    if (monitor.ask || now < met + longest_silence) continue;
    monitor.knocked = now;
    monitor.gone = !exchange_.knock(client);
  }
}

void Feed::forget_gone(Clock::time_point now) {
  std::erase_if(monitors_, [this, now](const auto& each) {
    const Monitor& monitor = each.second;
    return monitor.gone || (!monitor.ask && now > monitor.asked + options_.patience);
  });
  std::erase_if(searches_, [this](const auto& each) { return !monitors_.contains(each.first); });
}

// Waits for monitors that are about to ask, so that all of them see how the last run ended.
void Feed::say_farewell() {
  const auto until = Clock::now() + last_words;
  const std::scoped_lock lock(mutex_);
  tell_of_faults();
  const auto all_ask = [this] {
    return std::ranges::all_of(monitors_,
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
