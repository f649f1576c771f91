// A service is a protocol inside a peer: this is where typed messages meet untyped packets.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/env.hpp"
#include "core/peer/input.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/state_dump.hpp"
#include "core/peer/views.hpp"

namespace rhizome::core {

// A protocol with its types erased. Not to be derived from by protocols: Hosted does it for them.
class Service : public Interface {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::span<const MessageInfo> messages() const = 0;
  // The timers that are armed still, in words, unless the protocol is perpetual and never disarms.
  [[nodiscard]] virtual std::vector<std::string> armed() const = 0;
  virtual void start(const Stage&) = 0;
  virtual void deliver(const Stage&, const Packet&) = 0;
  // False when the timer had been cancelled.
  virtual bool fire(const Stage&, TimerId) = 0;
  virtual void complete(const Stage&, const WorkDone&) = 0;
  // A signal of another service of the same peer; ignored by a protocol that does not hear it.
  virtual void hear(const Stage&, const std::any& signal) = 0;
  // An input from outside; ignored by a protocol that does not take it.
  virtual void hear(const Stage&, const Input&) = 0;
  virtual void depart(const Stage&) = 0;
  // For a steward: it looks through the effects of an event, from `first` on, and may take out
  // those that have to wait for files.
  [[nodiscard]] virtual bool stewards() const = 0;
  virtual void inspect(const Stage&, std::size_t first) = 0;
  // Whether the steward keeps back the end of a piece of work, until it raises that end as a
  // signal.
  virtual bool keeps(const Stage&, const WorkDone&) = 0;
  // For an overlay: appends the peers in its present view, and says which kind of view; nothing for
  // others.
  [[nodiscard]] virtual std::optional<ViewKind> view(std::vector<PeerId>& into) const = 0;
  // Dumps its state, and which timers are armed. False where the protocol dumps no more than these.
  virtual bool dump_state(StateDump& dump) const = 0;
  // An armed timer in words; empty for one that is not armed.
  [[nodiscard]] virtual std::string timer(TimerId) const = 0;
  [[nodiscard]] virtual bool arms(TimerId) const = 0;
};

namespace detail {

template <class Set>
struct InfosOf;
template <class... M>
struct InfosOf<std::variant<M...>> {
  static constexpr std::array<MessageInfo, sizeof...(M)> value{M::info...};
};
// For a protocol that sends no messages.
template <>
struct InfosOf<Nothing> {
  static constexpr std::array<MessageInfo, 0> value{};
};

[[nodiscard]] Drop drop_of(DecodeError);

}  // namespace detail

// Hosts a protocol class P, which has:
//   static constexpr std::string_view name;
//   using Messages = OneOf<...>;  using Env = core::Env<Messages, Timers, Facts>, of which the last
//   two are sets as well and may be left out;
//   void start(Env&) (optional);  void on(Env&, PeerId from, const Message&) for each;  void
//   on(Env&, const Timer&) for each;  void on(Env&, const WorkDone&) if it starts work; void
//   on(Env&, const Departure&) if it says goodbye (optional); bool believes(PeerId from, const
//   Message&) const for each (optional): messages that it does not believe are counted as
//   implausible, and never handled; using Hears = OneOf<...> and void on(Env&, const Signal&) for
//   each (optional): signals that other services of the peer raise; using Inputs = OneOf<...> and
//   void on(Env&, const Input&) for each (optional): what it takes from outside; static constexpr
//   bool perpetual = true, if it never comes to rest by itself (optional); view_kind and view(), if
//   it keeps a view (optional, see views.hpp); void inspect(Env&, Effects&, std::size_t first) and
//   bool keeps(Env&, const WorkDone&), if it is the steward of its peer (optional, one of a peer);
//   void dump_state(StateDump&) const, if it shows its state (optional, see state_dump.hpp).
template <class P>
class Hosted final : public Service {
  using Env = typename P::Env;

 public:
  template <class... A>
  explicit Hosted(A&&... arguments) : protocol_(std::forward<A>(arguments)...) {}

  [[nodiscard]] P& protocol() { return protocol_; }
  [[nodiscard]] const P& protocol() const { return protocol_; }

  [[nodiscard]] std::string_view name() const override { return P::name; }
  [[nodiscard]] std::span<const MessageInfo> messages() const override { return infos; }
  [[nodiscard]] std::vector<std::string> armed() const override {
    if constexpr (requires { P::perpetual; }) {
      if (P::perpetual) return {};
    }
    return timers_in_words();
  }

  void start(const Stage& stage) override {
    if constexpr (requires(P p, Env & e) { p.start(e); }) {
      Env env(stage, timers_, works_);
      protocol_.start(env);
    }
  }

  void deliver(const Stage& stage, const Packet& packet) override { deliver_as<0>(stage, packet); }

  bool fire(const Stage& stage, TimerId id) override {
    auto timer = timers_.take(id);
    if (!timer) return false;
    Env env(stage, timers_, works_);
    std::visit(
        [&](const auto& due) {
          if constexpr (!std::is_same_v<decltype(due), const std::monostate&>)
            protocol_.on(env, due);
        },
        *timer);
    return true;
  }

  void complete(const Stage& stage, const WorkDone& done) override {
    if constexpr (requires(P p, Env & e) { p.on(e, done); }) {
      Env env(stage, timers_, works_);
      protocol_.on(env, done);
    }
  }

  void hear(const Stage& stage, const std::any& signal) override {
    if constexpr (requires { typename P::Hears; })
      hear_as(stage, signal, static_cast<typename P::Hears*>(nullptr));
  }

  void hear(const Stage& stage, const Input& input) override {
    if constexpr (requires { typename P::Inputs; })
      take_as(stage, input, static_cast<typename P::Inputs*>(nullptr));
  }

  void depart(const Stage& stage) override {
    if constexpr (requires(P p, Env & e) { p.on(e, Departure{}); }) {
      Env env(stage, timers_, works_);
      protocol_.on(env, Departure{});
    }
  }

  [[nodiscard]] bool stewards() const override { return is_steward; }

  void inspect(const Stage& stage, std::size_t first) override {
    if constexpr (is_steward) {
      Env env(stage, timers_, works_);
      protocol_.inspect(env, stage.effects, first);
    }
  }

  bool keeps(const Stage& stage, const WorkDone& done) override {
    if constexpr (is_steward) {
      Env env(stage, timers_, works_);
      return protocol_.keeps(env, done);
    } else {
      return false;
    }
  }

  [[nodiscard]] std::optional<ViewKind> view(std::vector<PeerId>& into) const override {
    if constexpr (requires { P::view_kind; }) {
      for (const auto& link : protocol_.view()) into.push_back(link.peer);
      return P::view_kind;
    } else {
      static_cast<void>(into);
      return {};
    }
  }

  bool dump_state(StateDump& dump) const override {
    if constexpr (portrayed<P>) dump.part(P::name, protocol_);
    const std::vector<std::string> armed = timers_in_words();
    if (!armed.empty()) dump.tell(std::string(P::name) + ".armed", armed);
    return portrayed<P>;
  }

  [[nodiscard]] bool arms(TimerId id) const override { return timers_.find(id) != nullptr; }

  [[nodiscard]] std::string timer(TimerId id) const override {
    const auto* timer = timers_.find(id);
    return timer == nullptr ? std::string() : StateDump::text_of(*timer);
  }

 private:
  [[nodiscard]] std::vector<std::string> timers_in_words() const {
    std::vector<std::string> words;
    timers_.for_each(
        [&words](const auto& timer) { words.push_back(StateDump::text_of(timer, Times::told)); });
    std::sort(words.begin(), words.end());
    return words;
  }

  static constexpr bool is_steward = requires(P p, Env& e, Effects& x) {
    p.inspect(e, x, std::size_t{0});
  };
  using Messages = typename P::Messages;
  static constexpr auto infos = detail::InfosOf<Messages>::value;

  template <class... Signal>
  void hear_as(const Stage& stage, const std::any& signal, OneOf<Signal...>*) {
    Env env(stage, timers_, works_);
    const auto try_as = [&]<class S>(const S* heard) {
      if (heard != nullptr) protocol_.on(env, *heard);
    };
    (try_as(std::any_cast<Signal>(&signal)), ...);
  }

  // Inputs were encoded by this program: one that cannot be read is a mistake in the program.
  template <class... I>
  void take_as(const Stage& stage, const Input& input, OneOf<I...>*) {
    const auto try_as = [&]<class T>(std::in_place_type_t<T>) {
      if (input.info != &T::info) return;
      T said{};
      if (decode(input.payload, said, stage.effects.tokens, no_limits) != DecodeError::none)
        throw std::logic_error("an input cannot be read: " + std::string(T::info.name));
      Env env(stage, timers_, works_);
      protocol_.on(env, std::as_const(said));
    };
    (try_as(std::in_place_type<I>), ...);
  }

  template <class M>
  [[nodiscard]] bool believes(PeerId from, const M& message) const {
    if constexpr (requires { protocol_.believes(from, message); })
      return protocol_.believes(from, message);
    else
      return true;
  }

  template <std::size_t I>
  void deliver_as(const Stage& stage, const Packet& packet) {
    if constexpr (I == infos.size()) {
      stage.effects.list.emplace_back(Refuse{Drop::unknown});
    } else if (packet.header.type != I) {
      deliver_as<I + 1>(stage, packet);
    } else {
      std::variant_alternative_t<I, Messages> message{};
      const DecodeError error = decode(packet.payload, message, stage.effects.tokens);
      if (error != DecodeError::none) {
        stage.effects.list.emplace_back(Refuse{detail::drop_of(error)});
        return;
      }
      if (!believes(packet.header.from, message)) {
        stage.effects.list.emplace_back(Refuse{Drop::implausible});
        return;
      }
      Env env(stage, timers_, works_);
      protocol_.on(env, packet.header.from, std::as_const(message));
      if constexpr (decltype(message)::info.message_class == MessageClass::job)
        each_cargo(message, [&](const Cargo& cargo) {
          stage.effects.signals.emplace_back(CargoCame{packet.header.from, cargo});
        });
    }
  }

  P protocol_;
  TimerTable<typename Env::Timers> timers_;
  std::uint32_t works_ = 0;
};

}  // namespace rhizome::core
