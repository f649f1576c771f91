#include "agents/program/end_of_run.hpp"

#include <chrono>
#include <utility>

namespace rhizome::agents::program {

namespace {

constexpr std::uint32_t most_goodbyes = 10;

core::Duration patience_of(const World& world) {
  return 4 * world.longest_way() + std::chrono::milliseconds(100);
}

}  // namespace

// Where no message is lost and no peer fails, telling the end once is enough.
bool EndOfRun::insists() const { return world_.loses; }

void EndOfRun::start(Env& env) {
  if (self_ != world_.source && env.incarnation().value > 0) env.send(world_.source, Hello{});
}

void EndOfRun::tell(Env& env, core::PeerId peer) {
  env.send(peer, Over{});
  if (insists() && peer != self_) untold_.emplace(peer, 1);
}

void EndOfRun::say(Env& env) {
  if (std::exchange(told_, true)) return;
  for (const core::PeerId peer : world_.others(self_)) tell(env, peer);
  over_ = true;
  if (!untold_.empty()) telling_ = env.after(patience_of(world_), OverDue{});
  finish(env);
}

void EndOfRun::announce(Env& env) {
  if (std::exchange(told_, true)) return;
  for (const core::PeerId peer : world_.all_peers()) tell(env, peer);
  if (!untold_.empty()) telling_ = env.after(patience_of(world_), OverDue{});
}

void EndOfRun::on(Env& env, core::PeerId from, const Over&) {
  if (insists() && from != self_) env.send(from, OverToo{});
  over_ = true;
  finish(env);
}

void EndOfRun::on(Env& env, core::PeerId from, const OverToo&) {
  untold_.erase(from);
  if (over_) finish(env);
}

void EndOfRun::on(Env& env, core::PeerId from, const Hello&) const {
  if (told_) env.send(from, Over{}, core::Cause::recovery);
}

// A peer that has not answered so often is dead, or will ask.
void EndOfRun::on(Env& env, const OverDue& due) {
  std::erase_if(untold_, [](const auto& each) { return each.second >= most_goodbyes; });
  for (auto& [peer, tries] : untold_) {
    ++tries;
    env.send(peer, Over{}, core::Cause::recovery);
  }
  if (untold_.empty())
    finish(env);
  else
    telling_ = env.after(patience_of(world_), due);
}

// A peer that may be asked later is at rest; the others are done.
void EndOfRun::finish(Env& env) {
  if (!untold_.empty()) return;
  env.cancel(std::exchange(telling_, {}));
  if (insists())
    env.rest();
  else
    env.finish();
}

}  // namespace rhizome::agents::program
