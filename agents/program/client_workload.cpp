#include "agents/program/client_workload.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "agents/program/linearizable.hpp"
#include "agents/program/views.hpp"
#include "agents/program/wire.hpp"

namespace rhizome::agents::program {

namespace {

using Json = nlohmann::json;

Json json_of(std::string_view body) { return Json::parse(body, nullptr, false); }

bool has_type(const Json& body, std::string_view type) {
  const auto found = body.find("type");
  return found != body.end() && *found == type;
}
std::string not_of_type(const Json& body, std::string_view type) {
  return "the answer " + in_quotes(body.dump()) + " is not of the type \"" + std::string(type) +
         "\"";
}

// An integer field; nothing for any other value.
std::optional<std::int64_t> number_at(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_number_integer()) return {};
  return found->get<std::int64_t>();
}

class Echo final : public ClientWorkload {
 public:
  std::string question(std::uint32_t number, core::Rng& rng) override {
    const std::string text = "Please echo " + std::to_string(rng.below(1000));
    asked_.emplace(number, text);
    return Json{{"type", "echo"}, {"echo", text}}.dump();
  }
  std::string answer(std::uint32_t number, const Span&, std::string_view body) override {
    const Json said = json_of(body);
    if (!has_type(said, "echo_ok")) return not_of_type(said, "echo_ok");
    const std::string asked = asked_.extract(number).mapped();
    if (said.value("echo", Json{}) == asked) return {};
    return in_quotes(asked) + " came back as " + in_quotes(said.dump());
  }
  void unknown(std::uint32_t number, core::Time) override { asked_.erase(number); }

 private:
  void forget(std::uint32_t number) override { asked_.erase(number); }
  std::map<std::uint32_t, std::string> asked_;
};

class UniqueIds final : public ClientWorkload {
 public:
  std::string question(std::uint32_t, core::Rng&) override { return R"({"type":"generate"})"; }
  std::string answer(std::uint32_t, const Span&, std::string_view body) override {
    const Json said = json_of(body);
    if (!has_type(said, "generate_ok") || !said.contains("id"))
      return not_of_type(said, "generate_ok");
    const std::string id = said["id"].dump();
    return ids_.insert(id).second ? "" : "the id " + in_quotes(id) + " was given out twice";
  }
  void unknown(std::uint32_t, core::Time) override {}

 private:
  void forget(std::uint32_t) override {}
  std::set<std::string> ids_;
};

// Half of the operations tell a peer a number, the others ask a peer for all that it knows.
class Broadcast final : public ClientWorkload {
 public:
  explicit Broadcast(std::uint32_t peers) : peers_(peers) {}

  // A grid, as in Maelstrom.
  std::string first_question() const override {
    std::uint32_t width = 1;
    while (width * width < peers_) ++width;
    Json topology = Json::object();
    for (std::uint32_t i = 0; i < peers_; ++i) {
      Json near = Json::array();
      const auto add = [&](std::uint32_t peer) {
        if (peer < peers_) near.push_back(peer_name(PeerId{peer}));
      };
      if (i % width > 0) add(i - 1);
      if (i % width + 1 < width) add(i + 1);
      if (i >= width) add(i - width);
      add(i + width);
      topology[peer_name(PeerId{i})] = near;
    }
    return Json{{"type", "topology"}, {"topology", topology}}.dump();
  }
  std::string question(std::uint32_t number, core::Rng& rng) override {
    if (rng.chance(0.5)) return R"({"type":"read"})";
    told_.insert(number);
    return Json{{"type", "broadcast"}, {"message", number}}.dump();
  }
  std::string answer(std::uint32_t number, const Span& span, std::string_view body) override {
    const Json said = json_of(body);
    if (!told_.contains(number)) return read(said, span, nullptr);
    if (!has_type(said, "broadcast_ok")) return not_of_type(said, "broadcast_ok");
    acknowledged_.insert_or_assign(number, Acknowledged{span.answered, span.answered});
    return {};
  }
  void unknown(std::uint32_t, core::Time) override {}
  std::string last_question() const override { return R"({"type":"read"})"; }
  std::string last_answer(PeerId peer, const Span& span, std::string_view body) override {
    std::set<std::int64_t> known;
    std::string wrong = read(json_of(body), span, &known);
    if (!wrong.empty()) return wrong;
    for (const auto& [number, acknowledged] : acknowledged_)
      if (!known.contains(number))
        return "the message " + std::to_string(number) + " was acknowledged, and " +
               peer_name(peer) + " does not know it at the end";
    return {};
  }
  std::map<std::uint32_t, core::Duration> stable_latencies() const override {
    std::map<std::uint32_t, core::Duration> latencies;
    for (const auto& [number, acknowledged] : acknowledged_)
      latencies.emplace(number, acknowledged.last_missed - acknowledged.at);
    return latencies;
  }

 private:
  struct Acknowledged {
    core::Time at{};
    core::Time last_missed{};  // when the last read without it began; `at`: none after that
  };
  // A message whose request failed may still be known.
  void forget(std::uint32_t) override {}
  void note_missed(const std::set<std::int64_t>& seen, core::Time asked) {
    for (auto& [number, acknowledged] : acknowledged_)
      if (asked > acknowledged.last_missed && !seen.contains(number))
        acknowledged.last_missed = asked;
  }
  std::string read(const Json& said, const Span& span, std::set<std::int64_t>* known) {
    const auto list = said.find("messages");
    if (!has_type(said, "read_ok") || list == said.end() || !list->is_array())
      return not_of_type(said, "read_ok");
    std::set<std::int64_t> seen;
    for (const Json& each : *list) {
      const bool told = each.is_number_integer() && each >= 0 && each <= 0xFFFFFFFFU &&
                        told_.contains(each.get<std::uint32_t>());
      if (!told) return "it knows a message that was never sent: " + in_quotes(each.dump());
      seen.insert(each.get<std::int64_t>());
    }
    note_missed(seen, span.asked);
    if (known != nullptr) *known = std::move(seen);
    return {};
  }

  std::uint32_t peers_;
  std::set<std::uint32_t> told_;
  std::map<std::uint32_t, Acknowledged> acknowledged_;
};

// A counter that only grows; half of the operations add, the others read.
class GrowingCounter final : public ClientWorkload {
 public:
  std::string question(std::uint32_t number, core::Rng& rng) override {
    if (rng.chance(0.5)) return R"({"type":"read"})";
    const auto delta = static_cast<std::int64_t>(rng.below(5));
    added_.emplace(number, delta);
    return Json{{"type", "add"}, {"delta", delta}}.dump();
  }
  std::string answer(std::uint32_t number, const Span&, std::string_view body) override {
    const Json said = json_of(body);
    const auto added = added_.find(number);
    const char* type = added == added_.end() ? "read_ok" : "add_ok";
    if (!has_type(said, type)) return not_of_type(said, type);
    if (added != added_.end()) sum_ += added->second;
    return {};
  }
  void unknown(std::uint32_t number, core::Time) override {
    if (const auto added = added_.find(number); added != added_.end()) perhaps_ += added->second;
  }
  std::string last_question() const override { return R"({"type":"read"})"; }
  std::string last_answer(PeerId peer, const Span&, std::string_view body) override {
    const Json said = json_of(body);
    const auto value = number_at(said, "value");
    if (!has_type(said, "read_ok") || !value) return not_of_type(said, "read_ok");
    if (*value >= sum_ && *value <= sum_ + perhaps_) return {};
    return peer_name(peer) + " reads " + std::to_string(*value) + " at the end where " +
           std::to_string(sum_) + (perhaps_ > 0 ? " to " + std::to_string(sum_ + perhaps_) : "") +
           " were added";
  }

 private:
  void forget(std::uint32_t) override {}
  std::map<std::uint32_t, std::int64_t> added_;
  std::int64_t sum_ = 0;
  std::int64_t perhaps_ = 0;  // sum of the additions whose outcome is unknown
};

// Reads, writes and swaps of a few keys at a time; each key must be linearizable.
class Registers final : public ClientWorkload {
 public:
  std::string question(std::uint32_t number, core::Rng& rng) override {
    constexpr std::uint32_t block = 200;  // operations until other keys are used
    constexpr std::uint32_t keys = 4;
    Asked asked{.key = number / block * keys + static_cast<std::uint32_t>(rng.below(keys)),
                .call = {}};
    Json body{{"key", asked.key}};
    const auto value = [&] { return static_cast<std::int64_t>(rng.below(5)); };
    switch (asked.call.kind = static_cast<RegisterCall::Kind>(rng.below(3))) {
      case RegisterCall::Kind::read:
        body["type"] = "read";
        break;
      case RegisterCall::Kind::write:
        body["type"] = "write";
        asked.call.value = value();
        body["value"] = *asked.call.value;
        break;
      case RegisterCall::Kind::swap:
        body["type"] = "cas";
        asked.call.expected = value();
        asked.call.value = value();
        body["from"] = asked.call.expected;
        body["to"] = *asked.call.value;
        break;
    }
    asked_.emplace(number, asked);
    return body.dump();
  }
  std::string answer(std::uint32_t number, const Span& span, std::string_view body) override {
    Asked asked = asked_.extract(number).mapped();
    const Json said = json_of(body);
    const char* type = asked.call.kind == RegisterCall::Kind::read    ? "read_ok"
                       : asked.call.kind == RegisterCall::Kind::write ? "write_ok"
                                                                      : "cas_ok";
    if (!has_type(said, type)) return not_of_type(said, type);
    if (asked.call.kind == RegisterCall::Kind::read) {
      asked.call.value = number_at(said, "value");
      if (!asked.call.value) return "the value read is no whole number: " + in_quotes(said.dump());
    }
    add(asked, span);
    return {};
  }
  void failed(std::uint32_t number, const Span& span, int code) override {
    constexpr int no_such_key = 20;
    Asked asked = asked_.extract(number).mapped();
    if (code == no_such_key && asked.call.kind == RegisterCall::Kind::read) add(asked, span);
  }
  void unknown(std::uint32_t number, core::Time at) override {
    Asked asked = asked_.extract(number).mapped();
    if (asked.call.kind == RegisterCall::Kind::read) return;
    asked.call.unknown = true;
    add(asked, {at, at});
  }
  std::string verdict() const override {
    for (const auto& [key, calls] : history_) {
      const auto right = is_linearizable(calls);
      if (!right)
        return "it would take too long to say whether the key " + std::to_string(key) +
               " is linearizable: ask less at a time";
      if (!*right)
        return "the " + std::to_string(calls.size()) + " operations on the key " +
               std::to_string(key) + " are not linearizable";
    }
    return {};
  }

 private:
  struct Asked {
    std::uint32_t key = 0;
    RegisterCall call{};
  };
  void forget(std::uint32_t) override {}
  void add(Asked asked, const Span& span) {
    asked.call.called = span.asked;
    asked.call.returned = span.answered;
    history_[asked.key].push_back(asked.call);
  }
  std::map<std::uint32_t, Asked> asked_;
  std::map<std::uint32_t, std::vector<RegisterCall>> history_;
};

// Whom a peer knows: what an overlay is there for.
class PeerSampling final : public ClientWorkload {
 public:
  explicit PeerSampling(std::uint32_t peers) : peers_(peers) {}

  std::string question(std::uint32_t, core::Rng&) override { return std::string(view_question); }
  std::string answer(std::uint32_t, const Span&, std::string_view body) override {
    try {
      static_cast<void>(view_in(body, peers_));
      return {};
    } catch (const WireError& error) {
      return error.what();
    }
  }
  void unknown(std::uint32_t, core::Time) override {}

 private:
  void forget(std::uint32_t) override {}
  std::uint32_t peers_;
};

}  // namespace

std::unique_ptr<ClientWorkload> workload_of(Clients clients, std::uint32_t peers) {
  switch (clients) {
    case Clients::echo:
      return std::make_unique<Echo>();
    case Clients::unique_ids:
      return std::make_unique<UniqueIds>();
    case Clients::broadcast:
      return std::make_unique<Broadcast>(peers);
    case Clients::g_counter:
      return std::make_unique<GrowingCounter>();
    case Clients::lin_kv:
      return std::make_unique<Registers>();
    case Clients::peer_sampling:
      return std::make_unique<PeerSampling>(peers);
  }
  return nullptr;
}

AnswerReading read_answer(std::string_view body) {
  const Json said = json_of(body);
  const auto number = said.is_object() ? number_at(said, "in_reply_to") : std::nullopt;
  if (!number || *number < 0 || *number > 0xFFFFFFFFLL)
    throw WireError("an answer to a client has a number \"in_reply_to\": " + in_quotes(body));
  AnswerReading reading{.in_reply_to = static_cast<std::uint32_t>(*number)};
  reading.error = has_type(said, "error");
  if (!reading.error) return reading;
  // Errors of Maelstrom's protocol: 0 (timeout) and 13 (crash) leave open whether the operation
  // happened; all others say that it did not. A program's own codes, from 1000 on, count as leaving
  // it open.
  const auto code = number_at(said, "code");
  reading.code = code && *code >= 0 && *code < 1000 ? static_cast<int>(*code) : 0;
  reading.definite = reading.code != 0 && reading.code != 13;
  return reading;
}

std::string with_number(std::string_view question, std::uint32_t msg_id) {
  Json body = json_of(question);
  body["msg_id"] = msg_id;
  return body.dump();
}

}  // namespace rhizome::agents::program
