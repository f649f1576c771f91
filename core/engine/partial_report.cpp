#include "core/engine/partial_report.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace rhizome::core {

namespace {

// The facts of one peer: of all, when, which type and how many bytes; then those bytes.
struct Facts {
  std::vector<Time> at;
  std::vector<std::uint32_t> type;  // its place in the names
  std::vector<std::uint32_t> size;
  Bytes payloads;

  [[nodiscard]] bool whole() const {
    std::uint64_t bytes = 0;
    for (const std::uint32_t each : size) bytes += each;
    return type.size() == at.size() && size.size() == at.size() && bytes == payloads.size();
  }
};

// A report without facts, and the facts: their types go by name, because addresses differ from
// process to process.
struct Travelling {
  std::vector<std::string> names;
  std::vector<Facts> facts;  // by peer of the report
};

class Packer {
 public:
  [[nodiscard]] Travelling pack(const EngineReport& report) {
    for (const Recorder& recorder : report.recorders) {
      Facts& facts = packed_.facts.emplace_back();
      recorder.facts().for_each([&](Time at, const EncodedFact& fact) { add(facts, at, fact); });
    }
    return std::move(packed_);
  }

 private:
  void add(Facts& facts, Time at, const EncodedFact& fact) {
    facts.at.push_back(at);
    facts.type.push_back(type_of(fact.info));
    facts.size.push_back(static_cast<std::uint32_t>(fact.payload.size()));
    facts.payloads.insert(facts.payloads.end(), fact.payload.begin(), fact.payload.end());
  }
  std::uint32_t type_of(const FactInfo* info) {
    const auto known = std::find(types_.begin(), types_.end(), info);
    const auto type = static_cast<std::uint32_t>(known - types_.begin());
    if (known == types_.end()) {
      types_.push_back(info);
      packed_.names.emplace_back(info->name);
    }
    return type;
  }

  Travelling packed_;
  FactTypes types_;  // types that the names stand for
};

// Nothing if one of the names is unknown.
std::optional<FactTypes> types_of(const std::vector<std::string>& names, const FactTypes& known) {
  FactTypes types;
  for (const std::string& name : names) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const FactInfo* info) { return info->name == name; });
    if (found == known.end()) return {};
    types.push_back(*found);
  }
  return types;
}

bool unpack(const Facts& facts, const FactTypes& types, Recorder& recorder) {
  if (!facts.whole()) return false;
  std::span<const std::byte> rest = facts.payloads;
  for (std::size_t i = 0; i < facts.at.size(); ++i) {
    if (facts.type[i] >= types.size()) return false;
    recorder.note(facts.at[i], {types[facts.type[i]], rest.first(facts.size[i])});
    rest = rest.subspan(facts.size[i]);
  }
  return true;
}

bool whole(const PartialReport& part) {
  const EngineReport& report = part.report;
  const std::size_t peers = part.peers.size();
  return report.recorders.size() == peers && report.incarnations.size() == peers &&
         report.alive.size() == peers && report.finished.size() == peers &&
         report.armed.size() == peers &&
         std::all_of(report.recorders.begin(), report.recorders.end(),
                     [](const Recorder& each) { return each.burdens().whole(); });
}

// An encoded report: `Part` is a const reference to encode one, and a value to decode one.
template <class Part>
struct Letter {
  Part part;
  Travelling facts{};

  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.part, self.facts);
  }
};

// The place of a peer: its part, and its index there.
struct Place {
  PeerId peer;
  PartialReport* part = nullptr;
  std::size_t at = 0;
};

// The places by peer. Throws unless each of so many peers has one.
std::vector<Place> places_of(std::vector<PartialReport>& parts, std::uint32_t peers) {
  std::vector<Place> places;
  for (PartialReport& part : parts) {
    if (!whole(part)) throw std::invalid_argument("a part of a report is not whole");
    for (std::size_t i = 0; i < part.peers.size(); ++i) {
      if (part.peers[i].value >= peers)
        throw std::invalid_argument("peer " + std::to_string(part.peers[i].value) +
                                    " is in the report, and not of the run");
      places.push_back({part.peers[i], &part, i});
    }
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.peer < b.peer; });
  for (std::uint32_t i = 0; i < std::max<std::size_t>(peers, places.size()); ++i) {
    if (i == places.size() || i < places[i].peer.value)
      throw std::invalid_argument("peer " + std::to_string(i) + " is in no part of the report");
    if (places[i].peer.value < i)
      throw std::invalid_argument("peer " + std::to_string(places[i].peer.value) +
                                  " is in two parts of the report");
  }
  return places;
}

// The report of peers that were lost in the run of those parts.
PartialReport nothing_of(const LostPeers& lost, const std::vector<PartialReport>& parts) {
  const std::size_t peers = lost.peers.size();
  PartialReport part{.peers = lost.peers, .report = {}};
  part.report.recorders.resize(peers);
  part.report.incarnations.resize(peers);
  part.report.alive.resize(peers);
  part.report.finished.resize(peers);
  part.report.armed.resize(peers);
  if (!parts.empty()) {
    part.report.ending = parts.front().report.ending;
    part.report.ended = parts.front().report.ended;
  }
  return part;
}

// Any two clocks are apart by no more than the two that are known worst, together.
Duration clock_doubt(const std::vector<PartialReport>& parts) {
  Duration worst{0};
  Duration second{0};
  for (const PartialReport& part : parts) {
    const Duration doubt = part.report.fidelity.clock_doubt;
    second = std::max(second, std::min(worst, doubt));
    worst = std::max(worst, doubt);
  }
  return worst + second;
}

// What belongs to no peer.
void add(EngineReport& whole, const EngineReport& part) {
  if (whole.ending != part.ending || whole.ended != part.ended)
    throw std::invalid_argument("the parts of the report are of runs that ended differently");
  whole.working += part.working;
  whole.events += part.events;
  whole.fidelity.merge(part.fidelity);
  whole.wall = std::max(whole.wall, part.wall);
}

}  // namespace

Bytes encode(const PartialReport& part) {
  Bytes bytes;
  encode(Letter<const PartialReport&>{part, Packer().pack(part.report)}, bytes);
  return bytes;
}

std::optional<PartialReport> decode(std::span<const std::byte> bytes, const FactTypes& known) {
  Letter<PartialReport> letter;
  Tokens tokens;
  if (decode(bytes, letter, tokens, no_limits) != DecodeError::none) return {};
  const auto types = types_of(letter.facts.names, known);
  if (!types || !whole(letter.part)) return {};
  if (letter.facts.facts.size() != letter.part.peers.size()) return {};
  for (std::size_t i = 0; i < letter.part.peers.size(); ++i)
    if (!unpack(letter.facts.facts[i], *types, letter.part.report.recorders[i])) return {};
  return std::move(letter.part);
}

EngineReport merge(std::vector<PartialReport> parts, std::uint32_t peers,
                   std::vector<LostPeers> lost) {
  EngineReport whole;
  for (const LostPeers& each : lost) parts.push_back(nothing_of(each, parts));
  for (const Place& place : places_of(parts, peers)) {
    EngineReport& from = place.part->report;
    whole.recorders.push_back(std::move(from.recorders[place.at]));
    whole.incarnations.push_back(from.incarnations[place.at]);
    whole.alive.push_back(from.alive[place.at]);
    whole.finished.push_back(from.finished[place.at]);
    whole.armed.push_back(std::move(from.armed[place.at]));
  }
  whole.between.lost = std::move(lost);
  if (!parts.empty()) {
    whole.ending = parts.front().report.ending;
    whole.ended = parts.front().report.ended;
  }
  for (const PartialReport& part : parts) add(whole, part.report);
  whole.fidelity.clock_doubt = clock_doubt(parts);
  auto& stalls = whole.fidelity.stalls;  // stalls of one peer are in one part, in their order
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Stall& a, const Stall& b) { return a.peer < b.peer; });
  return whole;
}

}  // namespace rhizome::core
