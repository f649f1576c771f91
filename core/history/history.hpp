// A history: all events of a run on threads, host by host, with the time of each, in a file of its
// own. With the scenario it is enough to do the run again exactly, in virtual time.
//
// The file: sixteen bytes of magic, the version, and then pieces, each with its kind, its host, its
// length and a fingerprint. The first is the heading, the last the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/history/ending.hpp"
#include "core/history/fidelity.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// Another one is refused.
inline constexpr std::uint32_t history_version = 1;

// The identity of the run, in the words of the caller that began it.
struct HistoryHeading {
  std::string scenario{};
  std::string scheduler{};  // by its label
  std::uint32_t repetition = 0;
  std::uint64_t seed = 0;
  std::uint32_t peers = 0;
  std::string program{};  // what tells it from another
};

// How the run ended, and how late its threads were, which no replay can reproduce.
struct HistoryEnd {
  Ending ending = Ending::limit;
  Time ended{};
  Fidelity fidelity{};
  std::chrono::nanoseconds wall{0};
  std::string failure{};  // why the run could not go on; empty: it could
};

struct History {
  HistoryHeading heading;
  std::vector<Bytes> tracks;  // by host: its entries
  HistoryEnd end;
};

// Why a file is no history that this program can read, in a sentence that begins with its name.
class UnreadableHistory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws UnreadableHistory for a file that is missing, foreign, of another version, damaged, or
// incomplete.
[[nodiscard]] History read_history(const std::filesystem::path& file);
// The heading alone, and whether the version is this one's.
[[nodiscard]] HistoryHeading read_heading(const std::filesystem::path& file);

namespace detail {

// The letters with which it begins.
inline constexpr std::string_view history_magic = "rhizome history\n";
enum class PieceKind : std::uint8_t { heading, track, end, last = end };
// Before the bytes of each piece: its kind, host, length and fingerprint.
inline constexpr std::size_t piece_head_bytes = 1 + 4 + 4 + 8;

}  // namespace detail

}  // namespace rhizome::core
