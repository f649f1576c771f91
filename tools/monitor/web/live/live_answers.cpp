#include "tools/monitor/web/live/live_answers.hpp"

#include <chrono>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/monitor/filter.hpp"
#include "tools/monitor/said.hpp"
#include "tools/monitor/steering.hpp"
#include "tools/monitor/web/live/order_text.hpp"
#include "tools/monitor/web/metrics_text.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::Json;

namespace {

// How often a page that is told nothing is looked after.
constexpr std::chrono::milliseconds look{200};

// The number of a run, from 1 in requests.
std::optional<std::uint32_t> run_in(const Question& question) {
  const std::optional<std::uint64_t> number = question.number("run");
  if (!number || *number == 0 || *number > std::numeric_limits<std::uint32_t>::max()) return {};
  return static_cast<std::uint32_t>(*number - 1);
}

// A run takes such a fault for one peer at a time: for several peers, faults before a refused one
// are done.
std::vector<live::Steer> one_by_one(const live::Steer& order) {
  const std::optional<core::OperatorCommand> operator_command = live::operator_command_of(order);
  if (!operator_command || !core::fault_of(operator_command->kind)) return {order};
  std::vector<live::Steer> orders(order.peers.size(), order);
  for (std::size_t i = 0; i < orders.size(); ++i) orders[i].peers = {order.peers[i]};
  return orders;
}

}  // namespace

std::optional<Reply> LiveAnswers::answer(const Question& question) {
  if (question.path == "/metrics") return metrics(question);
  if (question.path == "/show") return show();
  if (question.path == "/story") return story(question);
  if (question.path == "/said") return said(question);
  if (question.path == "/steer") return steer(question);
  return {};
}

Reply LiveAnswers::show() const {
  const auto counted = [](std::optional<std::uint32_t> number) {
    return number ? Json(*number + 1) : Json(nullptr);
  };
  return {.text = line_of(Json{{"recordings", nullptr},
                               {"first", counted(follower_.number())},
                               {"beside", counted(beside_)}})};
}

Reply LiveAnswers::metrics(const Question& question) {
  const std::optional<std::string> text = follower_.metrics(question.pages);
  if (!text) return sorry(503, "the monitor is about to end");
  return {.type = metrics_type, .text = *text};
}

std::shared_ptr<Relay> LiveAnswers::relay_of(const Question& question) {
  const std::scoped_lock lock(mutex_);
  const auto found = relays_.find(question.word("page"));
  return found == relays_.end() ? nullptr : found->second.lock();
}

// What the program of a peer has written to standard error last.
Reply LiveAnswers::said(const Question& question) {
  const std::optional<std::uint64_t> peer = question.number("peer");
  if (!peer || *peer >= core::no_peer.value) return sorry(400, "a peer is a number");
  const std::shared_ptr<Relay> relay = relay_of(question);
  if (!relay) return sorry(404, "no page is open by that name");
  const auto title = relay->title();
  Json lines = Json::array();
  if (title)
    for (const std::string& line :
         last_said(follower_.run().directory, *title, {static_cast<std::uint32_t>(*peer)}))
      lines.push_back(line);
  return {.text = line_of(Json{{"said", lines}})};
}

// The story is sent in the stream of that page.
Reply LiveAnswers::story(const Question& question) {
  const std::optional<agents::TaskId> task = parse_task(question.word("task"));
  if (!task) return sorry(400, "a task is JOB.PORTION");
  const std::shared_ptr<Relay> relay = relay_of(question);
  if (!relay) return sorry(404, "no page is open by that name");
  relay->want(*task);
  return {.status = 202, .text = "{}"};
}

Reply LiveAnswers::steer(const Question& question) const {
  const std::optional<live::Steer> order = order_in(question.body);
  if (!order) return sorry(400, what_orders_are);
  std::string done;
  for (const live::Steer& each : one_by_one(*order)) {
    const std::string before = done.empty() ? "" : done + "; ";
    try {
      done = before + tools::steer(follower_.run(), each);
    } catch (const std::exception& error) {
      return sorry(403, before + error.what());
    }
  }
  return {.text = line_of(Json{{"done", done}})};
}

Teller LiveAnswers::follow(const Question& question) {
  const auto relay = std::make_shared<Relay>(
      follower_, question.words.contains("run") ? run_in(question) : follower_.number(),
      question.words.contains("views"));
  const std::scoped_lock lock(mutex_);
  std::erase_if(relays_, [](const auto& each) { return each.second.expired(); });
  relays_[question.word("page")] = relay;
  return [relay] { return relay->next(look); };
}

}  // namespace rhizome::tools
