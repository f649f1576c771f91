#include "agents/central/rules.hpp"

#include <sstream>
#include <utility>

#include "core/peer/number_text.hpp"

namespace rhizome::agents::central {

namespace {

// A number of seconds, such as 3.2s.
bool parse_seconds(std::string_view text, Duration& into) {
  constexpr double most = 1e6;
  const auto value = core::take_number<double>(text);
  if (!value || text != "s" || !(*value >= 0 && *value <= most)) return false;
  into = core::from_seconds(*value);
  return true;
}

bool parse_model(std::string_view word, QueryModel& into) {
  const std::size_t first = word.find('/');
  const std::size_t second = word.find('/', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  constexpr std::uint32_t most = 1000;
  into.batch = core::parse_number<std::uint32_t>(word.substr(0, first)).value_or(0);
  return into.batch > 0 && into.batch <= most &&
         parse_seconds(word.substr(first + 1, second - first - 1), into.load) &&
         parse_seconds(word.substr(second + 1), into.query) &&
         into.load + into.query > Duration::zero();
}

PeerId next_present(const World& world, std::uint32_t from) {
  for (std::uint32_t i = from; i < world.peers(); ++i)
    if (PeerId{i} != world.source && !world.late.contains(PeerId{i})) return PeerId{i};
  return core::no_peer;
}

}  // namespace

void add_common(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("ping_period", &O::ping_period,
           {"Time between two signs of life of the head, which all others answer. Less notices a "
            "death sooner and costs more messages.",
            "IDunno report, Performance 3: 12 s", 0.01, 1e6})
      .add(
          "misses", &O::misses,
          {"Signs of life that are missed before a peer is suspected, and given no more work. Less "
           "errs more where messages are lost.",
           "IDunno report, Performance 3: 4", 1, 100})
      .add(
          "cleanup", &O::cleanup,
          {"How long a suspected peer may come back before it is removed, and its work done again, "
           "or the head is succeeded.",
           "IDunno report, Performance 3: 30 s", 0.01, 1e6})
      .add("repeat", &O::repeat,
           {"Time after which what has not been acknowledged is sent again, where messages may be "
            "lost.",
            "our choice", 0.01, 1e6})
      .add("longest_cut", &O::longest_cut,
           {"How long, beyond the time to notice two deaths, the door waits for a head before the "
            "run has failed; where heads are elected, and for a peer that waits for the door, "
            "beyond "
            "the time to notice three. More rides out longer cuts.",
            "our choice", 0.01, 1e6});
}

std::vector<QueryModel> parse_models(const std::string& text, std::string& why) {
  std::vector<QueryModel> models;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    QueryModel model;
    if (!parse_model(word, model)) {
      why =
          "models: '" + word +
          "' is no model: write QUERIES/LOAD/QUERY, such as 10/5s/0.5s, with at most 1000 queries "
          "and times that are not both 0";
      return {};
    }
    models.push_back(model);
  }
  constexpr std::size_t most = 16;
  if (models.empty() || models.size() > most) {
    why = "models: name 1 to 16 models";
    return {};
  }
  return models;
}

std::string refuse_times(const Options& options, const World& world) {
  if (options.repeat < 4 * world.longest_delay)
    return "repeat must be at least four times the longest delay of the network";
  if (options.ping_period < 2 * world.longest_delay)
    return "ping_period must be at least twice the longest delay of the network";
  return {};
}

Rules make_rules(const Options& options, std::vector<QueryModel> models, const World& world) {
  Rules rules{.options = options,
              .models = std::move(models),
              .first_head = next_present(world, 0),
              .first_standby = core::no_peer,
              .store_name = std::to_string(world.seed),
              .real_store = world.real_time && options.store != StoreKind::memory};
  const bool standby = !options.stores() && rules.first_head != core::no_peer;
  if (standby) rules.first_standby = next_present(world, rules.first_head.value + 1);
  return rules;
}

std::vector<PeerId> staff_of(const Rules& rules, const World& world) {
  std::vector<PeerId> staff{world.source};
  for (const PeerId peer : {rules.first_head, rules.first_standby})
    if (peer != core::no_peer) staff.push_back(peer);
  return staff;
}

}  // namespace rhizome::agents::central
