#include "scenarios/world/faults/lifetimes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

using core::PeerId;
using core::Time;

// A row of the file, with its position.
struct Life {
  PeerId peer;
  double up = 0;  // seconds
  std::optional<double> down{};
  std::size_t line = 0;
  std::size_t column = 0;  // of up_at
};

// More than any time since 1970.
constexpr double latest = 1e12;

Life read_life(const Lines& lines, const std::vector<Field>& fields, std::uint32_t peers) {
  expect_fields(lines, fields, 3, "a life");
  const std::int64_t peer = integer_field(lines, fields[0], "peer");
  if (peer < 0 || peer >= peers)
    lines.refuse(fields[0].column, "there is no peer " + std::to_string(peer) +
                                       ": they count from 0 to " + std::to_string(peers - 1));
  Life life{.peer = PeerId{static_cast<std::uint32_t>(peer)},
            .up = bounded_field(lines, fields[1], "up_at", latest),
            .line = lines.number(),
            .column = fields[1].column};
  if (!fields[2].text.empty()) life.down = bounded_field(lines, fields[2], "down_at", latest);
  if (life.down && *life.down <= life.up)
    lines.refuse(fields[2].column, "down_at must be after up_at");
  return life;
}

std::vector<Life> read_lives(Lines& lines, std::uint32_t peers) {
  std::vector<Life> lives;
  std::vector<Field> fields;
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    if (lives.size() == most_lives)
      lines.refuse(1, "there are more than " + std::to_string(most_lives) + " lives in this file");
    split(line, ',', fields);
    lives.push_back(read_life(lines, fields, peers));
  }
  if (lives.empty()) lines.refuse(1, "there are no lives in this file");
  return lives;
}

// Makes times since 1970 relative to the first of them.
void begin_at_first(std::vector<Life>& lives) {
  double first = latest;
  for (const Life& life : lives) first = std::min(first, life.up);
  if (first <= longest_seconds) return;
  for (Life& life : lives) {
    life.up -= first;
    if (life.down) *life.down -= first;
  }
}

void check_length(const std::string& file, const Life& life) {
  if (std::max(life.up, life.down.value_or(0)) > longest_seconds)
    throw InputError(file, life.line, life.column,
                     "this life reaches further than 1e9 s from the first");
}

// Sorts by peer and time; a life that begins when the one before ends continues it.
void order(const std::string& file, std::vector<Life>& lives) {
  std::ranges::stable_sort(lives, [](const Life& a, const Life& b) {
    return std::pair(a.peer, a.up) < std::pair(b.peer, b.up);
  });
  std::vector<Life> joined;
  for (const Life& life : lives) {
    const bool follows = !joined.empty() && joined.back().peer == life.peer;
    if (follows && (!joined.back().down || life.up < *joined.back().down))
      throw InputError(file, life.line, life.column,
                       "up_at must not be before the end of the peer's other life, line " +
                           std::to_string(joined.back().line));
    if (follows && life.up == *joined.back().down) {
      joined.back().down = life.down;
    } else {
      joined.push_back(life);
    }
  }
  lives = std::move(joined);
}

// The last outage of a peer is open until a next life begins.
void add_life(const Life& life, std::map<PeerId, std::vector<Outage>>& known,
              core::Fault::Kind how) {
  const Time up = Time{} + core::from_seconds(life.up);
  const auto [found, first] = known.try_emplace(life.peer);
  std::vector<Outage>& outages = found->second;
  if (!first) {
    outages.back().until = up;
  } else if (up > Time{}) {
    outages.push_back({before_the_start, up});
  }
  if (life.down) outages.push_back({Time{} + core::from_seconds(*life.down), for_good, how});
}

}  // namespace

std::map<PeerId, std::vector<Outage>> read_lifetime_file(const std::string& file,
                                                         std::uint32_t peers,
                                                         core::Fault::Kind how) {
  Lines lines(file);
  std::string_view line;
  if (!lines.next(line) || line != "peer,up_at,down_at")
    lines.refuse(1, "the first line must be \"peer,up_at,down_at\"");
  std::vector<Life> lives = read_lives(lines, peers);
  begin_at_first(lives);
  order(file, lives);
  std::map<PeerId, std::vector<Outage>> known;
  for (const Life& life : lives) {
    check_length(file, life);
    add_life(life, known, how);
  }
  return known;
}

}  // namespace rhizome::scenarios
