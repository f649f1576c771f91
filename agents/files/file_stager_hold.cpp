// The part of the file stager that keeps back work and messages that wait for files, and releases
// them.
#include <algorithm>
#include <utility>
#include <variant>

#include "agents/files/file_stager.hpp"

namespace rhizome::agents::files {

void FileStager::inspect(Env& env, core::Effects& effects, std::size_t first) {
  if (effects.cargoes.empty() && hold_.works.empty()) return;
  Deeds deeds;
  const auto keep_back = [&](const core::Effect& effect) {
    if (const auto* send = std::get_if<core::Send>(&effect))
      return holds(env, effects, *send, deeds);
    if (const auto* start = std::get_if<core::StartWork>(&effect))
      return holds(env, effects, *start, deeds);
    if (const auto* stop = std::get_if<core::StopWork>(&effect)) return holds(*stop);
    if (const auto* pace = std::get_if<core::PaceWork>(&effect)) return holds(*pace);
    return false;
  };
  auto into = effects.list.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto from = into; from != effects.list.end(); ++from)
    if (!keep_back(*from)) *into++ = std::move(*from);
  effects.list.erase(into, effects.list.end());
  for (const auto& [to, cargo] : deeds.offers) offer(env, to, cargo);
  for (const FileRef& file : deeds.needs) fetch(env, file, file.home);
}

// A packet goes when the files of all tasks in it are here.
bool FileStager::holds(Env& env, core::Effects& effects, const core::Send& send, Deeds& deeds) {
  if (send.cargo.count == 0 || send.header.to == self_) return false;
  const auto cargoes = effects.cargo(send.cargo);
  const bool ready = std::all_of(cargoes.begin(), cargoes.end(),
                                 [this](const core::Cargo& cargo) { return here(cargo); });
  if (ready) {
    for (const core::Cargo& cargo : cargoes) {
      deeds.offers.emplace_back(send.header.to, cargo);
      env.raise(CargoGone{send.header.to, cargo.subject});
    }
    return false;
  }
  const auto payload = effects.packet(send).payload;
  hold_.packets.push_back(
      {send.header, {payload.begin(), payload.end()}, {cargoes.begin(), cargoes.end()}});
  for (const core::Cargo& cargo : cargoes) {
    pin(cargo);
    for (const FileRef& file : cargo.inputs)
      if (!here(file)) deeds.needs.push_back(file);
  }
  return true;
}

bool FileStager::holds(Env& env, core::Effects& effects, const core::StartWork& start,
                       Deeds& deeds) {
  if (start.cargo.count == 0) return false;
  const core::Cargo& cargo = effects.cargo(start.cargo).front();
  pin(cargo);
  forget(cargo.subject);
  const bool ready = here(cargo);
  HeldWork held{.cargo = cargo};
  if (!ready) {
    held.state = HeldWork::State::waiting;
    held.work = effects.work(start);
    held.since = env.now();
    for (const FileRef& file : cargo.inputs)
      if (!here(file)) deeds.needs.push_back(file);
  }
  hold_.works.insert_or_assign(start.id, std::move(held));
  return !ready;
}

bool FileStager::holds(const core::StopWork& stop) {
  const auto found = hold_.works.find(stop.id);
  if (found == hold_.works.end()) return false;
  const bool running = found->second.state == HeldWork::State::running;
  unpin(found->second.cargo);
  hold_.works.erase(found);
  return !running;
}

bool FileStager::holds(const core::PaceWork& pace) {
  const auto found = hold_.works.find(pace.id);
  if (found == hold_.works.end()) return false;
  found->second.rate = pace.rate;
  return found->second.state != HeldWork::State::running;
}

void FileStager::offer(Env& env, PeerId to, const core::Cargo& cargo) {
  forget(cargo.subject);
  if (!cargo.inputs.empty()) env.send(to, DoYouNeed{cargo.subject, cargo.inputs, false});
}

void FileStager::release(Env& env) {
  release_works(env);
  release_packets(env);
}

void FileStager::release_works(Env& env) {
  for (auto& [id, held] : hold_.works) {
    if (held.state != HeldWork::State::waiting || !here(held.cargo)) continue;
    held.state = HeldWork::State::running;
    env.work_late(id, held.work);
    if (held.rate != 1) env.pace(id, held.rate);
    env.note(FilesAwaited{task_of(held.cargo.subject), env.now() - held.since});
  }
}

void FileStager::release_packets(Env& env) {
  std::vector<HeldPacket> staying;
  for (HeldPacket& packet : std::exchange(hold_.packets, {})) {
    const bool ready = std::all_of(packet.cargoes.begin(), packet.cargoes.end(),
                                   [this](const core::Cargo& cargo) { return here(cargo); });
    if (!ready) {
      staying.push_back(std::move(packet));
      continue;
    }
    env.send_late(packet.header, packet.payload);
    for (const core::Cargo& cargo : packet.cargoes) {
      offer(env, packet.header.to, cargo);
      env.raise(CargoGone{packet.header.to, cargo.subject});
      unpin(cargo);
    }
  }
  hold_.packets = std::move(staying);
}

void FileStager::on(Env& env, const core::Departure&) {
  for (const HeldPacket& packet : hold_.packets) env.send_late(packet.header, packet.payload);
  hold_.packets.clear();
}

}  // namespace rhizome::agents::files
