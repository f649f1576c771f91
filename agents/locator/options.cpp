#include "agents/locator/options.hpp"

namespace rhizome::agents::locator {

namespace {

constexpr double many = 1e6;

void add_ways(core::Settings<Options>& settings, const std::vector<std::string>& kinds) {
  using O = Options;
  settings
      .add(
          "locator", &O::kind, kinds,
          {"How a task that moves is found by those that give it what it needs: by the addresses "
           "that it leaves behind, at one peer, at one peer for each task by consistent hashing, "
           "by telling them of each move, or by asking everybody. With none, where it may be said, "
           "a task waits at its client until its dependencies are done.",
           "Peterson, section 6: forwarders; Alouf, Huet and Nain 2002: a registry; the others "
           "are our choice"})
      .add("cleanup", &O::cleanup, {"none", "at-start", "by-count", "both"},
           {"When forwarders go: never, once their task begins, once all have passed that were to, "
            "or as soon as either is so. Later finds more by the chain and keeps more.",
            "Peterson, section 7.3; by count is ours"})
      .add("compression", &O::compression,
           {"Whether who passed a datum on is told where its task is. More messages, shorter "
            "chains.",
            "Fowler 1986"})
      .add("inform_last_k", &O::inform_last_k,
           {"How many of the peers where a task was are told of each move, beside the one that it "
            "comes from. More survives more crashes, and costs as many messages.",
            "our choice", 0, many})
      .add("find_first", &O::find_first,
           {"From how many bytes on a task is looked for before its data are sent; 0: never. Less "
            "carries fewer bytes along chains, and costs two messages.",
            "our choice", 0, 1e12});
}

void add_patience(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("search_after", &O::search_after,
           {"Repetitions of a datum after which everybody is asked; more is slower after a crash, "
            "and asks less in vain.",
            "our choice", 1, many})
      .add("park_for", &O::park_for,
           {"Repetitions after which what waits for a task that no peer knows is given up; its "
            "origin repeats it.",
            "our choice", 1, many})
      .add("repeat", &O::repeat,
           {"Time after which a locator repeats a message without an answer; 0: never, for a "
            "network that loses nothing. Less recovers sooner and repeats more in vain.",
            "our choice", 0, many});
}

}  // namespace

core::Settings<Options> settings(const std::vector<std::string>& kinds) {
  core::Settings<Options> all;
  add_ways(all, kinds);
  add_patience(all);
  return all;
}

std::vector<std::string> all_kinds() {
  return {"forwarders", "registry", "ring", "eager", "broadcast"};
}
std::vector<std::string> kinds_or_none() {
  std::vector<std::string> kinds = all_kinds();
  kinds.emplace_back("none");
  return kinds;
}

std::string refusal(const Options& options, const World& world) {
  const Options defaults{.repeat = in_pace(Options{}.repeat, world)};
  Options nothing = defaults;
  nothing.kind = Kind::none;
  if (options.kind == Kind::none && options != nothing)
    return "cleanup, compression, inform_last_k, find_first, search_after, park_for and repeat "
           "have "
           "no effect with locator = \"none\"";
  const bool forwards = options.kind == Kind::forwarders;
  if (!forwards && options.cleanup != defaults.cleanup)
    return "cleanup has an effect only with locator = \"forwarders\"";
  if (!forwards && options.inform_last_k != defaults.inform_last_k)
    return "inform_last_k has an effect only with locator = \"forwarders\"";
  if (!forwards && options.compression != defaults.compression)
    return "compression has an effect only with locator = \"forwarders\"";
  if (!forwards && options.park_for != defaults.park_for)
    return "park_for has an effect only with locator = \"forwarders\"";
  if (!forwards && options.repeat == core::Duration{0})
    return "repeat cannot be 0 but with locator = \"forwarders\": what misses a task is lost";
  if (options.repeat == core::Duration{0} && world.loses)
    return "repeat cannot be 0 in a world that loses messages, by its network or its faults, or "
           "where some are expected, as with --control: who waits for one of them would wait for "
           "ever";
  const bool asks = options.kind == Kind::registry || options.kind == Kind::ring ||
                    options.kind == Kind::broadcast;
  if (asks && options.find_first != defaults.find_first)
    return "find_first has no effect where every datum asks first for its task";
  if (options.repeat == core::Duration{0} && options.search_after != defaults.search_after)
    return "search_after has no effect where nothing is repeated";
  return {};
}

}  // namespace rhizome::agents::locator
