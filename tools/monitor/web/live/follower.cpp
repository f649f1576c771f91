#include "tools/monitor/web/live/follower.hpp"

#include <thread>
#include <utility>

#include "scenarios/text/json.hpp"
#include "tools/monitor/web/pieces.hpp"
#include "tools/monitor/web/process.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using namespace std::chrono_literals;

// As many facts as come between two frames of a busy run.
constexpr std::uint32_t facts_at_once = 4096;
// How long others wait to be answered.
constexpr auto patience = 2s;

}  // namespace

RunFollower::RunFollower(const Registry& registry, const RegisteredRun& run,
                         std::optional<std::uint32_t> number)
    : registry_(registry),
      run_(run),
      number_(number),
      attachment_(registry, run, number, facts_at_once) {}

void RunFollower::follow(const std::atomic<bool>& stop) {
  while (!stop) {
    if (ended_) {
      std::this_thread::sleep_for(50ms);
    } else {
      attachment_.look_around();
      take(attachment_.wait(50ms));
    }
    answer_others();
  }
}

void RunFollower::take(Attachment::News news) {
  if (news == Attachment::News::frame)
    moves_.take(attachment_.state(), attachment_.latest_facts(), attachment_.welcome());
  if (news == Attachment::News::over) end(end_piece("over", attachment_.directory()));
  if (news == Attachment::News::gone) end(end_piece("gone", ""));
  if (news == Attachment::News::refused) {  // the run has ended, and others may follow
    attachment_.turn_to({});
    attachment_.ask();
    std::this_thread::sleep_for(50ms);
  }
}

void RunFollower::end(const std::string& last) {
  ended_ = true;
  std::string all = piece(encode(live::Answer{attachment_.welcome()}));
  if (!attachment_.state().empty())
    all += piece(encode(live::Answer{whole_frame(attachment_.state())}));
  const std::scoped_lock lock(mutex_);
  last_words_ = all + last;
}

void RunFollower::answer_others() {
  std::vector<std::packaged_task<std::string()>> asked;
  {
    const std::scoped_lock lock(mutex_);
    asked.swap(asked_);
  }
  for (auto& each : asked) each();
}

std::optional<std::string> RunFollower::metrics(std::size_t clients) {
  std::packaged_task<std::string()> task([this, clients] {
    const live::Knowledge& known = attachment_.known();
    return metrics_text(known.state, {.moves = moves_.by_reason(),
                                      .process = ended_ ? 0 : run_.process,
                                      .clients = clients,
                                      .processor_seconds = own_processor_seconds(),
                                      .plan = known.plan_of_run(),
                                      .end = known.end_of(known.state.frame().run.number)});
  });
  std::future<std::string> text = task.get_future();
  {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(std::move(task));
  }
  if (text.wait_for(patience) != std::future_status::ready) return {};
  return text.get();
}

std::optional<std::string> RunFollower::last_words() const {
  const std::scoped_lock lock(mutex_);
  return last_words_;
}

std::string end_piece(const std::string& how, const std::string& directory) {
  return piece(line_of(scenarios::Json{{"end", how}, {"directory", directory}}));
}

}  // namespace rhizome::tools
