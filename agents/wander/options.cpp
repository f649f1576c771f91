#include "agents/wander/options.hpp"

namespace rhizome::agents::wandering {

namespace {

constexpr double many = 1e6;

}  // namespace

core::Settings<Options> settings() {
  using O = Options;
  core::Settings<O> all;
  all.add("moves", &O::moves,
          {"How often each task moves before it begins; more makes longer chains.", "our choice", 0,
           10'000})
      .add("stay", &O::stay,
           {"Mean time of a task at a peer before it moves on; less lets more of what looks for it "
            "come while it is on its way.",
            "our choice", 0.000'001, many})
      .add("destinations", &O::destinations,
           {"Other peers that are drawn for each stay; the task moves to the first of them whose "
            "time comes, and each has a timer of its own. More leaves more to an explorer.",
            "our choice", 1, 10'000})
      .add("begin_early", &O::begin_early,
           {"Whether a task without dependencies may begin before it has made all its moves, at a "
            "time "
            "that is drawn like those.",
            "our choice"})
      .add("call_off", &O::call_off,
           {"Whether a move may be called off while it is under way, at a time that is drawn "
            "likewise. Where the task has come already, nothing follows.",
            "our choice"});
  locator::add_settings(all, &O::locator, locator::all_kinds());
  return all;
}

std::map<std::string_view, TimeoutPurpose> times() { return {{"stay", TimeoutPurpose::work}}; }

std::string refusal(const Options& options, const World& world) {
  const Options defaults;
  const bool stays = options.moves == 0;
  if (stays && options.stay != in_pace(defaults.stay, world, TimeoutPurpose::work))
    return "stay has no effect with moves = 0";
  if (stays && options.destinations != defaults.destinations)
    return "destinations has no effect with moves = 0";
  if (stays && options.begin_early) return "begin_early has no effect with moves = 0";
  if (stays && options.call_off) return "call_off has no effect with moves = 0";
  if (!stays && world.peers() < 2) return "tasks that wander need a second peer";
  return locator::refusal(options.locator, world);
}

}  // namespace rhizome::agents::wandering
