#include "core/history/history_writer.hpp"

#include <stdexcept>

#include "core/child/links.hpp"
#include "core/history/print.hpp"

namespace rhizome::core {

using detail::PieceKind;

namespace {

// The lowest byte first, whatever the machine.
void append(std::string& to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i, value >>= 8U)
    to.push_back(static_cast<char>(value & 0xffU));
}

// Through no link of another user, who may have put one there, or in the place of a folder, by now.
// Not open where it cannot be opened.
std::ofstream opened(const std::filesystem::path& file) try {
  const std::filesystem::path place = led_to(file);
  const Opened there(open_without_links(AT_FDCWD, place.c_str(), O_WRONLY | O_CREAT | O_TRUNC));
  return there ? std::ofstream(there.path(), std::ios::binary) : std::ofstream();
} catch (const StrangeLink&) {
  return {};
}

}  // namespace

HistoryWriter::HistoryWriter(std::filesystem::path file, const HistoryHeading& heading)
    : file_(std::move(file)), out_(opened(file_)) {
  std::string begin(detail::history_magic);
  append(begin, history_version, sizeof(history_version));
  out_ << begin;
  Piece first{.kind = PieceKind::heading};
  encode(heading, first.bytes);
  write(first);
  if (!out_.flush()) throw std::runtime_error(file_.string() + " cannot be written");
  thread_ = std::thread([this] { write_on(); });
}

HistoryWriter::~HistoryWriter() { stop(); }

void HistoryWriter::add(PeerId host, Bytes entries) {
  put({PieceKind::track, host, std::move(entries)});
}

void HistoryWriter::end(const HistoryEnd& end) {
  Piece last{.kind = PieceKind::end};
  encode(end, last.bytes);
  put(std::move(last));
  stop();
  if (!out_.flush()) failure_ = file_.string() + " could not be written to its end";
}

void HistoryWriter::put(Piece piece) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(piece));
  changed_.notify_one();
}

void HistoryWriter::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void HistoryWriter::write_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Piece piece = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    write(piece);
    lock.lock();
  }
}

void HistoryWriter::write(const Piece& piece) {
  std::string head;
  append(head, static_cast<std::uint64_t>(piece.kind), 1);
  append(head, piece.host.value, 4);
  append(head, piece.bytes.size(), 4);
  append(head, print_of(static_cast<std::uint64_t>(piece.kind), piece.host.value, piece.bytes), 8);
  out_ << head;
  out_.write(reinterpret_cast<const char*>(piece.bytes.data()),
             static_cast<std::streamsize>(piece.bytes.size()));
}

}  // namespace rhizome::core
