#include "agents/program/protocols.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/overlays.hpp"
#include "agents/program/peer.hpp"
#include "agents/program/views.hpp"
#include "agents/program/voice.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents::program {

namespace {

// An overlay that is built in. Its settings are those of these names.
struct BuiltIn {
  OverlayOptions overlay{};
  std::optional<ClientOptions> client{};
};

core::Settings<BuiltIn> settings_called(std::initializer_list<std::string_view> names) {
  std::vector<core::Setting> chosen;
  const core::Settings<OverlayOptions> all = overlay_settings();
  for (core::Setting setting : all.list()) {
    if (std::find(names.begin(), names.end(), setting.name) == names.end()) continue;
    setting.assign = [assign = setting.assign](void* object, const core::SettingValue& value) {
      assign(&static_cast<BuiltIn*>(object)->overlay, value);
    };
    setting.read = [read = setting.read](const void* object) {
      return read(&static_cast<const BuiltIn*>(object)->overlay);
    };
    chosen.push_back(std::move(setting));
  }
  return core::Settings<BuiltIn>{}.add(chosen);
}

// Answers with the view of an overlay of its peer, which outlives it, and says nothing else.
class OverlayVoice final : public Voice {
 public:
  explicit OverlayVoice(const std::vector<overlay::Descriptor>& view) : view_(view) {}

  std::vector<Said> begin(const Beginning& beginning) override {
    self_ = beginning.self;
    return {};
  }
  std::vector<Said> tell(core::Time, std::string_view event) override {
    std::vector<core::PeerId> known;
    for (const overlay::Descriptor& link : view_) known.push_back(link.peer);
    std::string answer = view_answer(event, known);
    if (answer.empty()) return {};
    return {AnswerClient{self_, std::move(answer)}};
  }
  core::Duration pause() const override { return {}; }

 private:
  const std::vector<overlay::Descriptor>& view_;
  core::PeerId self_{};
};

Deployment prepare(const BuiltIn& options, const World& world, const std::function<bool()>&) {
  return {.equip =
              [&options, &world](core::Peer& peer) {
                const auto [random, similar] = add_overlays(peer, options.overlay, world);
                const auto& view = similar == nullptr ? random.view() : similar->view();
                add_peer(peer, std::make_unique<OverlayVoice>(view), options.client, world);
              },
          .entries = enter_at(world.source)};
}

std::string refusal(const BuiltIn& options, const World& world) {
  return overlay_refusal(options.overlay, world);
}

std::string t_man_refusal(const BuiltIn& options, const World& world) {
  if (options.overlay.topology == Topology::random)
    return "T-Man builds a \"ring\" or a \"gradient\": say use = \"cyclon\" for random views";
  return refusal(options, world);
}

Scheduler cyclon() {
  return make_scheduler<BuiltIn>(
      {.name = "cyclon",
       .summary = "the built-in Cyclon: random views",
       .serves = true,
       .settings = settings_called({"view_size", "shuffle_length", "period"}),
       .prepare = prepare,
       .refusal = refusal});
}

Scheduler t_man() {
  return make_scheduler<BuiltIn>(
      {.name = "t-man",
       .summary = "the built-in T-Man: a ring, or a gradient",
       .serves = true,
       .settings = settings_called({"topology", "warm_up", "view_size", "shuffle_length",
                                    "similar_size", "similar_best", "period"}),
       .defaults = [] { return BuiltIn{.overlay = {.topology = Topology::ring}}; },
       .prepare = prepare,
       .refusal = t_man_refusal});
}

}  // namespace

std::span<const Scheduler> protocols() {
  static const std::vector<Scheduler> protocols{program_scheduler(), cyclon(), t_man()};
  return protocols;
}

const Scheduler* find_protocol(std::string_view name) {
  for (const Scheduler& protocol : protocols())
    if (protocol.name == name) return &protocol;
  return nullptr;
}

void ask(std::any& options, const ClientOptions& client) {
  if (auto* program = std::any_cast<Options>(&options)) program->client = client;
  if (auto* overlay = std::any_cast<BuiltIn>(&options)) overlay->client = client;
}

}  // namespace rhizome::agents::program
