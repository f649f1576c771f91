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
  // Throws std::runtime_error where the file cannot be made; one of that name is replaced.
  HistoryWriter(std::filesystem::path file, const HistoryHeading& heading);
  // One that has no end is no history, and its reader says so.
  ~HistoryWriter();
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;

  // From any thread: what a host's history goes on with.
  void add(PeerId host, Bytes entries);
  // After all that, once; waits until it is written.
  void end(const HistoryEnd& end);

  // Once it has ended: why it is not whole, in a sentence; empty where it is.
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
