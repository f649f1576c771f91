// A scheduler that is a program of the user's, in any language: each peer hands its events to a
// process, which says over the wire (wire.hpp) what the peer does.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/program/conversation.hpp"
#include "agents/program/options.hpp"
#include "agents/program/peer.hpp"
#include "agents/schedulers.hpp"
#include "agents/work/command_line.hpp"
#include "core/child/dialogue.hpp"

namespace rhizome::agents {

namespace program {

namespace {

using core::PeerId;

Deployment prepare(const Options& options, const World& world, const std::function<bool()>&) {
  const auto programs = std::make_shared<core::Dialogues>(core::DialogueOptions{
      .words = *words_in(options.command), .directory = options.directory, .log = options.log});
  return {.equip =
              [=, &options, &world](core::Peer& peer) {
                add_peer(peer, std::make_unique<Conversation>(programs, options, peer.id(), world),
                         options.client, world);
              },
          .entries = enter_at(world.source),
          .hang_up = [programs] { programs->hang_up(); }};
}

std::vector<PeerId> essential(const Options& options, const World& world) {
  return options.survives ? std::vector<PeerId>{world.source} : world.all_peers();
}

}  // namespace

}  // namespace program

Scheduler program_scheduler() {
  return make_scheduler<program::Options>(
      {.name = program_name,
       .summary = "a program of your own, in any language: peers speak with it in lines of JSON",
       .serves = true,
       .in_time = {0, "since the program decides"},
       .settings = program::settings(),
       .prepare = program::prepare,
       .essential = program::essential,
       .refusal = program::refusal,
       .keep_logs = [](program::Options& options, const std::string& directory) {
         if (options.log.empty()) options.log = directory;
       }});
}

}  // namespace rhizome::agents
