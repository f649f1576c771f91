#include "agents/program/end_of_run.hpp"

#include <chrono>
#include <utility>

namespace rhizome::agents::program {

namespace {

constexpr std::uint32_t most_tries = 10;

core::Duration patience_of(const World& world) {
  return 4 * world.longest_way() + std::chrono::milliseconds(100);
}

}  // namespace

EndOfRun::EndOfRun(core::PeerId self, const World& world)
    : self_(self), world_(world), farewell_(patience_of(world), most_tries) {}

// Where no message is lost and no peer fails, telling the end once is enough.
bool EndOfRun::insists() const { return world_.loses; }

void EndOfRun::start(Env& env) {
  if (self_ != world_.source && env.incarnation().value > 0) env.send(world_.source, Hello{});
}

void EndOfRun::tell(Env& env, core::PeerId peer) {
  farewell_.tell(env, peer, insists() && peer != self_);
}

void EndOfRun::say(Env& env) {
  if (std::exchange(told_, true)) return;
  for (const core::PeerId peer : world_.others(self_)) tell(env, peer);
  over_ = true;
  farewell_.wait(env);
  finish(env);
}

void EndOfRun::announce(Env& env) {
  if (std::exchange(told_, true)) return;
  for (const core::PeerId peer : world_.all_peers()) tell(env, peer);
  farewell_.wait(env);
}

void EndOfRun::on(Env& env, core::PeerId from, const Over&) {
  if (insists() && from != self_) env.send(from, OverToo{});
  over_ = true;
  finish(env);
}

void EndOfRun::on(Env& env, core::PeerId from, const OverToo& message) {
  farewell_.on(env, from, message);
  if (over_) finish(env);
}

void EndOfRun::on(Env& env, core::PeerId from, const Hello&) const {
  if (told_) env.send(from, Over{}, core::Cause::recovery);
}

void EndOfRun::on(Env& env, const OverDue& due) {
  farewell_.on(env, due);
  finish(env);
}

// A peer that may be asked later is at rest; the others are done.
void EndOfRun::finish(Env& env) {
  if (!farewell_.complete()) return;
  if (insists())
    env.rest();
  else
    env.finish();
}

}  // namespace rhizome::agents::program
