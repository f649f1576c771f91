#include "tools/monitor/steering.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "core/engine/exchange.hpp"
#include "scenarios/live/messages.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

std::string steer(const RegisteredRun& run, const live::Steer& command) {
  constexpr std::chrono::seconds patience{10};
  core::ExchangeClient exchange(run.endpoint);
  exchange.send(encode(live::Request{command}));
  const std::optional<core::Bytes> bytes = exchange.receive(patience);
  if (!bytes) throw NotSteered("the run does not answer");
  const std::optional<live::Answer> answer = live::decode_answer(*bytes);
  if (const auto* done = answer ? std::get_if<live::Done>(&*answer) : nullptr) return done->what;
  const auto* refused = answer ? std::get_if<live::Refused>(&*answer) : nullptr;
  throw NotSteered(refused != nullptr ? refused->reason : "what the run says cannot be read");
}

}  // namespace rhizome::tools
