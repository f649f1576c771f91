#include "core/engine/correspondent.hpp"

#include <algorithm>
#include <system_error>
#include <variant>

#include "core/engine/onlooker.hpp"

namespace rhizome::core {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds nap{1000};
constexpr milliseconds patience{10'000};  // share 0 looks no more if it has not asked for so long
// How often to check whether a fault by hand has been done.
constexpr milliseconds look_at_charges{5};
// Bounds the answers sent at the end. If a run noted many millions of facts just before its end,
// the last facts are only in its report.
constexpr int most_last_words = 64;

}  // namespace

Correspondent::Correspondent(Post& post, Share share, std::uint32_t peers, FactTypes types)
    : post_(post),
      peers_(share.peers_of(peers)),
      types_(std::move(types)),
      told_(peers_.size()),
      cursors_(peers_.size()),
      told_views_(peers_.size()) {}

Correspondent::~Correspondent() { unwatch(); }

void Correspondent::hear(std::uint32_t from, const Bytes& said) {
  if (from != 0) return;
  const auto message = aside::decode(said);
  if (message) std::visit([this](const auto& each) { on(each); }, *message);
}

void Correspondent::on(const aside::Call& call) {
  const std::scoped_lock lock(mutex_);
  call_ = call;
  called_ = true;
  asked_ = Clock::now();
  changed_.notify_all();
}

void Correspondent::on(const aside::Charge& charge) {
  const auto number = steering_.post(charge.operator_command);
  if (!number) return say(aside::ChargeResult{charge.number, {}, "too many faults wait already"});
  const std::scoped_lock lock(mutex_);
  charges_.emplace_back(charge.number, *number);
  changed_.notify_all();
}

// Where the system allows no thread, share 0 hears nothing of these peers: the run goes on.
void Correspondent::watch(const Board& board) {
  board_ = &board;
  try {
    thread_ = std::thread([this, &board] { serve(board); });
  } catch (const std::system_error&) {
  }
}

void Correspondent::unwatch() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  if (board_ == nullptr) return;
  tell_outcomes();
  if (called_) tell_all(*board_);
  board_ = nullptr;
}

auto Correspondent::next_look() const -> Clock::time_point {
  const auto now = Clock::now();
  if (!charges_.empty()) return now + look_at_charges;
  return call_ ? std::max(rested_, now) : now + nap;
}

void Correspondent::serve(const Board& board) {
  give_way();
  std::unique_lock lock(mutex_);
  while (!ending_) {
    changed_.wait_until(lock, next_look());
    const bool answers = call_ && Clock::now() >= rested_ && !ending_;
    const bool views = answers && std::exchange(call_, std::nullopt)->views;
    const bool charged = !charges_.empty();
    const bool forgotten = Clock::now() > asked_ + patience;
    lock.unlock();
    if (forgotten) board.want_views(false);
    if (answers) tell(board, views);
    if (charged) tell_outcomes();
    lock.lock();
  }
}

void Correspondent::tell(const Board& board, bool views) {
  const auto before = processor_time();
  board.want_views(views);
  say(collect(board, views));
  const auto spent = processor_time() - before;
  const std::scoped_lock lock(mutex_);
  rested_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(spent / share_of_core);
}

void Correspondent::tell_all(const Board& board) {
  const bool views = board.views() != nullptr;
  whole_ = 0;
  for (int words = 1;; ++words) {
    aside::News news = collect(board, views);
    news.last = !news.behind || words == most_last_words;
    const bool last = news.last;
    say(std::move(news));
    if (last) return;
  }
}

void Correspondent::tell_outcomes() {
  std::vector<std::pair<std::uint64_t, Steering::Number>> open;
  {
    const std::scoped_lock lock(mutex_);
    open.swap(charges_);
  }
  std::erase_if(open, [this](const auto& charge) {
    auto answer = steering_.answer(charge.second);
    if (answer)
      say(aside::ChargeResult{charge.first, std::move(answer->done), std::move(answer->reason)});
    return answer.has_value();
  });
  const std::scoped_lock lock(mutex_);
  charges_.insert(charges_.end(), open.begin(), open.end());
}

aside::News Correspondent::collect(const Board& board, bool views) {
  aside::News news;
  for (std::size_t i = 0; i < fault_kinds; ++i)
    news.faults[i] = board.faults(static_cast<Fault::Kind>(i));
  bytes_ = 0;
  behind_ = false;
  for (std::size_t i = 0; i < std::min(peers_at_once, peers_.size()); ++i) {
    next_ = (next_ + 1) % peers_.size();
    const Vitals::Numbers counts = board.vitals(peers_[next_]).numbers();
    if (std::exchange(told_[next_], counts) != counts)
      news.peers.push_back({peers_[next_], counts});
    collect_facts(board, next_, news);
    if (views && board.views() != nullptr) collect_views(board, next_, news);
  }
  whole_ = behind_ ? 0 : whole_ + 1;
  news.behind = whole_ < peers_.size() / peers_at_once + 1;
  return news;
}

void Correspondent::collect_facts(const Board& board, std::size_t slot, aside::News& news) {
  const PeerId peer = peers_[slot];
  const FactLog& log = board.facts(peer);
  const auto add = [&](Time at, const EncodedFact& fact) {
    const auto type = std::find(types_.begin(), types_.end(), fact.info);
    bytes_ += fact.payload.size();
    if (type != types_.end())
      news.facts.push_back({at,
                            peer,
                            static_cast<std::uint32_t>(type - types_.begin()),
                            {fact.payload.begin(), fact.payload.end()}});
  };
  while (news.facts.size() < facts_at_once && bytes_ < bytes_at_once)
    if (log.read(cursors_[slot], add, 1) == 0) return;
  behind_ = true;
}

void Correspondent::collect_views(const Board& board, std::size_t slot, aside::News& news) {
  for (std::size_t i = 0; i < view_kinds; ++i) {
    const auto kind = static_cast<ViewKind>(i);
    std::vector<PeerId> links = board.views()->of(peers_[slot], kind).get();
    if (links == told_views_[slot][i]) continue;
    told_views_[slot][i] = links;
    news.views.push_back({peers_[slot], kind, std::move(links)});
  }
}

void Correspondent::say(aside::Message message) {
  post_.send(0, control::encode(control::Aside{aside::encode(message)}));
}

}  // namespace rhizome::core
