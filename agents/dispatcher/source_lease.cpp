#include "agents/dispatcher/source_lease.hpp"

#include <utility>

namespace rhizome::agents::dispatching {

SourceLease::SourceLease(PeerId self, const Options& options, const World& world)
    : self_(self),
      world_(world),
      recovers_(recovers(options, world)),
      farewell_(patience_of(options, world), most_tries),
      watch_(world.source, options.give_up / 4, options.give_up,
             Backoff(patience_of(options, world), 0)) {}

void SourceLease::start(Env& env) {
  const bool source = self_ == world_.source;
  if (source && env.incarnation() != world_.first_life(self_)) {
    env.note(RunFailed{self_, "the source began anew"});
    began_anew_ = true;
    return;
  }
  if (source) return;
  const bool later_life = env.incarnation().value > 0;
  watch_.start(env.now(), later_life);
  if (later_life)
    on(env, HelloDue{});
  else if (recovers_)
    greeting_ = env.after(watch_.quiet(), HelloDue{});
}

void SourceLease::end(Env& env) {
  if (std::exchange(over_, true)) return;
  for (const PeerId peer : world_.others(self_)) farewell_.tell(env, peer, recovers_);
  farewell_.wait(env);
  rest(env);
}

void SourceLease::on(Env& env, PeerId from, const OverToo& message) {
  farewell_.on(env, from, message);
  rest(env);
}

void SourceLease::on(Env& env, const OverDue& due) {
  farewell_.on(env, due);
  rest(env);
}

// A source at rest still answers.
void SourceLease::rest(Env& env) {
  if (over_ && farewell_.complete()) env.rest();
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
  recovers_ ? env.rest() : env.finish();  // at rest it still acknowledges
}

void SourceLease::on(Env& env, const HelloDue& due) {
  const auto look = watch_.look(env);
  if (!look) return;
  if (look->asks) env.send(world_.source, Hello{});
  greeting_ = env.after(look->next, due);
}

}  // namespace rhizome::agents::dispatching
