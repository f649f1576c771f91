#include "tools/monitor/attachment.hpp"

#include <utility>
#include <variant>

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// A run answers every second: a run that has not answered for so long may be dead.
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
  const bool is_frame = std::holds_alternative<live::Frame>(*answer);
  const News news = std::visit([this](auto& said) { return take(std::move(said)); }, *answer);
  if (recording_ != nullptr && (!is_frame || news == News::frame)) keep(*bytes, news);
  answer_ = std::move(*bytes);
  return news;
}

void Attachment::keep(const core::Bytes& bytes, News news) {
  const core::Duration at = heard_ - began_;
  if (news == News::frame)
    recording_->add_frame(at, bytes, known_.state);
  else
    recording_->add(at, bytes);
}

auto Attachment::take(live::Welcome&& welcome) -> News {
  known_.take(std::move(welcome));
  welcomed_ = true;
  ask();
  return News::none;
}

auto Attachment::take(live::Frame&& frame) -> News {
  const bool follows = known_.take(frame);
  if (follows) latest_frame_ = std::move(frame);
  ask();
  return follows ? News::frame : News::none;
}

auto Attachment::take(live::Plan&& plan) -> News {
  known_.take(std::move(plan));
  return News::none;
}

auto Attachment::take(live::FoundFacts&& facts) -> News {
  if (facts.number == stories_) known_.take(std::move(facts));
  return News::none;
}

auto Attachment::take(live::RunsAnswer&& answer) -> News {
  known_.take(std::move(answer));
  return News::none;
}

auto Attachment::take(live::Refused&& refused) -> News {
  reason_ = std::move(refused.reason);
  return News::refused;
}

auto Attachment::take(live::Over&& over) -> News {
  known_.take(over);
  directory_ = std::move(over.directory);
  return News::over;
}

void Attachment::ask() {
  exchange_.send(encode(live::Request{state().next(number_, most_facts_, views_)}));
}

void Attachment::look_around() {
  const auto now = std::chrono::steady_clock::now();
  if (now < looked_ + std::chrono::seconds(1)) return;
  looked_ = now;
  const auto& ends = known_.ends;
  exchange_.send(encode(live::Request{live::RunsRequest{ends.empty() ? 0 : ends.back().run + 1}}));
  if (!state().empty() && known_.plan_of_run() == nullptr)
    exchange_.send(encode(live::Request{live::Survey{state().frame().run.number}}));
}

void Attachment::ask_for(live::Story story) {
  story.run = state().frame().run.number;
  story.number = ++stories_;
  known_.story.reset();
  exchange_.send(encode(live::Request{story}));
}

}  // namespace rhizome::tools
