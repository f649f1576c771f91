// A child process that speaks in lines: text goes to its standard input, and lines come from its
// standard output. A warden watches it (warden.cpp), so that nothing of it is left when the
// dialogue ends or when this process is killed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::core {

struct DialogueOptions {
  std::vector<std::string> words{};  // the program, as for execvp, and its arguments
  std::string directory{};           // where the child works; "": ours
  // A file that the standard error of the program is appended to, up to 1 MiB for each child; "":
  // none. It is made, with its directory, at the first output.
  std::string log{};
  std::size_t longest_line = 1U << 20U;  // bytes; a longer line ends the dialogue
};

// The child ended, closed its output, or said a line that is too long. The text says which, and
// ends with the last that the child wrote to standard error.
class DialogueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The exchange was hung up: the child is not to blame.
class HungUp : public DialogueError {
 public:
  HungUp() : DialogueError("the run was stopped before it answered") {}
};

class Dialogue {
 public:
  // Begins the program. Throws std::runtime_error where the system refuses another process.
  explicit Dialogue(const DialogueOptions& options);
  // Ends the child with all its descendants.
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  // Several peers may share one child: an exchange of lines holds this.
  [[nodiscard]] std::mutex& turn() { return turn_; }

  // Writes all of the text, and reads the child's output meanwhile, so that neither waits for ever.
  // Throws DialogueError if the child reads nothing for `patience`, in real time.
  void send(std::string_view text, Duration patience);
  // The next line without its end; nothing where none comes within `patience`, in real time. It is
  // valid until the next call.
  [[nodiscard]] std::optional<std::string_view> line(Duration patience);
  // Whether the child has said more than was read, as far as has been heard.
  [[nodiscard]] bool has_more() const { return first_ < heard_.size(); }
  // All exchanges end by HungUp, also one that waits. May be called from any thread.
  void hang_up() { hung_up_ = true; }
  // How many lines were read.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  void start(const DialogueOptions& options);
  void log(std::string_view text);
  // Waits a while for the child to speak, or to listen where `listening`; false: nothing came, and
  // there is no more patience.
  bool await(bool listening, Duration patience);
  // Reads the available output.
  void take();
  void take_errors();
  [[nodiscard]] std::string how_it_ended();
  void close_all();

  std::mutex turn_;
  std::atomic<bool> hung_up_{false};
  const std::size_t longest_line_;
  int line_ = -1;    // to the warden
  int input_ = -1;   // of the child
  int output_ = -1;  // of the child
  int errors_ = -1;  // of the child
  int warden_ = 0;
  std::string heard_{};  // from first_ on not given out yet
  std::size_t first_ = 0;
  std::size_t searched_ = 0;  // from first_ to here there is no end of a line
  std::string last_errors_{};
  std::string log_file_{};
  std::ofstream log_{};
  std::size_t logged_ = 0;  // bytes
  std::uint64_t lines_ = 0;
  bool closed_ = false;  // its output
};

// The programs of a run, of which each may serve several peers: the first peer that asks for one
// begins it, and it ends with the last peer that has it.
// May be used from several threads.
class Dialogues {
 public:
  // `log` is a directory, in which each has a file.
  explicit Dialogues(DialogueOptions options) : options_(std::move(options)) {}

  // Calls `begin`, which begins a program and waits until it is ready. Few do so at a time: each
  // has processors for itself, and is not taken for one that hangs. Once one has thrown, all others
  // throw the same.
  template <class F>
  auto start(F&& begin) {
    const Place place(places_);
    if (const std::string why = trouble(); !why.empty()) throw DialogueError(why);
    try {
      return begin();
    } catch (const std::runtime_error& error) {
      fail(error.what());
      throw;
    }
  }

  // Ends all exchanges by HungUp, and lets no program start.
  void hang_up() {
    fail("the run was stopped before it began");
    const std::scoped_lock lock(mutex_);
    for (const auto& known : running_)
      if (const auto running = known.second.lock()) running->hang_up();
  }

  // The program of that number, with the file of that name. Throws std::runtime_error where it
  // cannot be begun.
  [[nodiscard]] std::shared_ptr<Dialogue> of(std::size_t number, const std::string& log) {
    const std::scoped_lock lock(mutex_);
    std::weak_ptr<Dialogue>& known = running_[number];
    std::shared_ptr<Dialogue> found = known.lock();
    if (!found) {
      DialogueOptions options = options_;
      if (!options.log.empty()) options.log += "/" + log;
      known = found = std::make_shared<Dialogue>(options);
    }
    return found;
  }

 private:
  using Places = std::counting_semaphore<>;
  class Place {
   public:
    explicit Place(Places& places) : places_(places) { places_.acquire(); }
    ~Place() { places_.release(); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Places& places_;
  };

  [[nodiscard]] std::string trouble() {
    const std::scoped_lock lock(mutex_);
    return trouble_;
  }
  void fail(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    if (trouble_.empty()) trouble_ = why;
  }

  const DialogueOptions options_;
  Places places_{2 * std::max(1U, std::thread::hardware_concurrency())};
  std::mutex mutex_;
  std::string trouble_{};
  std::map<std::size_t, std::weak_ptr<Dialogue>> running_;
};

}  // namespace rhizome::core
