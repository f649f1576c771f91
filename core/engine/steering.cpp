#include "core/engine/steering.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

namespace {

std::string named(PeerId peer) { return "peer " + std::to_string(peer.value); }

std::string refusal_of_fault(Fault::Kind fault, PeerId peer, Presence presence) {
  if (presence == Presence::to_join) return named(peer) + " has not joined yet";
  const bool is_up = presence == Presence::up;
  if (ends_life(fault)) return is_up ? "" : named(peer) + " is down already";
  return is_up ? named(peer) + " is up: only one that is down can restart" : "";
}

std::string refusal_of_cut(const std::vector<PeerId>& side, std::uint32_t peers, bool is_parted) {
  if (is_parted) return "some peers are cut off already: heal that first";
  std::vector<PeerId> apart = side;
  std::sort(apart.begin(), apart.end());
  const auto end = std::unique(apart.begin(), apart.end());
  if (end == apart.begin()) return "no peer is named that is to be cut off";
  return end - apart.begin() == static_cast<std::ptrdiff_t>(peers)
             ? "no peer is left to cut these peers off from"
             : "";
}

}  // namespace

std::optional<Fault::Kind> fault_of(OperatorCommand::Kind kind) {
  switch (kind) {
    case OperatorCommand::Kind::crash:
      return Fault::Kind::crash;
    case OperatorCommand::Kind::leave:
      return Fault::Kind::leave;
    case OperatorCommand::Kind::restart:
      return Fault::Kind::restart;
    case OperatorCommand::Kind::cut_off:
    case OperatorCommand::Kind::heal:
      break;
  }
  return {};
}

std::string refusal(const OperatorCommand& operator_command, std::uint32_t peers, bool is_parted,
                    const PresenceOf& presence) {
  for (const PeerId peer : operator_command.peers)
    if (peer.value >= peers)
      return "there is no " + named(peer) + ": they count from 0 to " + std::to_string(peers - 1);
  if (operator_command.kind == OperatorCommand::Kind::heal)
    return is_parted ? "" : "no peer is cut off by hand";
  if (operator_command.kind == OperatorCommand::Kind::cut_off)
    return refusal_of_cut(operator_command.peers, peers, is_parted);
  if (operator_command.peers.size() != 1) return "one peer is to be named";
  const PeerId peer = operator_command.peers.front();
  return refusal_of_fault(fault_of(operator_command.kind).value(), peer, presence(peer));
}

std::optional<Steering::Number> Steering::post(OperatorCommand operator_command) {
  Others others;
  Number number = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() == most_waiting) return {};
    number = next_++;
    others = others_;
  }
  if (others && others(number, operator_command)) return number;
  const std::scoped_lock lock(mutex_);
  waiting_.push_back({number, std::move(operator_command)});
  waits_.store(true, std::memory_order_relaxed);
  return number;
}

void Steering::share_out(Others others) {
  const std::scoped_lock lock(mutex_);
  others_ = std::move(others);
}

void Steering::answered(Number number, Answer answer) {
  const std::scoped_lock lock(mutex_);
  keep(number, std::move(answer));
}

std::optional<Steering::Answer> Steering::answer(Number number) {
  const std::scoped_lock lock(mutex_);
  auto answer = answers_.extract(number);
  if (answer.empty()) return {};
  return std::move(answer.mapped());
}

std::vector<OperatorCommand> Steering::done() const {
  const std::scoped_lock lock(mutex_);
  return done_;
}

void Steering::change_network(const OperatorCommand& operator_command, std::uint32_t peers) {
  if (operator_command.kind == OperatorCommand::Kind::heal) return cut_.heal();
  Cut::Side side(peers);
  for (const PeerId peer : operator_command.peers) side[peer.value] = true;
  cut_.part(std::move(side));
}

void Steering::drain(const Act& act) {
  while (waits_.load(std::memory_order_relaxed)) {
    std::optional<Posted> posted = take();
    if (!posted) return;
    std::string reason = act(posted->operator_command);
    Answer answer{.reason = std::move(reason)};
    if (answer.reason.empty()) answer.done = std::move(posted->operator_command);
    answered(posted->number, std::move(answer));
  }
}

std::optional<Steering::Posted> Steering::take() {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty()) {
    waits_.store(false, std::memory_order_relaxed);
    return {};
  }
  Posted posted = std::move(waiting_.front());
  waiting_.pop_front();
  return posted;
}

void Steering::keep(Number number, Answer answer) {
  if (answer.done) {
    done_.push_back(*answer.done);
    count_.store(static_cast<std::uint32_t>(done_.size()), std::memory_order_relaxed);
  }
  answers_[number] = std::move(answer);
}

}  // namespace rhizome::core
