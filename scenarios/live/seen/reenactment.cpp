#include "scenarios/live/seen/reenactment.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/seen/recording.hpp"
#include "scenarios/live/state.hpp"
#include "scenarios/live/telling.hpp"
#include "scenarios/outcome/kind_index.hpp"

namespace rhizome::scenarios::live {

namespace {

RunTitle title_of(const Outcome& outcome, std::uint32_t number) {
  RunTitle run = live::title_of(outcome.identity, number);
  run.peers = static_cast<std::uint32_t>(outcome.peers.size());
  run.length.open_for = outcome.open_for;
  run.tasks = outcome.tasks.size() + outcome.unseen;
  return run;
}

Plan plan_of(const Outcome& outcome, std::uint32_t number) {
  Plan plan{.run = number, .foreseen = {.faults = outcome.faults}};
  plan.foreseen.lag_tolerance = outcome.validity.tolerance;
  plan.foreseen.at_least_once = outcome.at_least_once;
  for (const NetworkCut& cut : outcome.cuts)
    plan.foreseen.partings.push_back({cut.from, cut.until});
  for (const PeerOutcome& peer : outcome.peers) plan.foreseen.speeds.push_back(peer.speed);
  return plan;
}

// The messages in the order of sending. The outcome has them in the order of receipt.
std::vector<std::size_t> by_sending(const std::vector<MessageOutcome>& messages) {
  std::vector<std::size_t> order(messages.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&messages](std::size_t a, std::size_t b) {
    return messages[a].sent < messages[b].sent;
  });
  return order;
}

class Player {
 public:
  Player(const Outcome& outcome, const std::filesystem::path& file,
         const ReenactmentOptions& options);
  bool play();

 private:
  static std::uint64_t& in(Row& row, Column column) {
    return row[static_cast<std::size_t>(column)];
  }
  Row& row(core::PeerId peer) { return peers_[peer.value]; }

  void play_until(Time at);
  void inflict(const core::Fault& fault);
  void send(const MessageOutcome& message);
  template <class F>
  void note(const Noted<F>& noted);
  template <class F>
  void learn(core::PeerId peer, const F& fact);
  void show_until(Time at);
  void show(Time at, bool over);
  void count_peers();
  void count_to_the_end();
  [[nodiscard]] std::array<std::uint64_t, core::message_classes> sent_until(Time at);

  const Outcome& outcome_;
  const KindIndex kinds_;
  const ReenactmentOptions options_;
  const Duration interval_;
  RecordingWriter writer_;
  State state_;
  Rows rows_;
  std::vector<Row> peers_;
  Frame frame_;
  Time due_{};
  const std::vector<std::size_t> sendings_;
  std::size_t next_fault_ = 0;
  std::size_t next_sending_ = 0;
  std::size_t next_receipt_ = 0;
  std::size_t next_sample_ = 0;
  std::array<std::uint64_t, core::message_classes> sampled_{};
};

// The time from the start to the end of the run, or to the last fact. In a damaged store a fact may
// be long after the end; frames at the usual interval would then be far too many.
Duration length_of(const Outcome& outcome) {
  Time last = outcome.ended;
  outcome.facts.for_each_type([&last](auto, const auto& column) {
    for (const auto& noted : column) last = std::max(last, noted.at);
  });
  return last.time_since_epoch();
}

// Divides the run into about twelve stretches, each of which can be shown without those before it.
Duration stretch_of(const Outcome& outcome) {
  return std::max<Duration>(length_of(outcome) / 12, std::chrono::milliseconds(1));
}

Player::Player(const Outcome& outcome, const std::filesystem::path& file,
               const ReenactmentOptions& options)
    : outcome_(outcome),
      kinds_(outcome.kinds),
      options_(options),
      interval_(
          std::max<Duration>(length_of(outcome) / options.frames, std::chrono::microseconds(1))),
      writer_(file, stretch_of(outcome)),
      rows_(static_cast<std::uint32_t>(outcome.peers.size())),
      peers_(outcome.peers.size()),
      sendings_(by_sending(outcome.messages)) {
  frame_.run = title_of(outcome, options.number);
  for (Row& each : peers_) in(each, Column::state) = 1;
  for (const core::Fault& fault : outcome.faults)
    if (fault.kind == core::Fault::Kind::join) in(row(fault.peer), Column::state) = 0;
}

bool Player::play() {
  writer_.add(Duration{0}, encode(Answer{Welcome{.scenario = outcome_.identity.scenario,
                                                 .runs = options_.runs,
                                                 .fact_kinds = fact_kind_names()}}));
  writer_.add(Duration{0}, encode(Answer{plan_of(outcome_, options_.number)}));
  outcome_.facts.in_order_of<KnownFacts>([this](const auto& noted) { note(noted); });
  show_until(outcome_.ended);
  play_until(outcome_.ended);
  show(outcome_.ended, true);
  writer_.add(outcome_.ended.time_since_epoch(),
              encode(Answer{RunsAnswer{.ends = {end_of(outcome_, options_.number)}}}));
  return writer_.is_sound();
}

void Player::play_until(Time at) {
  const auto& faults = outcome_.faults;
  while (next_fault_ < faults.size() && faults[next_fault_].at <= at)
    inflict(faults[next_fault_++]);
  const auto& messages = outcome_.messages;
  for (; next_sending_ < messages.size(); ++next_sending_) {
    const MessageOutcome& message = messages[sendings_[next_sending_]];
    if (message.sent > at) break;
    send(message);
  }
  for (; next_receipt_ < messages.size() && messages[next_receipt_].received <= at;
       ++next_receipt_) {
    const MessageOutcome& message = messages[next_receipt_];
    ++in(row(message.to), Column::received);
    in(row(message.to), Column::received_bytes) += message.bytes;
  }
}

void Player::send(const MessageOutcome& message) {
  const MessageKind* const kind = kinds_.find(message.service, message.type);
  if (kind == nullptr) return;
  constexpr std::array<std::pair<core::MessageClass, Column>, core::message_classes> columns_of{
      {{core::MessageClass::job, Column::job},
       {core::MessageClass::result, Column::result},
       {core::MessageClass::information, Column::information}}};
  for (const auto& [message_class, column] : columns_of)
    if (message_class == kind->message_class) ++in(row(message.from), column);
  in(row(message.from), Column::sent_bytes) += message.bytes;
  frame_.totals.sent_bytes[static_cast<std::size_t>(kind->message_class)] += message.bytes;
}

// A fault that has no effect is not counted.
void Player::inflict(const core::Fault& fault) {
  Row& hit = row(fault.peer);
  if (core::ends_life(fault.kind) == is_alive(hit))
    ++frame_.cost.faults.peers[static_cast<std::size_t>(fault.kind)];
  in(hit, Column::above) = 0;
  in(hit, Column::running) = 0;
  const std::uint64_t life = in(hit, Column::state) >> 2U;
  const bool lives = !core::ends_life(fault.kind);
  in(hit, Column::state) = lives ? (life + 1) << 2U | 1U : life << 2U;
}

template <class F>
void Player::note(const Noted<F>& noted) {
  show_until(noted.at);
  play_until(noted.at);
  if (frame_.facts.facts.size() >= options_.most_facts) show(noted.at, false);
  core::Bytes payload;
  core::encode(noted.fact, payload);
  frame_.facts.facts.push_back({noted.at, noted.peer, fact_kind<F>, std::move(payload)});
  ++in(row(noted.peer), Column::facts);
  learn(noted.peer, noted.fact);
}

template <class F>
void Player::learn(core::PeerId peer, const F& fact) {
  TaskCounts& tasks = frame_.totals.tasks;
  std::uint64_t& above = in(row(peer), Column::above);
  std::uint64_t& running = in(row(peer), Column::running);
  if constexpr (std::same_as<F, agents::TaskSubmitted>) ++tasks.submitted;
  if constexpr (std::same_as<F, agents::TaskCompleted>) ++tasks.completed;
  if constexpr (std::same_as<F, agents::TaskReissued>) ++tasks.reissued;
  if constexpr (std::same_as<F, agents::TaskDuplicate>) ++tasks.duplicate;
  if constexpr (std::same_as<F, agents::JobCompleted>) ++tasks.jobs_completed;
  if constexpr (std::same_as<F, agents::TaskStarted>) ++tasks.started, ++running;
  if constexpr (std::same_as<F, agents::TaskExecuted>) {
    ++tasks.executed;
    running -= std::min<std::uint64_t>(running, 1);
  }
  if constexpr (std::same_as<F, agents::ParentChanged>)
    above = fact.parent == core::no_peer ? 0 : std::uint64_t{fact.parent.value} + 1;
  if constexpr (std::same_as<F, agents::GroupChanged>)
    above = fact.leader == core::no_peer || fact.leader == peer
                ? 0
                : std::uint64_t{fact.leader.value} + 1;
}

void Player::show_until(Time at) {
  while (due_ < at) {
    play_until(due_);
    show(due_, false);
    due_ += interval_;
  }
}

// A sample that lasts beyond `at` counts in proportion to the part of its time that has passed.
auto Player::sent_until(Time at) -> std::array<std::uint64_t, core::message_classes> {
  const auto& samples = outcome_.samples;
  const auto end_of_sample = [&](std::size_t i) {
    return i + 1 < samples.size() ? samples[i + 1].from : outcome_.ended;
  };
  for (; next_sample_ < samples.size() && end_of_sample(next_sample_) <= at; ++next_sample_)
    for (std::size_t i = 0; i < sampled_.size(); ++i)
      sampled_[i] += samples[next_sample_].messages[i];
  auto sent = sampled_;
  if (next_sample_ == samples.size() || at <= samples[next_sample_].from) return sent;
  const Time from = samples[next_sample_].from;
  const double share = core::seconds(at - from) / core::seconds(end_of_sample(next_sample_) - from);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] +=
        static_cast<std::uint64_t>(share * static_cast<double>(samples[next_sample_].messages[i]));
  return sent;
}

// The outcome does not say where tasks waited, so tasks that are under way count as waiting.
void Player::count_peers() {
  Totals& totals = frame_.totals;
  totals.alive = totals.finished = totals.running = 0;
  totals.received = totals.received_bytes = 0;
  const TaskCounts& tasks = totals.tasks;
  totals.tasks.waiting = std::max(tasks.submitted, tasks.started) - tasks.started;
  for (const Row& each : peers_) {
    totals.alive += is_alive(each) ? 1 : 0;
    totals.running += static_cast<std::uint32_t>(of(each, Column::running));
    totals.received += of(each, Column::received);
    totals.received_bytes += of(each, Column::received_bytes);
  }
}

// Sets the counts that are known only for the end of the run.
void Player::count_to_the_end() {
  Totals& totals = frame_.totals;
  const bool sampled = !outcome_.samples.empty();
  totals.sent_bytes.fill(0);
  totals.received = totals.received_bytes = 0;
  for (const PeerOutcome& peer : outcome_.peers) {
    for (const core::BurdenRow& row : peer.burdens) {
      const auto message_class = static_cast<std::size_t>(row.message_class);
      if (!sampled) totals.sent[message_class] += row.sent.messages;
      totals.sent_bytes[message_class] += row.sent.bytes;
      totals.received_bytes += row.received.bytes;
    }
    totals.received += peer.received;
    totals.duplicated += peer.duplicated;
    for (std::size_t i = 0; i < peer.drops.size(); ++i) totals.dropped[i] += peer.drops[i];
  }
  totals.events = outcome_.events;
}

// Facts of a damaged store may come after its end; no frame goes back in time.
void Player::show(Time at, bool over) {
  at = std::max(at, frame_.now);
  count_peers();
  frame_.since = frame_.number++;
  frame_.over = over;
  frame_.now = at;
  frame_.real = at.time_since_epoch();
  frame_.totals.sent = sent_until(at);
  const auto begun =
      std::ranges::count_if(outcome_.cuts, [at](const NetworkCut& cut) { return cut.from <= at; });
  frame_.cost.faults.partings = static_cast<std::uint64_t>(begun);
  if (over) count_to_the_end();
  for (std::uint32_t i = 0; i < peers_.size(); ++i)
    rows_.set(core::PeerId{i}, peers_[i], frame_.number);
  frame_.rows = rows_.changed_after(frame_.since);
  frame_.facts.next += frame_.facts.facts.size();
  static_cast<void>(state_.apply(frame_));
  writer_.add_frame(at.time_since_epoch(), encode(Answer{frame_}), state_);
  frame_.facts.facts.clear();
}

}  // namespace

bool can_be_reenacted(const Outcome& outcome) { return outcome.facts.size() > 0; }

bool reenact(const Outcome& outcome, const std::filesystem::path& file,
             const ReenactmentOptions& options) {
  return Player(outcome, file, options).play();
}

}  // namespace rhizome::scenarios::live
