#include "scenarios/live/sampler.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "agents/facts.hpp"
#include "core/engine/mirror.hpp"

namespace rhizome::scenarios::live {

namespace {

template <class Number>
std::uint64_t sum(const Number& counts) {
  std::uint64_t total = 0;
  for (const auto& count : counts) total += count.get();
  return total;
}

// Slow handlers are not counted: the events that waited for them count as late themselves.
std::uint64_t late_of(const core::Vitals& vitals) {
  std::uint64_t late = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(core::Vitals::Measure::handler); ++i)
    late += vitals.punctuality[i].late.get();
  return late;
}

std::uint64_t state_of(const core::Vitals::Presence& presence) {
  return std::uint64_t{presence.life.value} << 2U | (presence.finished ? 2U : 0U) |
         (presence.alive ? 1U : 0U);
}

void add(Totals& totals, const core::Vitals& vitals) {
  for (std::size_t i = 0; i < totals.sent.size(); ++i) {
    totals.sent[i] += vitals.sent[i].get();
    totals.sent_bytes[i] += vitals.sent_bytes[i].get();
  }
  totals.received += vitals.received.get();
  totals.received_bytes += vitals.received_bytes.get();
  totals.duplicated += vitals.duplicated.get();
  for (std::size_t i = 0; i < totals.dropped.size(); ++i)
    totals.dropped[i] += vitals.dropped[i].get();
  totals.events += vitals.events.get();
  totals.running += vitals.running.get();
  totals.tasks.waiting += vitals.waiting.get();
  for (std::size_t i = 0; i < totals.lateness.size(); ++i) {
    totals.lateness[i].seen += vitals.punctuality[i].seen.get();
    totals.lateness[i].late += vitals.punctuality[i].late.get();
    totals.lateness[i].very_late += vitals.punctuality[i].very_late.get();
  }
}

}  // namespace

RunSampler::RunSampler(const core::Board& board) : board_(board), traces_(board.peers()) {}

void RunSampler::sample(std::uint64_t frame, bool listening, std::size_t most_facts) {
  frame_ = frame;
  now_ = board_.now();
  if (listening && !rows_) rows_.emplace(board_.peers());
  const std::uint32_t peers = board_.peers();
  for (std::uint32_t i = 0; i < peers && most_facts > 0; ++i) {
    next_reader_ = (next_reader_ + 1) % peers;
    if (board_.shows(core::PeerId{next_reader_}))
      most_facts -= read_facts(core::PeerId{next_reader_}, listening, most_facts);
  }
  keep_fresh_facts();
  Totals totals;
  for (std::uint32_t i = 0; i < peers; ++i)
    if (board_.shows(core::PeerId{i})) sample(core::PeerId{i}, totals);
  totals.tasks = {.submitted = noted_[fact_kind<agents::TaskSubmitted>],
                  .started = noted_[fact_kind<agents::TaskStarted>],
                  .executed = noted_[fact_kind<agents::TaskExecuted>],
                  .completed = noted_[fact_kind<agents::TaskCompleted>],
                  .reissued = noted_[fact_kind<agents::TaskReissued>],
                  .duplicate = noted_[fact_kind<agents::TaskDuplicate>],
                  .jobs_completed = noted_[fact_kind<agents::JobCompleted>],
                  .waiting = totals.tasks.waiting};
  totals_ = totals;
}

void RunSampler::keep_fresh_facts() {
  const auto earlier = [](const Fresh& a, const Fresh& b) {
    return std::tie(a.at, a.place) < std::tie(b.at, b.place);
  };
  const std::size_t most = std::min(fresh_.size(), fresh_facts);
  const auto latest = fresh_.end() - static_cast<std::ptrdiff_t>(most);
  if (most < fresh_.size()) std::nth_element(fresh_.begin(), latest, fresh_.end(), earlier);
  facts_.pass_over(std::exchange(unheard_, 0) + (fresh_.size() - most));
  std::sort(latest, fresh_.end(), earlier);
  for (auto fact = latest; fact != fresh_.end(); ++fact)
    facts_.add({fact->at, fact->peer, fact->kind, {fact->payload.begin(), fact->payload.end()}});
  fresh_.clear();
}

std::size_t RunSampler::read_facts(core::PeerId peer, bool listening, std::size_t most) {
  return board_.facts(peer).read(
      traces_[peer.value].cursor,
      [&](core::Time at, const core::EncodedFact& fact) { take(peer, at, fact, listening); }, most);
}

void RunSampler::take(core::PeerId peer, core::Time at, const core::EncodedFact& fact,
                      bool listening) {
  const std::uint32_t kind = fact_kind_of(*fact.info);
  ++noted_[kind];
  if (kind == fact_kind<agents::ParentChanged>) {
    agents::ParentChanged changed;
    if (core::decode(fact.payload, changed, tokens_) == core::DecodeError::none)
      traces_[peer.value].above = changed.parent;
  } else if (kind == fact_kind<agents::GroupChanged>) {
    agents::GroupChanged changed;
    if (core::decode(fact.payload, changed, tokens_) == core::DecodeError::none)
      traces_[peer.value].above = changed.leader == peer ? core::no_peer : changed.leader;
  }
  if (listening)
    fresh_.push_back({at, fresh_.size(), peer, kind, fact.payload});
  else
    ++unheard_;
}

void RunSampler::sample(core::PeerId peer, Totals& totals) {
  const core::Vitals& vitals = board_.vitals(peer);
  add(totals, vitals);
  const core::Vitals::Presence presence = vitals.presence();
  totals.alive += presence.alive ? 1 : 0;
  totals.finished += presence.alive && presence.finished ? 1 : 0;
  Trace& trace = traces_[peer.value];
  if (!presence.alive || std::exchange(trace.life, presence.life) != presence.life)
    trace.above = core::no_peer;
  if (!rows_) return;
  rows_->set(peer,
             {vitals.sent[static_cast<std::size_t>(core::MessageClass::job)].get(),
              vitals.sent[static_cast<std::size_t>(core::MessageClass::result)].get(),
              vitals.sent[static_cast<std::size_t>(core::MessageClass::information)].get(),
              vitals.all_sent_bytes(), vitals.received.get(), vitals.received_bytes.get(),
              sum(vitals.dropped), vitals.events.get(), trace.cursor.count(), vitals.running.get(),
              vitals.waiting.get(), vitals.inbox.get(), late_of(vitals), state_of(presence),
              trace.above == core::no_peer ? 0 : std::uint64_t{trace.above.value} + 1,
              board_.mirror() == nullptr ? 0 : board_.mirror()->share_of(peer)},
             frame_);
}

void RunSampler::sample_views() {
  if (!views_) views_.emplace(board_.peers());
  const core::Views* shown = board_.views();
  for (std::uint32_t i = 0; i < board_.peers(); ++i)
    for (std::size_t kind = 0; kind < core::view_kinds; ++kind) {
      const auto each = static_cast<core::ViewKind>(kind);
      views_->set({i}, each, shown->of({i}, each).get(), frame_);
    }
}

FactSlice FactTail::slice(std::uint64_t from, std::uint32_t most) const {
  const std::uint64_t end = first_ + facts_.size();
  const std::uint64_t newest = end - std::min<std::uint64_t>(most, facts_.size());
  const std::uint64_t begin = from == 0 ? newest : std::clamp(from, first_, end);
  FactSlice slice{.next = std::min(begin + most, end),
                  .missed = from == 0 || from > begin ? 0 : begin - from};
  for (std::uint64_t number = begin; number < slice.next; ++number)
    slice.facts.push_back(facts_[number - first_]);
  return slice;
}

}  // namespace rhizome::scenarios::live
