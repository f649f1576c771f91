#include "tools/monitor/web/live/relay.hpp"

#include <utility>

#include "tools/monitor/web/pieces.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

// As many facts as a page takes at once.
constexpr std::uint32_t facts_for_a_page = 2048;

}  // namespace

Relay::Relay(const RunFollower& follower, std::optional<std::uint32_t> number, bool views)
    : follower_(follower), first_(preface()) {
  if (const auto last = follower.last_words()) {
    first_ += *last;
    ended_ = true;
  } else {
    attachment_.emplace(follower.registry(), follower.run(), number, facts_for_a_page);
    attachment_->want_views(views);
  }
}

std::optional<std::string> Relay::next(std::chrono::milliseconds most) {
  if (!first_.empty()) return std::exchange(first_, {});
  if (ended_) return {};
  attachment_->look_around();
  ask_for_story();
  const Attachment::News news = attachment_->wait(most);
  std::string told = attachment_->answer().empty() ? "" : piece(attachment_->answer());
  return told + take(news);
}

void Relay::want(agents::TaskId task) {
  const std::scoped_lock lock(mutex_);
  wanted_ = task;
}

std::optional<live::RunTitle> Relay::title() {
  const std::scoped_lock lock(mutex_);
  return title_;
}

void Relay::keep_title() {
  const live::RunTitle& title = attachment_->state().frame().run;
  const std::scoped_lock lock(mutex_);
  if (title_ != title) title_ = title;
}

void Relay::ask_for_story() {
  const std::scoped_lock lock(mutex_);
  if (!wanted_ || attachment_->state().empty()) return;
  attachment_->ask_for({.task = std::exchange(wanted_, {})});
}

// A refused run has ended, and the page is told which run began last instead; if that has no place
// for it, the page asks anew.
std::string Relay::take(Attachment::News news) {
  switch (news) {
    case Attachment::News::none:
      return {};
    case Attachment::News::frame:
      keep_title();
      return {};
    case Attachment::News::refused:
      ended_ = !attachment_->wanted();
      attachment_->turn_to({});
      attachment_->ask();
      return {};
    case Attachment::News::over:
      ended_ = true;
      return end_piece("over", attachment_->directory());
    case Attachment::News::gone:
      ended_ = true;
      return end_piece("gone", "");
  }
  return {};
}

}  // namespace rhizome::tools
