#include "core/explore/explorer.hpp"

#include <utility>

#include "core/explore/world.hpp"

namespace rhizome::core {

namespace {

// Every packet arrives, in a time too short to matter.
class Instant final : public Link {
 public:
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override {
    return LinkVerdict::deliver(Duration{1});
  }
};

// All inputs that will come, since the explorer chooses when each comes.
std::vector<Input> all_of(InputSource* source) {
  std::vector<Input> all;
  if (source == nullptr) return all;
  while (auto input = source->next(Time::max())) all.push_back(std::move(*input));
  return all;
}

// The setup without what an explorer decides by itself, or leaves out.
EngineSetup cleared(EngineSetup setup, const LinkChain& links) {
  setup.faults.clear();
  setup.inputs = nullptr;
  setup.links = &links;
  setup.access.clear();
  setup.groups.clear();
  setup.costs = {};
  return setup;
}

}  // namespace

Explorer::Explorer(EngineSetup setup, ExplorerOptions options, ExplorerChecks checks)
    : options_(std::move(options)), checks_(std::move(checks)), inputs_(all_of(setup.inputs)) {
  links_.add<Instant>();
  setup_ = cleared(std::move(setup), links_);
}

Explorer::~Explorer() = default;

void Explorer::begin() {
  world_ = std::make_unique<World>(setup_, options_, inputs_, listener_);
  world_->start();
  world_->look();
}

std::vector<Choice> Explorer::choices() { return world_->choices(); }

void Explorer::take(const Choice& choice) {
  const Happening* happening = world_->find(choice.key);
  if (happening == nullptr) throw ImpossibleChoice();
  world_->take(Happening(*happening));
  world_->look();
}

Fingerprint Explorer::state() { return world_->state(); }

Broken Explorer::flaw() {
  if (world_->broken()) return world_->broken();
  return checks_.state ? checks_.state(world_->peers()) : Broken{};
}

Broken Explorer::verdict(bool over) {
  if (!checks_.history) return {};
  const std::vector<Fault> struck = world_->struck();
  return checks_.history(world_->report(over), struck);
}

std::string Explorer::words(const Choice& choice) const {
  const Happening* happening = world_->find(choice.key);
  return happening == nullptr ? std::string() : world_->words(*happening);
}

void Explorer::listen(std::function<void(const std::string&)> listener) {
  listener_ = std::move(listener);
}

const Peer* Explorer::peer(PeerId id) const { return world_->host(id).peer(); }
std::uint32_t Explorer::opaque() const { return world_->opaque(); }

}  // namespace rhizome::core
