#include "tools/monitor/attachment.hpp"

#include <utility>
#include <variant>

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// A run answers every second: one that has not for so long may be dead.
constexpr auto patience = std::chrono::milliseconds(1500);

}  // namespace

Attachment::Attachment(const Registry& registry, const RegisteredRun& run,
                       std::optional<std::uint32_t> number, std::uint32_t most_facts)
    : registry_(registry),
      run_(run),
      number_(number),
      most_facts_(most_facts),
      exchange_(run.endpoint) {
  exchange_.send(encode(live::Request{live::Hello{}}));
}

void Attachment::meet() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!welcomed_ && std::chrono::steady_clock::now() < until)
    if (wait(patience / 30) >= News::refused) return;
}

auto Attachment::wait(std::chrono::milliseconds most) -> News {
  std::optional<core::Bytes> bytes = exchange_.receive(most);
  answer_.clear();
  if (!bytes)
    return silence() > patience && !registry_.holds(run_.process) ? News::gone : News::none;
  heard_ = std::chrono::steady_clock::now();
  std::optional<live::Answer> answer = live::decode_answer(*bytes);
  if (!answer) return take(live::Refused{"what it says cannot be read: it is of another version"});
  answer_ = std::move(*bytes);
  return std::visit([this](auto& said) { return take(std::move(said)); }, *answer);
}

auto Attachment::take(live::Welcome&& welcome) -> News {
  welcome_ = std::move(welcome);
  welcomed_ = true;
  ask();
  return News::none;
}

auto Attachment::take(live::Frame&& frame) -> News {
  const bool follows = state_.apply(frame);
  if (follows) latest_facts_ = std::move(frame.facts);
  ask();
  return follows ? News::frame : News::none;
}

auto Attachment::take(live::Refused&& refused) -> News {
  reason_ = std::move(refused.reason);
  return News::refused;
}

auto Attachment::take(live::Over&& over) -> News {
  directory_ = std::move(over.directory);
  return News::over;
}

void Attachment::ask() { exchange_.send(encode(live::Request{state_.next(number_, most_facts_)})); }

}  // namespace rhizome::tools
