// A computation that is a child process. Its own warden (warden.cpp) watches it, and kills it with
// all its descendants once no process holds the other end of the warden's line. So no process is
// left when the computation is cancelled, nor when this process or the warden is killed at any
// moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "core/peer/time.hpp"
#include "core/work/computation.hpp"

namespace rhizome::core {

// The environment variable by which a launcher tells a process its rank. Children of tasks do not
// inherit it.
inline constexpr const char* launched_variable = "RHIZOME_LAUNCHED";

struct ChildOptions {
  std::vector<std::string> words{};  // the program, as for execvp, and its arguments
  std::string input{};               // a file, its standard input; "": it reads nothing
  std::string output{};              // a file, its standard output; "": it goes nowhere
  std::string directory{};           // where the child works, and its output is sought; "": ours
  // false: these lead through no link, not even this user's, and no other user can exchange the
  // program when it is begun
  bool links = true;
  Duration time_limit{0};    // it is killed after so much, suspended time aside; 0: never
  std::uint64_t memory = 0;  // bytes of address space that it may have; 0: any
  std::uint32_t status = 0;  // the right exit status
};

// Its result says how it ended: "exit status 3", "killed by signal 11". Throws std::runtime_error
// from begin() where there is no warden, or the system refuses another process.
class Child final : public Computation {
 public:
  explicit Child(ChildOptions options) : options_(std::move(options)) {}
  // Begun in a thread that waits for its end: `done` is called before this returns.
  void begin(Done done) override;
  void pace(double rate) override;
  void cancel() override;

 private:
  // The warden's number; nothing where it is not wanted any more.
  [[nodiscard]] int start();
  [[nodiscard]] std::string await(int warden);
  void tell_rate() const;

  const ChildOptions options_;
  std::mutex mutex_;
  int line_ = -1;  // to the warden
  double rate_ = 1;
  bool cancelled_ = false;
};

}  // namespace rhizome::core
