#include "scenarios/live/state.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::scenarios::live {

namespace {

// Whether the frame has a row for every peer: a gap, a mask and a value at least. A recording of a
// few bytes may claim any number of peers. No scenario has more than a million.
bool has_all_rows(const Frame& frame) {
  constexpr std::uint32_t most_peers = 1'000'000;
  return frame.run.peers <= most_peers && frame.rows.size() / 3 >= frame.run.peers;
}

template <class Item>
void cut(std::deque<Item>& items, std::size_t most) {
  while (items.size() > most) items.pop_front();
}

}  // namespace

bool State::apply(const Frame& frame) {
  const bool whole = frame.since == 0;
  const bool anew = frame.run != frame_.run || frame.now < frame_.now;  // a run that is repeated
  const bool follows = !whole && !anew && frame.since == frame_.number;
  if ((!whole && !follows) || (whole && !has_all_rows(frame))) {
    *this = {};
    return false;
  }
  const core::Duration passed = anew ? core::Duration::zero() : frame.now - frame_.now;
  if (anew) begin(frame);
  const std::vector<Row> former =
      whole ? std::exchange(rows_, std::vector<Row>(frame.run.peers)) : std::vector<Row>();
  auto changed = apply_changes(frame.rows, rows_);
  if (!changed || !take_views(frame)) {
    *this = {};
    return false;
  }
  if (whole)
    for (std::size_t i = 0; i < changed->peers.size(); ++i)
      changed->before[i] = former[changed->peers[i].value];
  reckon_rates(*changed, passed);
  changed_ = std::move(changed->peers);
  keep(frame);
  return true;
}

void State::begin(const Frame& frame) {
  *this = {};
  rows_.resize(frame.run.peers);
}

// Changes of views must follow the latest frame, or be complete.
bool State::take_views(const Frame& frame) {
  const std::optional<ViewChanges>& changes = frame.extras.views;
  if (!changes) {
    views_.reset();
    return true;
  }
  if (changes->since == 0)
    views_.emplace(frame.run.peers);
  else if (!views_ || changes->since != frame_.number)
    return false;
  return views_->apply(changes->list, frame.number);
}

// Where no time has passed, they stay as they were.
void State::reckon_rates(const ChangedRows& changed, core::Duration passed) {
  if (passed <= core::Duration::zero()) return;
  const auto per_second = [passed](std::uint64_t from, std::uint64_t to) {
    return to > from ? static_cast<double>(to - from) / core::seconds(passed) : 0;
  };
  rates_.clear();
  for (std::size_t i = 0; i < changed.peers.size(); ++i) {
    const Row& before = changed.before[i];
    const Row& row = rows_[changed.peers[i].value];
    const Rate rate{per_second(sent_by(before), sent_by(row)),
                    per_second(of(before, Column::received), of(row, Column::received))};
    if (rate != Rate{}) rates_.emplace_back(changed.peers[i], rate);
  }
}

auto State::rate(core::PeerId peer) const -> Rate {
  const auto found = std::ranges::lower_bound(rates_, peer, {}, &PeerRate::first);
  return found != rates_.end() && found->first == peer ? found->second : Rate{};
}

void State::keep(const Frame& frame) {
  for (const Moment& moment : frame.extras.past)
    if (moments_.empty() || moment.at > moments_.back().at) moments_.push_back(moment);
  const Moment latest{
      .at = frame.now, .sent = frame.totals.sent, .completed = frame.totals.tasks.completed};
  if (moments_.empty() || latest.at > moments_.back().at) moments_.push_back(latest);
  cut(moments_, kept_moments);
  facts_.insert(facts_.end(), frame.facts.facts.begin(), frame.facts.facts.end());
  cut(facts_, kept_facts);
  next_fact_ = frame.facts.next;
  missed_ += frame.facts.missed;
  frame_ = frame;
  frame_.rows.clear();
  frame_.facts = {};
  frame_.extras = {};
}

std::uint64_t State::fingerprint() const {
  Frame known = frame_;
  known.since = 0;
  known.real = {};
  known.cost = {};
  known.under_way.clear();
  core::Bytes bytes = encode(Answer{std::move(known)});
  for (const Row& row : rows_) core::encode(row, bytes);
  if (views_) core::encode(views_->whole(), bytes);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a (Fowler, Noll and Vo)
  for (const std::byte byte : bytes)
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

Frame State::whole_frame() const {
  Frame frame = frame_;
  frame.since = 0;
  Rows rows(static_cast<std::uint32_t>(rows_.size()));
  for (std::uint32_t i = 0; i < rows.peers(); ++i) rows.set({i}, rows_[i], 1);
  frame.rows = rows.changed_after(0);
  frame.facts.next = next_fact_;
  frame.extras.past.assign(moments_.begin(), moments_.end());
  if (views_) frame.extras.views = ViewChanges{.list = views_->whole()};
  return frame;
}

std::size_t State::bytes() const {
  std::size_t facts = 0;
  for (const LiveFact& fact : facts_) facts += sizeof(LiveFact) + fact.payload.capacity();
  return sizeof(State) + facts + rows_.size() * sizeof(Row) + rates_.size() * sizeof(PeerRate) +
         moments_.size() * sizeof(Moment) + changed_.size() * sizeof(core::PeerId) +
         (views_ ? views_->bytes() : 0);
}

Ask State::next(std::optional<std::uint32_t> run, std::uint32_t most_facts, bool views) const {
  if (empty()) return {.run = run, .most_facts = most_facts, .past = true, .views = views};
  return {.run = run,
          .known_run = frame_.run.number,
          .since = frame_.number,
          .next_fact = next_fact_,
          .most_facts = most_facts,
          .views = views,
          .views_since = views_ ? frame_.number : 0};
}

}  // namespace rhizome::scenarios::live
