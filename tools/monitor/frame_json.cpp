#include "tools/monitor/frame_json.hpp"

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/peer/codec.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

using scenarios::Json;
namespace live = scenarios::live;
using live::Column;

namespace {

template <class Value>
Json json_of(const Value& value) {
  if constexpr (std::is_same_v<Value, core::PeerId>)
    return value == core::no_peer ? Json(nullptr) : Json(value.value);
  else if constexpr (std::is_same_v<Value, core::Duration> || std::is_same_v<Value, core::Time>)
    return core::seconds(value);
  else if constexpr (std::is_same_v<Value, std::string>)
    return scenarios::plain_text(value);
  else
    return value;
}

template <class F>
Json values_json(const F& fact) {
  Json json = Json::object();
  const auto names = core::fields_of(F::info);
  std::size_t next = 0;
  std::apply([&](const auto&... value) { ((json[names[next++]] = json_of(value)), ...); },
             core::values_of(fact));
  return json;
}

Json json_of(const live::LiveFact& fact, const live::Welcome& welcome) {
  const std::string kind =
      fact.kind < welcome.fact_kinds.size() ? welcome.fact_kinds[fact.kind] : "unknown";
  Json json{{"time", core::seconds(fact.at)}, {"peer", fact.peer.value}, {"kind", kind}};
  Json values = Json::object();
  live::visit_fact(kind, fact.payload, [&](const auto& known) { values = values_json(known); });
  json["values"] = std::move(values);
  return json;
}

Json json_of(const live::RunTitle& run) {
  return {{"number", run.number + 1},
          {"scenario", run.scenario},
          {"scheduler", run.scheduler},
          {"label", run.label},
          {"engine", run.engine},
          {"cell", run.cell},
          {"time_scale", run.time_scale},
          {"seed", run.seed},
          {"repetition", run.repetition + 1},
          {"peers", run.peers},
          {"limit", core::seconds(run.length.limit)},
          {"tasks", run.tasks ? Json(*run.tasks) : Json(nullptr)}};
}

Json json_of(const std::array<live::Lateness, core::Vitals::measures>& lateness) {
  constexpr std::array<std::string_view, core::Vitals::measures> names{"packets", "timers", "work",
                                                                       "handlers"};
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    json[names[i]] = Json{{"seen", lateness[i].seen},
                          {"late", lateness[i].late},
                          {"very_late", lateness[i].very_late}};
  return json;
}

Json by_class(const std::array<std::uint64_t, core::message_classes>& amounts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < amounts.size(); ++i)
    json[name_of(static_cast<core::MessageClass>(i))] = amounts[i];
  return json;
}

Json dropped_json(const core::DropCounts& dropped) {
  Json json = Json::object();
  for (std::size_t i = 0; i < dropped.size(); ++i)
    json[name_of(static_cast<core::Drop>(i))] = dropped[i];
  return json;
}

Json json_of(const live::Totals& totals) {
  return {{"sent", by_class(totals.sent)},
          {"sent_bytes", by_class(totals.sent_bytes)},
          {"received", totals.received},
          {"received_bytes", totals.received_bytes},
          {"duplicated", totals.duplicated},
          {"dropped", dropped_json(totals.dropped)},
          {"events", totals.events},
          {"alive", totals.alive},
          {"finished", totals.finished},
          {"running", totals.running},
          {"tasks", Json{{"submitted", totals.tasks.submitted},
                         {"started", totals.tasks.started},
                         {"executed", totals.tasks.executed},
                         {"completed", totals.tasks.completed},
                         {"reissued", totals.tasks.reissued},
                         {"duplicate", totals.tasks.duplicate},
                         {"waiting", totals.tasks.waiting}}},
          {"jobs_completed", totals.tasks.jobs_completed},
          {"lateness", json_of(totals.lateness)}};
}

Json peer_json(core::PeerId peer, const live::Row& row, const live::ProcessSeen* process) {
  return {{"peer", peer.value},
          {"alive", live::is_alive(row)},
          {"finished", live::has_finished(row)},
          {"life", live::life_of(row).value},
          {"above", json_of(live::above_of(row))},
          {"job", live::of(row, Column::job)},
          {"result", live::of(row, Column::result)},
          {"information", live::of(row, Column::information)},
          {"sent_bytes", live::of(row, Column::sent_bytes)},
          {"received", live::of(row, Column::received)},
          {"received_bytes", live::of(row, Column::received_bytes)},
          {"dropped", live::of(row, Column::dropped)},
          {"events", live::of(row, Column::events)},
          {"facts", live::of(row, Column::facts)},
          {"running", live::of(row, Column::running)},
          {"waiting", live::of(row, Column::waiting)},
          {"inbox", live::of(row, Column::inbox)},
          {"late", live::of(row, Column::late)},
          {"process", process == nullptr ? Json(nullptr) : Json(process->number)}};
}

Json json_of(const std::vector<live::ProcessSeen>& processes) {
  Json list = Json::array();
  for (const live::ProcessSeen& each : processes)
    list.push_back({{"process", each.number},
                    {"host", each.host},
                    {"lost", each.lost},
                    {"silent", each.silent}});
  return list;
}

// The views that have changed since the frame before.
Json views_json(const live::ViewTable& views) {
  Json list = Json::array();
  views.for_each_latest([&list](core::PeerId peer, core::ViewKind kind,
                                const std::vector<core::PeerId>& view) {
    Json links = Json::array();
    for (const core::PeerId link : view) links.push_back(link.value);
    list.push_back({{"peer", peer.value}, {"overlay", name_of(kind)}, {"links", std::move(links)}});
  });
  return list;
}

// All but the peers.
Json frame_json(const live::State& state, const live::FactSlice& facts,
                const live::Welcome& welcome) {
  const live::Frame& frame = state.frame();
  Json told = Json::array();
  for (const live::LiveFact& fact : facts.facts) told.push_back(json_of(fact, welcome));
  Json under_way = Json::array();
  for (const std::uint32_t number : frame.under_way) under_way.push_back(number + 1);
  return {{"schema", "rhizome.frame/1"},
          {"frame", frame.number},
          {"run", json_of(frame.run)},
          {"runs", welcome.runs},
          {"under_way", std::move(under_way)},
          {"over", frame.over},
          {"paced", frame.cost.paced},
          {"held", frame.cost.held},
          {"speed", frame.cost.speed},
          {"by_hand", frame.cost.by_hand},
          {"time", core::seconds(frame.now)},
          {"real_time", core::seconds(frame.real)},
          {"totals", json_of(frame.totals)},
          {"processes", json_of(frame.cost.processes)},
          {"views", state.views() ? views_json(*state.views()) : Json(nullptr)},
          {"facts", std::move(told)},
          {"missed_facts", facts.missed},
          {"cost", Json{{"share", frame.cost.share},
                        {"interval", core::seconds(frame.cost.interval)},
                        {"slowed", frame.cost.slowed}}}};
}

}  // namespace

// Peers are written one by one: a document of a million would take gigabytes.
std::string frame_line(const live::State& state, const live::FactSlice& facts,
                       const live::Welcome& welcome) {
  std::string line = line_of(frame_json(state, facts, welcome));
  line.pop_back();
  line += ",\"peers\":[";
  const char* separator = "";
  for (const core::PeerId peer : state.changed()) {
    const live::Row& row = state.rows()[peer.value];
    line += separator;
    line += line_of(peer_json(peer, row, live::process_of(row, state.frame().cost.processes)));
    separator = ",";
  }
  return line + "]}";
}

}  // namespace rhizome::tools
