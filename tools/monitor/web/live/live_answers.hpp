// WebAnswers about a run under way: its events, its figures, the story of a task, and commands to
// steer it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/live/follower.hpp"
#include "tools/monitor/web/live/relay.hpp"

namespace rhizome::tools {

class LiveAnswers final : public WebAnswers {
 public:
  // `beside`: another run of the experiment, from 0, to show next to the run that is followed; may
  // be none. The follower must outlive this object.
  LiveAnswers(RunFollower& follower, std::optional<std::uint32_t> beside)
      : follower_(follower), beside_(beside) {}

  [[nodiscard]] std::optional<Reply> answer(const Question& question) override;
  [[nodiscard]] Teller follow(const Question& question) override;

 private:
  [[nodiscard]] Reply show() const;
  [[nodiscard]] Reply metrics(const Question& question);
  [[nodiscard]] Reply story(const Question& question);
  [[nodiscard]] Reply said(const Question& question);
  [[nodiscard]] Reply steer(const Question& question) const;
  // None if no page is open by the name that the question has.
  [[nodiscard]] std::shared_ptr<Relay> relay_of(const Question& question);

  RunFollower& follower_;
  const std::optional<std::uint32_t> beside_;
  std::mutex mutex_;                                    // guards the next member
  std::map<std::string, std::weak_ptr<Relay>> relays_;  // by the names that their pages give
};

}  // namespace rhizome::tools
