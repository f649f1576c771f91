#include "agents/program/service_clients.hpp"

#include <utility>

#include "agents/program/wire.hpp"

namespace rhizome::agents::program {

namespace {

constexpr std::uint32_t most_questions = 20;  // of what every peer is asked

}  // namespace

ServiceClients::ServiceClients(const ClientOptions& options, const World& world)
    : options_(options), world_(world), workload_(workload_of(options.workload, world.peers())) {}

std::string ServiceClients::start(Env& env) {
  const std::string question = workload_->first_question();
  if (question.empty())
    phase_ = Phase::operations;
  else
    ask_all(env, question);
  return {};
}

std::string ServiceClients::on(Env& env, const Submitted& job) {
  for (const Task& task : job.tasks)
    if (phase_ == Phase::first)
      waiting_.push_back(task);
    else
      begin(env, task);
  return {};
}

void ServiceClients::begin(Env& env, const Task& task) {
  const std::uint32_t number = operations_++;
  const PeerId peer{static_cast<std::uint32_t>(env.rng().below(world_.peers()))};
  const std::string question = workload_->question(number, env.rng());
  ask(env, peer, question, {.peer = peer, .at = env.now(), .task = task, .operation = number});
}

void ServiceClients::ask_all(Env& env, const std::string& question) {
  for (const PeerId peer : world_.all_peers())
    ask(env, peer, question, {.peer = peer, .at = env.now()});
}

void ServiceClients::ask(Env& env, PeerId peer, const std::string& question, Asked asked) {
  const std::uint32_t number = next_message_++;
  Ask message{with_number(question, number), {}};
  if (asked.task) message.tasks.push_back(*asked.task);
  asked.timer = env.after(options_.timeout, AnswerDue{number});
  asked_.insert_or_assign(number, std::move(asked));
  env.send(peer, message);
}

// An answer that comes after the client has given up, or twice, is ignored.
std::string ServiceClients::on(Env& env, PeerId from, const Answer& answer) {
  AnswerReading reading;
  try {
    reading = read_answer(answer.body);
  } catch (const WireError& error) {
    return peer_name(from) + ": " + error.what();
  }
  const auto found = asked_.find(reading.in_reply_to);
  if (found == asked_.end() || found->second.peer != answer.client) return {};
  const Asked asked = asked_.extract(found).mapped();
  env.cancel(asked.timer);
  return heard(env, asked, reading, answer.body);
}

std::string ServiceClients::heard(Env& env, const Asked& asked, const AnswerReading& reading,
                                  const std::string& body) {
  const Span span{asked.at, env.now()};
  std::string wrong;
  if (!asked.task) {
    if (reading.error) return peer_name(asked.peer) + " answers with an error: " + in_quotes(body);
    if (phase_ == Phase::last) wrong = workload_->last_answer(asked.peer, span, body);
  } else if (!reading.error) {
    ++succeeded_;
    wrong = workload_->answer(asked.operation, span, body);
  } else {
    last_error_ = body;
    if (reading.definite)
      workload_->failed(asked.operation, span, reading.code);
    else
      workload_->unknown(asked.operation, asked.at);
  }
  if (!wrong.empty()) return peer_name(asked.peer) + ": " + wrong;
  if (asked.task) {
    env.raise(Finished{asked.task->id, asked.peer});
    return {};
  }
  if (!asked_.empty()) return {};  // others have not answered yet
  if (phase_ == Phase::last) return conclude(env);
  phase_ = Phase::operations;
  for (const Task& task : std::exchange(waiting_, {})) begin(env, task);
  return {};
}

std::string ServiceClients::on(Env& env, const AnswerDue& due) {
  const auto found = asked_.find(due.number);
  if (found == asked_.end()) return {};
  Asked asked = asked_.extract(found).mapped();
  if (asked.task) {
    workload_->unknown(asked.operation, asked.at);
    env.note(OperationUnanswered{asked.task->id});
    env.raise(Finished{asked.task->id, asked.peer});
    return {};
  }
  const std::string question =
      phase_ == Phase::first ? workload_->first_question() : workload_->last_question();
  if (asked.tries++ == most_questions)
    return peer_name(asked.peer) + " has not answered " + in_quotes(question) +
           " that it was asked " + std::to_string(most_questions) + " times";
  ask(env, asked.peer, question, asked);
  return {};
}

void ServiceClients::settle(Env& env) {
  settling_ = env.after(workload_->last_question().empty() ? core::Duration{0} : options_.settle,
                        SettleDue{});
}

std::string ServiceClients::on(Env& env, const SettleDue&) {
  phase_ = Phase::last;
  if (workload_->last_question().empty()) return conclude(env);
  ask_all(env, workload_->last_question());
  return {};
}

void ServiceClients::stop(Env& env) {
  for (const auto& each : std::exchange(asked_, {})) env.cancel(each.second.timer);
  env.cancel(std::exchange(settling_, {}));
}

std::string ServiceClients::conclude(Env& env) {
  if (succeeded_ == 0)
    return "not one of " + std::to_string(operations_) + " operations has succeeded" +
           (last_error_.empty() ? std::string() : "; the last answer: " + in_quotes(last_error_));
  judged_ = true;
  for (const auto& [operation, latency] : workload_->stable_latencies())
    env.note(ValueStable{operation, latency});
  return workload_->verdict();
}

}  // namespace rhizome::agents::program
