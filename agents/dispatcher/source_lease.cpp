#include "agents/dispatcher/source_lease.hpp"

#include <utility>

namespace rhizome::agents::dispatching {

SourceLease::SourceLease(PeerId self, const Options& options, const World& world)
    : self_(self),
      world_(world),
      recovers_(recovers(options, world)),
      patience_(patience_of(options, world)),
      give_up_(options.give_up) {}

void SourceLease::start(Env& env) {
  heard_ = env.now();
  const bool source = self_ == world_.source;
  if (source && env.incarnation() != world_.first_life(self_)) {
    env.note(RunFailed{self_, "the source began anew"});
    gave_up_ = true;
    return;
  }
  if (source) return;
  welcome_ = env.incarnation().value == 0;
  if (!welcome_)
    on(env, HelloDue{});
  else if (recovers_)
    greeting_ = env.after(give_up_ / 4, HelloDue{});
}

void SourceLease::end(Env& env) {
  if (std::exchange(over_, true)) return;
  for (const PeerId peer : world_.others(self_)) {
    env.send(peer, Over{});
    if (recovers_) untold_.emplace(peer, 1);
  }
  if (!untold_.empty()) telling_ = env.after(patience_, OverDue{});
  rest(env);
}

void SourceLease::on(Env& env, PeerId from, const OverToo&) {
  untold_.erase(from);
  rest(env);
}

// A peer without an answer after so many tries is dead, or will ask itself.
void SourceLease::on(Env& env, const OverDue& due) {
  std::erase_if(untold_, [](const auto& each) { return each.second >= most_tries; });
  for (auto& [peer, tries] : untold_) {
    ++tries;
    env.send(peer, Over{}, Cause::recovery);
  }
  telling_ = untold_.empty() ? core::TimerId{} : env.after(patience_, due);
  rest(env);
}

// A source at rest still answers.
void SourceLease::rest(Env& env) {
  if (!over_ || !untold_.empty()) return;
  env.cancel(std::exchange(telling_, {}));
  env.rest();
}

// The source itself is a server too: it needs no answer, and takes none.
void SourceLease::answer(Env& env, PeerId from) {
  if (from == self_) return;
  if (over_)
    env.send(from, Over{}, Cause::recovery);
  else
    env.send(from, Welcome{});
}

void SourceLease::on(Env& env, PeerId from, const Over&) {
  if (recovers_ || env.incarnation().value > 0) env.send(from, OverToo{});
  if (std::exchange(over_, true)) return;
  env.cancel(std::exchange(greeting_, {}));
  env.finish();
}

void SourceLease::on(Env& env, const HelloDue& due) {
  const Duration silence = env.now() - heard_;
  if (silence >= give_up_) {
    env.note(RunFailed{world_.source, "the source is out of reach"});
    gave_up_ = true;
    return;
  }
  const Duration quiet = give_up_ / 4;
  const bool asks = !welcome_ || silence >= quiet;
  if (asks) env.send(world_.source, Hello{});
  greeting_ = env.after(asks ? patience_ : quiet - silence, due);
}

}  // namespace rhizome::agents::dispatching
