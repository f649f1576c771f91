#include "agents/program/wire.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "agents/possible.hpp"
#include "agents/program/stores.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::agents::program {

namespace {

using Json = nlohmann::json;

std::string name_of(TaskId task) {
  return std::to_string(task.job) + "." + std::to_string(task.portion);
}

// Whether the text is not nested too deeply: writing a deeper one would take too much stack.
bool is_flat(std::string_view text) {
  constexpr int deepest = 100;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest) return false;
  }
  return true;
}

Json parsed(std::string_view text) {
  if (!is_flat(text)) throw WireError("it nests more than 100 lists and objects in each other");
  return Json::parse(text, nullptr, false);
}

std::string line_of(std::string_view from, PeerId to, const Json& body) {
  return Json{{"src", from}, {"dest", peer_name(to)}, {"body", body}}.dump() + "\n";
}

std::string text_at(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_string())
    throw WireError(std::string("the text \"") + key + "\" is missing");
  return found->get<std::string>();
}

// A single client, at the source, has a name for each peer.
std::optional<PeerId> client_called(std::string_view name, std::uint32_t peers) {
  if (!name.starts_with('c')) return {};
  return peer_called("n" + std::string(name.substr(1)), peers);
}

TaskId task_called(const Json& said) {
  if (said.is_string()) {
    const auto& text = said.get_ref<const std::string&>();
    std::string_view rest = text;
    const auto job = core::take_number<std::uint32_t>(rest);
    const bool dot = rest.starts_with('.');
    if (dot) rest.remove_prefix(1);
    const auto portion = core::take_number<std::uint32_t>(rest);
    if (job && dot && portion && rest.empty()) return {*job, *portion};
  }
  throw WireError("a task is named like \"3.0\", job and number, and not " +
                  in_quotes(said.dump()));
}

TaskId task_at(const Json& body) {
  const auto found = body.find("task");
  if (found == body.end()) throw WireError("\"task\" is missing");
  return task_called(*found);
}

core::Duration duration_at(const Json& body, const char* key) {
  const auto found = body.find(key);
  const double seconds =
      found != body.end() && found->is_number() ? found->get<double>() : std::nan("");
  if (!(seconds >= 0) || seconds > core::seconds(longest_time))
    throw WireError(std::string("\"") + key + "\" must be a time of at least 0, in seconds");
  return core::from_seconds(seconds);
}

template <class E>
E word_at(const Json& said, const char* key) {
  if (said.is_string())
    for (std::size_t i = 0; i <= static_cast<std::size_t>(E::last); ++i)
      if (core::name_of(static_cast<E>(i)) == said.get_ref<const std::string&>())
        return static_cast<E>(i);
  throw WireError(in_quotes(said.dump()) + " is no " + key + " of messages");
}

SendBody message_to(PeerId to, const Json& body) {
  SendBody sent{.to = to, .body = body.dump()};
  if (const auto found = body.find("class"); found != body.end())
    sent.message_class = word_at<MessageClass>(*found, "class");
  if (const auto found = body.find("cause"); found != body.end())
    sent.cause = word_at<Cause>(*found, "cause");
  if (sent.message_class == MessageClass::information) return sent;
  if (const auto found = body.find("task"); found != body.end())
    sent.tasks.push_back(task_called(*found));
  if (const auto found = body.find("tasks"); found != body.end() && found->is_array())
    for (const Json& task : *found) sent.tasks.push_back(task_called(task));
  return sent;
}

bool is_word(std::string_view text) {
  constexpr std::size_t longest = 40;
  return !text.empty() && text.size() <= longest &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
}

Said note_of(const Json& body) {
  constexpr std::size_t longest = 2000;
  const std::string name = text_at(body, "name");
  if (!is_word(name))
    throw WireError("the name of a fact has 1 to 40 small letters, digits and \"-\", unlike " +
                    in_quotes(name));
  const Json fields = body.value("fields", Json::object());
  if (!fields.is_object()) throw WireError("\"fields\" of a fact must be an object");
  NoteFact note{name, fields.dump(-1, ' ', true, Json::error_handler_t::replace)};
  if (note.fields.size() > longest)
    throw WireError("the \"fields\" of a fact are longer than 2,000 characters");
  return note;
}

Said work_of(const Json& body) {
  const std::string id = text_at(body, "id");
  if (!body.contains("duration")) return BeginTask{id, task_at(body)};
  if (body.contains("task"))
    throw WireError("\"work\" has a \"task\" or a \"duration\", and not both");
  return BeginOwnWork{id, duration_at(body, "duration")};
}

Idle idle_of(const Json& body) {
  if (!body.contains("until")) return {};
  return {core::Time{} + duration_at(body, "until")};
}

// Half of all that is said, and quicker to compare than to parse.
bool is_idle(std::string_view line, PeerId self) {
  constexpr std::string_view before = R"({"src":")";
  constexpr std::string_view after = R"(","dest":"env","body":{"type":"idle"}})";
  if (!line.starts_with(before) || !line.ends_with(after)) return false;
  line.remove_prefix(before.size());
  line.remove_suffix(std::min(after.size(), line.size()));
  return line == peer_name(self);
}

Said said_to_env(const Json& body, std::uint32_t peers) {
  const std::string type = text_at(body, "type");
  if (type == "idle") return idle_of(body);
  if (type == "init_ok") return Ready{.lock_step = body.value("rhizome", Json{}) == 1};
  if (type == "timer") return ArmTimer{text_at(body, "name"), duration_at(body, "after")};
  if (type == "cancel") return CancelTimer{text_at(body, "name")};
  if (type == "work") return work_of(body);
  if (type == "stop") return StopWorkNamed{text_at(body, "id")};
  if (type == "note") return note_of(body);
  if (type == "finished") {
    FinishTask finished{task_at(body)};
    const auto found = body.find("executor");
    if (found == body.end()) return finished;
    finished.executor = peer_called(found->is_string() ? found->get<std::string>() : "", peers);
    if (!finished.executor) throw WireError("\"executor\" must be a peer");
    return finished;
  }
  throw WireError("\"env\" takes no message of the type " + in_quotes(type));
}

}  // namespace

std::optional<PeerId> peer_called(std::string_view name, std::uint32_t peers) {
  if (!name.starts_with('n')) return {};
  name.remove_prefix(1);
  const auto number = core::parse_number<std::uint32_t>(name);
  if (!number || *number >= peers) return {};
  return PeerId{*number};
}

std::string peer_name(PeerId peer) { return std::string("n").append(std::to_string(peer.value)); }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 200;
  std::string shown(text.substr(0, most));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < ' ' || c >= 127; }, '?');
  return "'" + shown + (text.size() > most ? "'..." : "'");
}

bool is_body(std::string_view text) {
  return text.find('\n') == std::string_view::npos && is_flat(text) && parsed(text).is_object();
}

Said read_line(std::string_view line, PeerId self, std::uint32_t peers) {
  if (is_idle(line, self)) return Idle{};
  const Json said = parsed(line);
  if (!said.is_object())
    throw WireError("this is no JSON object: " + in_quotes(line) +
                    "; what is no message belongs on standard error");
  const std::string from = text_at(said, "src");
  const std::string to = text_at(said, "dest");
  const auto relayed = client_called(from, peers);
  const auto peer = peer_called(to, peers);
  if (from != peer_name(self) && !(relayed && peer))
    throw WireError("it speaks for " + in_quotes(from) + " and is " + peer_name(self));
  const auto body = said.find("body");
  if (body == said.end() || !body->is_object())
    throw WireError("the object \"body\" is missing: " + in_quotes(line));
  if (to == "env") return said_to_env(*body, peers);
  if (relayed) return RelayQuestion{*peer, *relayed, body->dump()};
  if (const auto client = client_called(to, peers)) return AnswerClient{*client, body->dump()};
  if (is_store(to)) return RequestStore{to, body->dump()};
  if (!peer) throw WireError("there is no peer " + in_quotes(to));
  return message_to(*peer, *body);
}

std::string init_line(const Beginning& beginning) {
  Json names = Json::array();
  for (std::uint32_t i = 0; i < beginning.peers; ++i) names.push_back(peer_name(PeerId{i}));
  Json neighbours = Json::array();
  for (const PeerId peer : beginning.neighbours) neighbours.push_back(peer_name(peer));
  return line_of("env", beginning.self,
                 {{"type", "init"},
                  {"msg_id", 1},
                  {"node_id", peer_name(beginning.self)},
                  {"node_ids", names},
                  {"seed", beginning.seed},
                  {"life", beginning.life},
                  {"now", core::seconds(beginning.now)},
                  {"source", peer_name(beginning.source)},
                  {"neighbours", neighbours},
                  {"speed", beginning.speed},
                  {"slots", beginning.slots}});
}

std::string time_line(PeerId to, core::Time now) {
  std::array<char, 32> number{};
  const auto [end, error] =
      std::to_chars(number.data(), number.data() + number.size(), core::seconds(now));
  return R"({"src":"env","dest":")" + peer_name(to) + R"(","body":{"type":"time","now":)" +
         std::string(number.data(), end) + "}}\n";
}

std::string job_line(PeerId to, std::uint32_t job, std::span<const Task> tasks) {
  Json list = Json::array();
  for (const Task& task : tasks)
    list.push_back({{"id", name_of(task.id)},
                    {"duration", core::seconds(task.duration)},
                    {"cpus", task.cpus},
                    {"memory", task.memory}});
  return line_of("env", to, {{"type", "job"}, {"id", job}, {"tasks", list}});
}

std::string timer_line(PeerId to, std::string_view name) {
  return line_of("env", to, {{"type", "timer"}, {"name", name}});
}

std::string work_done_line(PeerId to, std::string_view id, std::optional<TaskId> task) {
  Json body{{"type", "work_done"}, {"id", id}};
  if (task) body["task"] = name_of(*task);
  return line_of("env", to, body);
}

std::string drained_line(PeerId to) { return line_of("env", to, {{"type", "drained"}}); }

namespace {

std::string line_with(std::string_view from, PeerId to, std::string_view body) {
  return R"({"src":")" + std::string(from) + R"(","dest":")" + peer_name(to) + R"(","body":)" +
         std::string(body) + "}\n";
}

}  // namespace

std::string message_line(PeerId from, PeerId to, std::string_view body) {
  return line_with(peer_name(from), to, body);
}

std::string client_line(PeerId client, PeerId to, std::string_view body) {
  return line_with(std::string("c").append(std::to_string(client.value)), to, body);
}

std::string store_line(std::string_view store, PeerId to, std::string_view body) {
  return line_with(store, to, body);
}

}  // namespace rhizome::agents::program
