#include "scenarios/world/faults/lifetime_file.hpp"

#include "scenarios/text/fields.hpp"

namespace rhizome::scenarios {

namespace {

using core::PeerId;
using core::Time;

struct Life {
  PeerId peer;
  Time up;
  Time down = for_good;
};

Time time_field(const Lines& lines, const Field& field, std::string_view name) {
  return Time{} + core::from_seconds(bounded_field(lines, field, name, longest_seconds));
}

Life read_life(const Lines& lines, const std::vector<Field>& fields, std::uint32_t peers) {
  expect_fields(lines, fields, 3, "a life");
  const std::int64_t peer = integer_field(lines, fields[0], "peer");
  if (peer < 0 || peer >= peers)
    lines.refuse(fields[0].column, "there is no peer " + std::to_string(peer) +
                                       ": they count from 0 to " + std::to_string(peers - 1));
  Life life{PeerId{static_cast<std::uint32_t>(peer)}, time_field(lines, fields[1], "up_at")};
  if (!fields[2].text.empty()) life.down = time_field(lines, fields[2], "down_at");
  if (life.down <= life.up) lines.refuse(fields[2].column, "down_at must be after up_at");
  return life;
}

// The last outage of a peer is open until a next life begins.
void add_life(const Lines& lines, const std::vector<Field>& fields, const Life& life,
              std::map<PeerId, std::vector<Outage>>& known, core::Fault::Kind how) {
  const auto [found, first] = known.try_emplace(life.peer);
  std::vector<Outage>& outages = found->second;
  if (first) {
    if (life.up > Time{}) outages.push_back({before_the_start, life.up});
  } else if (outages.empty() || outages.back().until != for_good ||
             life.up <= outages.back().from) {
    lines.refuse(fields[1].column, "up_at must be after the end of the peer's life before");
  } else {
    outages.back().until = life.up;
  }
  if (life.down != for_good) outages.push_back({life.down, for_good, how});
}

}  // namespace

std::map<PeerId, std::vector<Outage>> read_lifetime_file(const std::string& file,
                                                         std::uint32_t peers,
                                                         core::Fault::Kind how) {
  Lines lines(file);
  std::string_view line;
  if (!lines.next(line) || line != "peer,up_at,down_at")
    lines.refuse(1, "the first line must be \"peer,up_at,down_at\"");
  std::map<PeerId, std::vector<Outage>> known;
  std::vector<Field> fields;
  while (lines.next(line)) {
    if (line.empty()) continue;
    split(line, ',', fields);
    add_life(lines, fields, read_life(lines, fields, peers), known, how);
  }
  if (known.empty()) lines.refuse(1, "there are no lives in this file");
  return known;
}

}  // namespace rhizome::scenarios
