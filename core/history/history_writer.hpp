// Writes a history to its file while the run goes on, in a thread of its own: no peer waits for a
// disk.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "core/history/history.hpp"

namespace rhizome::core {

class HistoryWriter {
 public:
  // Throws std::runtime_error if the file cannot be made; replaces an existing one.
  HistoryWriter(std::filesystem::path file, const HistoryHeading& heading);
  // A history without an end is refused by its reader.
  ~HistoryWriter();
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;

  // Appends entries to a host's history. May be called from any thread.
  void add(PeerId host, Bytes entries);
  // Ends the history, once; waits until it is written.
  void end(const HistoryEnd& end);

  // After the end: a sentence that tells why the history is incomplete; empty if it is complete.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  struct Piece {
    detail::PieceKind kind{};
    PeerId host{};
    Bytes bytes{};
  };

  void write_on();
  void write(const Piece& piece);
  void put(Piece piece);
  void stop();

  const std::filesystem::path file_;
  std::ofstream out_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  bool stopping_ = false;
  std::string failure_;
  std::thread thread_;
};

}  // namespace rhizome::core
