#include "agents/program/peer.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "agents/possible.hpp"
#include "agents/program/end_of_run.hpp"
#include "agents/program/messages.hpp"
#include "agents/program/named_works.hpp"
#include "agents/program/options.hpp"
#include "agents/program/service_clients.hpp"
#include "agents/program/stores.hpp"
#include "agents/program/task_here.hpp"
#include "agents/program/views.hpp"
#include "agents/program/voice.hpp"
#include "agents/program/wire.hpp"
#include "agents/server.hpp"
#include "core/child/dialogue.hpp"

namespace rhizome::agents::program {

namespace {

using core::Cause, core::MessageClass, core::PeerId;

class Program {
 public:
  using Messages = program::Messages;
  using Hears = core::OneOf<Submitted, Drained>;
  using Env = program::Env;
  static constexpr std::string_view name = "program";

  // Begins the program of a first life, which may take long, before the run does.
  Program(PeerId self, core::Incarnation incarnation, std::unique_ptr<Voice> voice,
          const std::optional<ClientOptions>& client, const World& world)
      : self_(self),
        incarnation_(incarnation),
        world_(world),
        client_(client),
        server_(world.capacities[self.value]),
        voice_(std::move(voice)),
        end_of_run_(self, world),
        works_(self) {
    if (self == world.source && client) clients_.emplace(*client, world);
    if (incarnation.value == 0) begin({});
  }

  template <class M>
  bool believes(PeerId from, const M& message) const {
    if constexpr (std::is_same_v<M, Ask>) {
      if (from != world_.source || message.tasks.size() > 1) return false;
    } else if constexpr (std::is_same_v<M, AskStore>) {
      if (self_ != world_.source) return false;
    } else if constexpr (std::is_same_v<M, StoreAnswer>) {
      if (from != world_.source) return false;
    }
    if constexpr (requires { message.store; })
      if (!is_store(message.store)) return false;
    if constexpr (has_body<M>)
      return possible(message, world_.peers()) && is_body(message.body);
    else
      return true;
  }

  void start(Env& env) {
    if (incarnation_.value > 0) begin(env.now());
    if (!trouble_.empty()) {
      fail(env, trouble_);
      return;
    }
    end_of_run_.start(env);
    act(env, std::exchange(first_, {}), {});
    if (over()) return;
    if (!in_lock_step()) listening_ = env.after(voice_->pause(), ListenDue{});
    if (clients_) check(env, clients_->start(env));
  }
  void on(Env& env, const Submitted& job) {
    if (over()) return;
    if (clients_) return check(env, clients_->on(env, job));
    bring(job.tasks);
    tell(env, job_line(self_, job.job, job.tasks));
  }
  void on(Env& env, PeerId from, const Job& job) {
    bring(job.tasks);
    tell(env, message_line(from, self_, job.body), from);
  }
  void on(Env& env, PeerId from, const Result& result) {
    for (const Product& product : result.products)
      products_.insert_or_assign(product.task, product);
    tell(env, message_line(from, self_, result.body), from);
  }
  void on(Env& env, PeerId from, const Information& information) {
    tell(env, message_line(from, self_, information.body), from);
  }
  void on(Env& env, PeerId, const Ask& ask) {
    if (over()) return;
    if (ask.tasks.empty()) {
      tell(env, client_line(self_, self_, ask.body));
    } else if (questions_.emplace(ask.tasks.front().id, ask.body).second) {
      server_.accept(env, ask.tasks.front());
    }
  }
  void on(Env& env, PeerId from, const Answer& answer) {
    if (clients_ && !over()) check(env, clients_->on(env, from, answer));
  }
  void on(Env& env, PeerId, const Relay& relay) {
    tell(env, client_line(relay.client, self_, relay.body));
  }
  void on(Env& env, PeerId from, const AskStore& asked) {
    env.send(from, StoreAnswer{asked.store, stores_.answer(asked.store, asked.body)});
  }
  void on(Env& env, PeerId, const StoreAnswer& answer) {
    tell(env, store_line(answer.store, self_, answer.body));
  }
  template <class M>
  requires core::one_of<M, EndOfRun::Messages>
  void on(Env& env, PeerId from, const M& message) {
    const bool before = over();
    if (std::is_same_v<M, Over> && !before && keeps_view()) look(env);
    // A program that has not asked for more than Maelstrom's messages gets no other.
    if (std::is_same_v<M, Over> && !before && in_lock_step()) tell(env, drained_line(self_));
    end_of_run_.on(env, from, message);
    if (over() && !before) end(env);
  }
  void on(Env& env, const OverDue& due) { end_of_run_.on(env, due); }
  void on(Env& env, const TimerDue& due) {
    timers_.erase(due.name);
    tell(env, timer_line(self_, due.name));
  }
  void on(Env& env, const IdleDue&) { tell(env, timer_line(self_, "idle")); }
  void on(Env& env, const ListenDue& due) {
    tell(env, "");
    if (!over()) listening_ = env.after(voice_->pause(), due);
  }
  template <class T>
  requires std::is_same_v<T, AnswerDue> || std::is_same_v<T, SettleDue>
  void on(Env& env, const T& due) {
    if (clients_) check(env, clients_->on(env, due));
  }
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto own = works_.ended(done.id)) {
      tell(env, work_done_line(self_, *own, {}));
      return;
    }
    const auto task = server_.finish(env, done);
    if (!task) return;
    if (const auto question = questions_.find(task->id); question != questions_.end()) {
      tell(env, client_line(self_, self_, questions_.extract(question).mapped()));
      return;
    }
    products_.insert_or_assign(task->id, product_of(*task));
    tell(env, work_done_line(self_, works_.ended(task->id), task->id));
  }
  // All is done: every program hears so, and may say a last word.
  void on(Env& env, const Drained&) {
    if (over()) return;
    if (clients_)
      clients_->settle(env);
    else
      end_of_run_.announce(env);
  }

 private:
  void begin(core::Time now) {
    try {
      first_ = voice_->begin(beginning(now));
    } catch (const std::runtime_error& error) {
      trouble_ = error.what();
    }
  }
  // A later life has other random numbers than those before it.
  [[nodiscard]] Beginning beginning(core::Time now) const {
    const Capacity& capacity = world_.capacities[self_.value];
    constexpr std::uint64_t largest_exact = (std::uint64_t{1} << 53U) - 1;  // in JavaScript
    const std::uint32_t life = incarnation_.value - world_.first_life(self_).value;
    std::uint64_t seed = core::derive_seed({world_.seed, self_.value}, "program");
    if (life > 0) seed = core::derive_seed({seed, life}, "program");
    return {.self = self_,
            .peers = world_.peers(),
            .source = world_.source,
            .neighbours = {world_.graph.of(self_).begin(), world_.graph.of(self_).end()},
            .speed = capacity.speed,
            .slots = capacity.slots,
            .seed = seed & largest_exact,
            .life = life,
            .now = now};
  }

  [[nodiscard]] bool over() const { return end_of_run_.over() || ended_; }
  [[nodiscard]] bool in_lock_step() const { return voice_->pause() <= core::Duration::zero(); }
  [[nodiscard]] bool keeps_view() const {
    return client_ && client_->workload == Clients::peer_sampling;
  }

  void bring(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) here_.insert_or_assign(task.id, TaskHere{task});
  }
  void check(Env& env, const std::string& trouble) {
    if (!trouble.empty())
      fail(env, trouble);
    else if (clients_->judged())
      end_of_run_.announce(env);
  }

  // Notes the view of the peer when the run is over, for the measures of overlays.
  void look(Env& env) {
    looking_ = true;
    tell(env, client_line(self_, self_, with_number(view_question, last_look)));
    if (std::exchange(looking_, false) && !over())
      fail(env, peer_name(self_) + " has not said at the end what its view is");
  }
  void note_view(Env& env, const std::string& answer) {
    for (const PeerId known : view_in(answer, world_.peers())) {
      if (known == self_) throw WireError("its view has itself");
      env.note(LinkHeld{known});
    }
  }

  void tell(Env& env, const std::string& event, std::optional<PeerId> from = {}) {
    if (over()) return;
    constexpr std::uint64_t most = 100'000;
    if (std::exchange(told_at_, env.now()) != env.now()) told_ = 0;
    if (++told_ > most) {
      fail(env, "the program of peer " + std::to_string(self_.value) + ": it goes on and on at " +
                    std::to_string(core::seconds(env.now().time_since_epoch())) +
                    " s: it has been told 100,000 events of that one moment");
      return;
    }
    try {
      act(env, voice_->tell(env.now(), event), from);
    } catch (const core::HungUp&) {
      end(env);  // with the run, for a reason of another peer's
    } catch (const std::runtime_error& error) {
      fail(env, error.what());
    }
  }
  // Performs the effects that the program asked for. `from`: the sender of the message that it
  // answers.
  void act(Env& env, const std::vector<Said>& said, std::optional<PeerId> from) {
    try {
      for (const Said& each : said)
        std::visit([&](const auto& effect) { perform(env, effect, from); }, each);
    } catch (const WireError& error) {
      fail(env, "the program of peer " + std::to_string(self_.value) + ": " + error.what());
    }
  }

  void perform(Env& env, const SendBody& message, std::optional<PeerId>) {
    switch (message.message_class) {
      case MessageClass::job:
        return hand(env, message);
      case MessageClass::result:
        return give_back(env, message);
      case MessageClass::information:
        env.send(message.to, Information{message.body},
                 message.cause.value_or(Information::info.cause));
    }
  }
  void perform(Env& env, const ArmTimer& timer, std::optional<PeerId>) {
    const auto known = timers_.find(timer.name);
    if (known != timers_.end()) env.cancel(known->second);
    timers_.insert_or_assign(timer.name, env.after(timer.after, TimerDue{timer.name}));
  }
  void perform(Env& env, const CancelTimer& timer, std::optional<PeerId>) {
    const auto known = timers_.find(timer.name);
    if (known == timers_.end()) return;
    env.cancel(known->second);
    timers_.erase(known);
  }
  void perform(Env& env, const BeginTask& begin, std::optional<PeerId>) {
    works_.begin(env, server_, task_here(begin.task).task, begin.id);
  }
  void perform(Env& env, const BeginOwnWork& begin, std::optional<PeerId>) {
    const double speed = world_.capacities[self_.value].speed;
    works_.begin(env, core::from_seconds(core::seconds(begin.duration) / speed), begin.id);
  }
  void perform(Env& env, const StopWorkNamed& stop, std::optional<PeerId>) {
    works_.stop(env, server_, stop.id);
  }
  void perform(Env& env, const FinishTask& finish, std::optional<PeerId> from) {
    env.raise(Finished{finish.task, finish.executor.value_or(from.value_or(self_))});
  }
  void perform(Env& env, const AnswerClient& answer, std::optional<PeerId>) {
    if (!client_)
      throw WireError("it answers a client, and a scheduler has none: clients ask a [[protocol]]");
    if (looking_ && read_answer(answer.body).in_reply_to == last_look) {
      looking_ = false;
      note_view(env, answer.body);
    } else {
      env.send(world_.source, Answer{answer.client, answer.body});
    }
  }
  void perform(Env& env, const RelayQuestion& relay, std::optional<PeerId>) {
    if (!client_) throw WireError("it speaks for a client, and a scheduler has none");
    env.send(relay.to, Relay{relay.client, relay.body});
  }
  void perform(Env& env, const RequestStore& request, std::optional<PeerId>) {
    env.send(world_.source, AskStore{request.store, request.body});
  }
  void perform(Env& env, const NoteFact& note, std::optional<PeerId>) {
    env.note(ProgramNoted{note.name, note.fields});
  }
  void perform(Env& env, const Idle& idle, std::optional<PeerId>) {
    env.cancel(std::exchange(waking_, {}));
    if (idle.until)
      waking_ = env.after(std::max(*idle.until - env.now(), core::Duration{0}), IdleDue{});
  }
  void perform(Env&, const Ready&, std::optional<PeerId>) {}

  void hand(Env& env, const SendBody& message) {
    Job job{message.body, {}};
    for (const TaskId id : message.tasks) {
      TaskHere& here = task_here(id);
      job.tasks.push_back(here.task);
      here.hand(env, message.to);
    }
    env.send(message.to, job, message.cause.value_or(Job::info.cause));
  }
  void give_back(Env& env, const SendBody& message) {
    Result result{message.body, {}};
    for (const TaskId id : message.tasks) {
      const auto found = products_.find(id);
      if (found == products_.end())
        throw WireError("it has no result of the task " + text_of(id) + " to send");
      result.products.push_back(found->second);
    }
    env.send(message.to, result, message.cause.value_or(Result::info.cause));
  }
  [[nodiscard]] TaskHere& task_here(TaskId id) {
    const auto found = here_.find(id);
    if (found == here_.end())
      throw WireError("the task " + text_of(id) +
                      " has not come here: a message of class \"job\" brings those that it names");
    return found->second;
  }
  [[nodiscard]] static std::string text_of(TaskId id) {
    return std::to_string(id.job) + "." + std::to_string(id.portion);
  }

  void fail(Env& env, const std::string& reason) {
    env.note(RunFailed{self_, reason});
    end_of_run_.say(env);
    end(env);
  }
  void end(Env& env) {
    ended_ = true;
    for (const auto& timer : std::exchange(timers_, {})) env.cancel(timer.second);
    env.cancel(std::exchange(listening_, {}));
    env.cancel(std::exchange(waking_, {}));
    works_.stop_own(env);
    if (clients_) clients_->stop(env);
    server_.stop(env);
  }

  // The number of the question at the end, which no client's has.
  static constexpr std::uint32_t last_look = std::numeric_limits<std::uint32_t>::max();

  PeerId self_;
  core::Incarnation incarnation_;
  const World& world_;
  const std::optional<ClientOptions>& client_;
  Server server_;
  std::unique_ptr<Voice> voice_;
  EndOfRun end_of_run_;
  std::optional<ServiceClients> clients_{};
  Stores stores_{};
  NamedWorks works_;
  std::vector<Said> first_{};
  std::string trouble_{};
  std::map<TaskId, TaskHere> here_;          // all that have come
  std::map<TaskId, Product> products_;       // results that were made here, or have come
  std::map<TaskId, std::string> questions_;  // of clients, whose tasks are under way
  std::map<std::string, core::TimerId> timers_;
  core::TimerId listening_{};
  core::TimerId waking_{};  // at the time until which the program is idle
  core::Time told_at_{};
  std::uint64_t told_ = 0;  // events at that time
  bool looking_ = false;    // at the view, whose answer is awaited
  bool ended_ = false;
};

}  // namespace

void add_peer(core::Peer& peer, std::unique_ptr<Voice> voice,
              const std::optional<ClientOptions>& client, const World& world) {
  peer.add<Program>(peer.id(), peer.incarnation(), std::move(voice), client, world);
  if (peer.id() == world.source) peer.add<Client>(world.first_life(peer.id()));
}

}  // namespace rhizome::agents::program
