#include "core/engine/mirror.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace rhizome::core {

namespace {

// Marks a peer from which no more news will come.
void silence(Recorder& recorder) {
  Vitals::Presence presence = recorder.vitals().presence();
  presence.alive = false;
  recorder.vitals().is(presence);
  for (Count32* present :
       {&recorder.vitals().running, &recorder.vitals().waiting, &recorder.vitals().inbox})
    present->set(0);
}

}  // namespace

Mirror::Mirror(Post& post, Share share, std::uint32_t peers, std::vector<Part> parts,
               FactTypes types)
    : post_(post),
      share_(std::move(share)),
      types_(std::move(types)),
      parts_(std::move(parts)),
      recorders_(peers),
      talks_(parts_.size()) {
  parts_[share_.number()].heard = true;
  for (std::uint32_t i = 0; i < peers; ++i)
    if (!share_.runs({i})) recorders_[i] = std::make_unique<Recorder>();
}

// A share whose message cannot be read does not know these messages: it is not asked again.
void Mirror::hear(std::uint32_t from, const Bytes& said) {
  auto message = aside::decode(said);
  if (message) return std::visit([&](auto& each) { on(from, std::move(each)); }, *message);
  const std::scoped_lock lock(mutex_);
  talks_[from].over = true;
}

void Mirror::on(std::uint32_t from, aside::News&& news) {
  const std::scoped_lock lock(mutex_);
  talks_[from].awaited = false;
  talks_[from].over = talks_[from].over || news.last;
  heard_.emplace_back(from, std::move(news));
}

void Mirror::on(std::uint32_t from, aside::ChargeResult&& outcome) {
  {
    const std::scoped_lock lock(mutex_);
    const auto charge = charged_.find(outcome.number);
    if (charge == charged_.end() || charge->second != from) return;
  }
  answer(outcome.number, {std::move(outcome.done), std::move(outcome.reason)});
}

bool Mirror::has_heard_all() const {
  const std::scoped_lock lock(mutex_);
  for (std::uint32_t share = 0; share < talks_.size(); ++share)
    if (talks_[share].called && !talks_[share].over && !post_.gone(share)) return false;
  return true;
}

bool Mirror::is_complete() const {
  return std::ranges::all_of(parts_, [](const Part& part) { return part.heard || part.lost; });
}

void Mirror::catch_up(Views* views, bool wanted, RealTime now) {
  std::vector<std::pair<std::uint32_t, aside::News>> heard;
  {
    const std::scoped_lock lock(mutex_);
    heard.swap(heard_);
  }
  for (const auto& [from, news] : heard) {
    const bool sound = apply(from, news, views);
    const std::scoped_lock lock(mutex_);
    // A share that never catches up is shown as it is.
    if (sound && (!news.behind || ++talks_[from].answers == most_behind)) parts_[from].heard = true;
    if (sound) talks_[from].faults = news.faults;
    if (!sound) talks_[from].over = true;
  }
  lose_those_gone();
  if (looked_ && now - *looked_ > patience) begin_anew();
  looked_ = now;
  for (std::uint32_t share = 0; share < talks_.size(); ++share)
    if (share != share_.number() && !parts_[share].lost) ask(share, wanted, now);
}

// Shares are asked only while an observer looks: after a pause, their known state is old.
void Mirror::begin_anew() {
  const std::scoped_lock lock(mutex_);
  for (std::uint32_t share = 0; share < talks_.size(); ++share) {
    if (share == share_.number() || talks_[share].over) continue;
    parts_[share].heard = false;
    talks_[share].answers = 0;
  }
}

// Asks a share, unless it owes an answer, or will never give one again.
void Mirror::ask(std::uint32_t share, bool views, RealTime now) {
  {
    const std::scoped_lock lock(mutex_);
    Talk& talk = talks_[share];
    const bool owes = talk.awaited && !talk.over;
    parts_[share].silent = owes && now - talk.asked > patience;
    if (talk.awaited || talk.over) return;
    talk.called = talk.awaited = true;
    talk.asked = now;
  }
  post_.send(share, control::encode(control::Aside{aside::encode(aside::Call{views})}));
}

// The peers of a lost share have crashed, as far as can be told here.
void Mirror::lose_those_gone() {
  for (std::uint32_t share = 0; share < parts_.size(); ++share) {
    if (share == share_.number() || parts_[share].lost || !post_.gone(share)) continue;
    parts_[share].lost = true;
    parts_[share].silent = false;
    for (std::uint32_t i = 0; i < recorders_.size(); ++i)
      if (is_of(share, {i})) silence(*recorders_[i]);
    std::vector<Steering::Number> open;
    {
      const std::scoped_lock lock(mutex_);
      for (const auto& [number, charged] : charged_)
        if (charged == share) open.push_back(number);
    }
    for (const Steering::Number number : open)
      answer(number, {{}, "the process of that peer is lost"});
  }
}

bool Mirror::is_of(std::uint32_t share, PeerId peer) const {
  return peer.value < recorders_.size() && recorders_[peer.value] != nullptr &&
         share_.share_of(peer) == share;
}

bool Mirror::apply(std::uint32_t from, const aside::News& news, Views* views) {
  const auto is_theirs = [&](const auto& told) { return is_of(from, told.peer); };
  const auto is_sound = [&](const aside::ViewReport& view) {
    return is_theirs(view) && std::all_of(view.links.begin(), view.links.end(), [&](PeerId link) {
             return link.value < recorders_.size();
           });
  };
  const bool sound =
      std::all_of(news.peers.begin(), news.peers.end(), is_theirs) &&
      std::all_of(news.facts.begin(), news.facts.end(),
                  [&](const auto& fact) { return is_theirs(fact) && fact.type < types_.size(); }) &&
      std::all_of(news.views.begin(), news.views.end(), is_sound);
  if (!sound) return false;
  for (const aside::PeerCounts& each : news.peers)
    recorders_[each.peer.value]->vitals().become(each.counts);
  for (const aside::FactReport& fact : news.facts)
    recorders_[fact.peer.value]->note(fact.at, {types_[fact.type], fact.payload});
  for (const aside::ViewReport& view : news.views)
    if (views != nullptr) views->of(view.peer, view.kind).show(view.links);
  return true;
}

std::uint64_t Mirror::faults(Fault::Kind kind) const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t all = 0;
  for (const Talk& talk : talks_) all += talk.faults[static_cast<std::size_t>(kind)];
  return all;
}

void Mirror::serve(Steering& steering) {
  {
    const std::scoped_lock lock(mutex_);
    steering_ = &steering;
  }
  steering.share_out([this](Steering::Number number, const OperatorCommand& operator_command) {
    return take_over(number, operator_command);
  });
}

// A cut is judged where a packet sets out, in every process, and would begin at a different time in
// each.
bool Mirror::take_over(Steering::Number number, const OperatorCommand& operator_command) {
  if (!fault_of(operator_command.kind)) {
    answer(number, {{}, "peers are cut off by hand in runs of one process only"});
    return true;
  }
  const bool is_elsewhere = operator_command.peers.size() == 1 &&
                            operator_command.peers.front().value < recorders_.size() &&
                            !share_.runs(operator_command.peers.front());
  if (!is_elsewhere) return false;
  const std::uint32_t to = share_.share_of(operator_command.peers.front());
  {
    const std::scoped_lock lock(mutex_);
    charged_[number] = to;
  }
  if (post_.gone(to))
    answer(number, {{}, "the process of that peer is lost"});
  else
    post_.send(to, control::encode(
                       control::Aside{aside::encode(aside::Charge{number, operator_command})}));
  return true;
}

void Mirror::answer(Steering::Number number, Steering::Answer answer) {
  Steering* steering = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    charged_.erase(number);
    steering = steering_;
  }
  if (steering != nullptr) steering->answered(number, std::move(answer));
}

}  // namespace rhizome::core
