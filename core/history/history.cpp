#include "core/history/history.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "core/child/links.hpp"
#include "core/history/file_content.hpp"
#include "core/history/print.hpp"

namespace rhizome::core {

using detail::PieceKind;

namespace {

namespace fs = std::filesystem;

struct Piece {
  PieceKind kind{};
  std::uint32_t host = 0;
  std::span<const std::byte> bytes{};
};

// Reads a file from its beginning, and reports errors in it.
class Pieces {
 public:
  Pieces(std::string name, std::span<const std::byte> bytes)
      : name_(std::move(name)), rest_(bytes) {
    check_magic();
    const auto version = static_cast<std::uint32_t>(number(4));
    if (version != history_version)
      refuse(fmt::format("is a history of version {}, and this program reads version {}", version,
                         history_version));
  }

  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  Piece take() {
    if (rest_.size() < detail::piece_head_bytes) refuse_cut();
    const std::uint64_t kind = number(1);
    const auto host = static_cast<std::uint32_t>(number(4));
    const std::uint64_t size = number(4);
    const std::uint64_t print = number(8);
    if (kind > static_cast<std::uint64_t>(PieceKind::last)) refuse_damaged();
    if (size > rest_.size()) refuse_cut();
    const Piece piece{static_cast<PieceKind>(kind), host, rest_.first(size)};
    rest_ = rest_.subspan(size);
    if (print_of(kind, host, piece.bytes) != print) refuse_damaged();
    return piece;
  }
  // The content of the piece.
  template <class T>
  T read(const Piece& piece) const {
    T value{};
    Tokens tokens;
    if (decode(piece.bytes, value, tokens, no_limits) != DecodeError::none) refuse_damaged();
    return value;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw UnreadableHistory(name_ + " " + why);
  }
  [[noreturn]] void refuse_damaged() const { refuse("is damaged"); }
  [[noreturn]] void refuse_cut() const {
    refuse("has no end: the run was broken off while it was written, or it has been cut");
  }

 private:
  void check_magic() {
    const auto magic = std::as_bytes(std::span(detail::history_magic));
    if (rest_.size() < magic.size() + 4 || !std::equal(magic.begin(), magic.end(), rest_.begin()))
      refuse("is no history of a run");
    rest_ = rest_.subspan(magic.size());
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value |= std::to_integer<std::uint64_t>(rest_[i]) << (8 * i);
    rest_ = rest_.subspan(bytes);
    return value;
  }

  const std::string name_;
  std::span<const std::byte> rest_;
};

// Reads the file, but at most so many bytes of it.
Bytes bytes_of(const fs::path& file, std::uintmax_t most) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  // A pipe has no size, and would hold up who opens it.
  if (error) throw UnreadableHistory(file.string() + " cannot be read");
  if (std::min(size, most) > content_of(file))
    throw UnreadableHistory(file.string() + " is longer than what it holds: it is no history");
  const Opened opened(file, O_RDONLY | O_NONBLOCK);  // by now a pipe may have the name
  if (!opened.is(S_IFREG)) throw UnreadableHistory(file.string() + " cannot be read");
  std::ifstream in(opened.path(), std::ios::binary);
  if (!in) throw UnreadableHistory(file.string() + " cannot be read");
  Bytes bytes(std::min(size, most));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw UnreadableHistory(file.string() + " cannot be read");
  return bytes;
}

HistoryHeading heading_of(Pieces& pieces) {
  const Piece first = pieces.take();
  if (first.kind != PieceKind::heading) pieces.refuse_damaged();
  return pieces.read<HistoryHeading>(first);
}

// A run has peers, and each has begun, which takes more than a byte of its track; the number in the
// file is not trusted.
void check_peers(const Pieces& pieces, std::uint32_t peers) {
  if (peers == 0 || peers > pieces.left()) pieces.refuse_damaged();
}

}  // namespace

History read_history(const fs::path& file) {
  const Bytes bytes = bytes_of(file, std::numeric_limits<std::uintmax_t>::max());
  Pieces pieces(file.string(), bytes);
  History history{.heading = heading_of(pieces), .tracks = {}, .end = {}};
  check_peers(pieces, history.heading.peers);
  history.tracks.resize(history.heading.peers);
  for (;;) {
    const Piece piece = pieces.take();
    if (piece.kind == PieceKind::end) {
      history.end = pieces.read<HistoryEnd>(piece);
      break;
    }
    if (piece.kind != PieceKind::track || piece.host >= history.tracks.size())
      pieces.refuse_damaged();
    Bytes& track = history.tracks[piece.host];
    track.insert(track.end(), piece.bytes.begin(), piece.bytes.end());
  }
  if (pieces.left() > 0) pieces.refuse_damaged();
  return history;
}

HistoryHeading read_heading(const fs::path& file) {
  constexpr std::uintmax_t enough = std::uintmax_t{1} << 16U;
  const Bytes bytes = bytes_of(file, enough);
  Pieces pieces(file.string(), bytes);
  return heading_of(pieces);
}

}  // namespace rhizome::core
