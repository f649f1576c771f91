// Computations that are child processes: how their ends are told, and that nothing of them is left.
#include "core/child/child.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "test/support/temporary_directory.hpp"

namespace rhizome::core::child_test {

using namespace std::chrono_literals;

namespace {

ChildOptions shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

Result result_of(ChildOptions options) {
  Result result;
  Child(std::move(options)).begin([&result](Result made) { result = std::move(made); });
  return result;
}

std::string text_in(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The process whose number the child has written into the file.
int process_in(const std::string& file) {
  for (int tries = 0; tries < 1000; ++tries, std::this_thread::sleep_for(5ms))
    if (const std::string text = text_in(file); text.ends_with('\n')) return std::stoi(text);
  return 0;
}

// Whether it is stopped within five seconds.
bool stops(int process) {
  const std::string status = "/proc/" + std::to_string(process) + "/stat";
  for (int tries = 0; tries < 1000; ++tries, std::this_thread::sleep_for(5ms))
    if (text_in(status).find(") T ") != std::string::npos) return true;
  return false;
}

bool lives(int process) { return process > 0 && kill(process, 0) == 0; }

// A child in a thread of its own, as a pool begins it.
class Begun {
 public:
  explicit Begun(ChildOptions options)
      : child_(std::move(options)), thread_([this] {
          child_.begin([this](Result made) {
            result_ = std::move(made);
            over_ = true;
          });
        }) {}
  ~Begun() {
    child_.cancel();
    if (thread_.joinable()) thread_.join();
  }
  Begun(const Begun&) = delete;
  Begun& operator=(const Begun&) = delete;

  [[nodiscard]] Child& child() { return child_; }
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] Result end() {
    thread_.join();
    return result_;
  }

 private:
  Child child_;
  Result result_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("a child is judged by the status it exits with") {
  CHECK(result_of(shell("exit 0")) == judged("exit status 0", true));
  CHECK(result_of(shell("exit 3")) == judged("exit status 3", false));
  ChildOptions wanted = shell("exit 3");
  wanted.status = 3;
  CHECK(result_of(wanted) == judged("exit status 3", true));
  CHECK(result_of(shell("kill -TERM $$")) == judged("killed by signal 15", false));
  CHECK(result_of({.words = {"/no/such/program"}}) ==
        judged("could not be started: No such file or directory", false));
}

TEST_CASE("a child reads its input, writes its output and gets its arguments as they are") {
  const test::TemporaryDirectory directory;
  const std::string input = directory.path() / "in";
  const std::string output = directory.path() / "out";
  std::ofstream(input) << "a line\n";
  ChildOptions options{.words = {"sh", "-c", "cat; printf %s \"$1\"", "sh", "two  words"},
                       .input = input,
                       .output = output};
  CHECK(result_of(options) == judged("exit status 0", true));
  CHECK(text_in(output) == "a line\ntwo  words");
  options.input = directory.path() / "missing";
  CHECK(result_of(options) == judged("could not be started: No such file or directory", false));
}

TEST_CASE("a child without links opens no file through one, whatever part of its name is a link") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path secret = folder.path() / "secret";
  std::ofstream(secret) << "kept";
  std::filesystem::create_symlink(secret, folder.path() / "input");
  std::filesystem::create_symlink(secret, folder.path() / "output");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "way");
  const auto ends = [&](const std::string& input, const std::string& output,
                        const std::string& directory, bool links) {
    return result_of({.words = {"true"},
                      .input = input.empty() ? "" : folder.path() / input,
                      .output = output,
                      .directory = folder.path() / directory,
                      .links = links})
        .verdict;
  };
  using Verdict = Result::Verdict;
  CHECK(ends("secret", "written", "", false) == Verdict::right);
  CHECK(ends("input", "", "", true) == Verdict::right);
  CHECK(ends("input", "", "", false) == Verdict::wrong);
  CHECK(ends("way/secret", "", "", false) == Verdict::wrong);
  CHECK(ends("", "output", "", false) == Verdict::wrong);
  CHECK(ends("", "way/written", "", false) == Verdict::wrong);
  CHECK(ends("", "written", "way", false) == Verdict::wrong);
  std::string text;
  std::getline(std::ifstream(secret), text);
  CHECK(text == "kept");
}

TEST_CASE("a child without links finds no program and no library in the folder it works in") {
  const std::map<std::string, std::pair<std::string, std::string>> lists{
      {"LD_LIBRARY_PATH", {":/opt/a:here:/opt/b;", "/opt/a:/opt/b"}}, {"PYTHONPATH", {"lib", ""}}};
  std::string script;
  for (const auto& [name, list] : lists) {
    setenv(name.c_str(), list.first.c_str(), 1);
    script += "test \"$" + name + "\" = '" + list.second + "' && ";
  }
  const std::string path = std::getenv("PATH");
  setenv("PATH", (":.:" + path).c_str(), 1);
  ChildOptions options = shell(script + "test \"$PATH\" = '" + path + "'");
  options.links = false;
  CHECK(result_of(options) == judged("exit status 0", true));
  options.links = true;
  CHECK(result_of(options) == judged("exit status 1", false));
  setenv("PATH", path.c_str(), 1);
  for (const auto& [name, list] : lists) unsetenv(name.c_str());
}

TEST_CASE("a child inherits the environment, but for the variable of the launcher") {
  setenv(launched_variable, "1,2,3,3", 1);
  setenv("RHIZOME_LAUNCHED_TOO", "of the user", 1);
  CHECK(result_of(shell("test -z \"$RHIZOME_LAUNCHED\" && test -n \"$RHIZOME_LAUNCHED_TOO\"")) ==
        judged("exit status 0", true));
  unsetenv(launched_variable);
  unsetenv("RHIZOME_LAUNCHED_TOO");
}

TEST_CASE("a child that takes longer than its time limit is killed, its descendants too") {
  const test::TemporaryDirectory directory;
  ChildOptions options = shell("sleep 100 & echo $!; wait");
  options.output = directory.path() / "out";
  options.time_limit = 300ms;
  const auto from = std::chrono::steady_clock::now();
  CHECK(result_of(options) == judged("killed after its time limit of 300 ms", false));
  CHECK(std::chrono::steady_clock::now() - from >= 300ms);
  CHECK_FALSE(lives(process_in(options.output)));
}

TEST_CASE("a child that has left its group is suspended, and held to its time limit") {
  const auto leaving = [](const std::string& then) {
    return shell("exec python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); " +
                 then + "'");
  };
  const test::TemporaryDirectory directory;
  ChildOptions options = leaving("print(os.getpid(), flush=True); time.sleep(0.5)");
  options.output = directory.path() / "out";
  Begun begun(options);
  const int child = process_in(options.output);
  begun.child().pace(0);
  CHECK(stops(child));
  begun.child().pace(1);
  CHECK(begun.end() == judged("exit status 0", true));
  ChildOptions longer = leaving("time.sleep(5); print(1)");
  longer.output = directory.path() / "late";
  longer.time_limit = 600ms;
  CHECK(result_of(longer) == judged("killed after its time limit of 600 ms", false));
  CHECK(text_in(longer.output).empty());
}

TEST_CASE("a child has no more memory than its limit") {
  ChildOptions options = shell("x=$(head -c 40000000 /dev/zero | tr '\\0' x) && exit 0 || exit 9");
  CHECK(result_of(options).verdict == Result::Verdict::right);
  options.memory = 30'000'000;
  CHECK(result_of(options).verdict == Result::Verdict::wrong);
}

TEST_CASE("nothing of a child is left when it has ended or is cancelled, in whatever group") {
  const test::TemporaryDirectory directory;
  ChildOptions options = shell("setsid sh -c 'echo $$; exec sleep 100' & sleep 0.3");
  options.output = directory.path() / "ended";
  CHECK(result_of(options).verdict == Result::Verdict::right);
  CHECK_FALSE(lives(process_in(options.output)));

  ChildOptions longer = shell("setsid sh -c 'echo $$; exec sleep 100' & wait");
  longer.output = directory.path() / "cancelled";
  Begun begun(longer);
  const int stray = process_in(longer.output);
  CHECK(lives(stray));
  begun.child().cancel();
  static_cast<void>(begun.end());
  CHECK_FALSE(lives(stray));
}

TEST_CASE("a child that is cancelled before it begins never does") {
  const test::TemporaryDirectory directory;
  ChildOptions options = shell("echo");
  options.output = directory.path() / "out";
  Child child(options);
  child.cancel();
  bool told = false;
  child.begin([&told](const Result&) { told = true; });
  CHECK(told);
  CHECK_FALSE(std::filesystem::exists(options.output));
}

TEST_CASE("a child that is suspended stands still, and its time limit with it") {
  ChildOptions options = shell("sleep 0.1; exit 0");
  options.time_limit = 1s;
  Begun begun(options);
  begun.child().pace(0);
  std::this_thread::sleep_for(1500ms);
  CHECK_FALSE(begun.over());
  begun.child().pace(1);
  CHECK(begun.end() == judged("exit status 0", true));
}

TEST_CASE("a child that is paced is given that share of the time") {
  ChildOptions options = shell("while :; do :; done");
  options.time_limit = 200ms;
  Child child(options);
  child.pace(0.25);
  const auto from = std::chrono::steady_clock::now();
  Result result;
  child.begin([&result](Result made) { result = std::move(made); });
  CHECK(result.value == "killed after its time limit of 200 ms");
  CHECK(std::chrono::steady_clock::now() - from >= 600ms);
}

TEST_CASE("a child knows no file of ours") {
  const test::TemporaryDirectory directory;
  const int ours = dup2(0, 100);  // stays open when another program begins
  ChildOptions options = shell("ls /proc/self/fd | wc -l");  // ls has opened that directory
  options.output = directory.path() / "out";
  CHECK(result_of(options).verdict == Result::Verdict::right);
  CHECK(process_in(options.output) == 4);
  close(ours);
}

TEST_CASE("a child whose warden is killed ends, and is told as wrong") {
  const test::TemporaryDirectory directory;
  ChildOptions options = shell("echo $PPID $$; exec sleep 100");
  options.output = directory.path() / "out";
  Begun begun(options);
  const int warden = process_in(options.output);
  const std::string text = text_in(options.output);
  const int child = std::stoi(text.substr(text.find(' ')));
  REQUIRE(lives(warden));
  kill(warden, SIGKILL);
  CHECK(begun.end() == judged("its warden was killed", false));
  for (int tries = 0; tries < 1000 && lives(child); ++tries) std::this_thread::sleep_for(5ms);
  CHECK_FALSE(lives(child));
}

// The warden, its second, and a process in a session of its own below the child.
struct Guarded {
  int warden = 0;
  int second = 0;
  int stray = 0;
};
Guarded guarded_in(const std::string& file) {
  Guarded found{.warden = process_in(file)};
  std::istringstream numbers(text_in(file));
  numbers >> found.warden >> found.stray;
  std::ifstream status("/proc/" + std::to_string(found.warden) + "/stat");
  std::string word;
  for (int field = 1; field <= 4; ++field) status >> word;
  found.second = std::stoi(word);
  return found;
}

TEST_CASE("nothing of a child is left when its warden is killed, or the second of that") {
  for (const bool second : {false, true}) {
    const test::TemporaryDirectory directory;
    ChildOptions options = shell("setsid sh -c 'echo '$PPID' $$; exec sleep 100' & wait");
    options.output = directory.path() / "out";
    Begun begun(options);
    const Guarded guarded = guarded_in(options.output);
    REQUIRE(lives(guarded.stray));
    kill(second ? guarded.second : guarded.warden, SIGKILL);
    CHECK(begun.end() == judged("its warden was killed", false));
    CHECK_FALSE(lives(guarded.stray));
    for (int tries = 0; tries < 1000 && lives(guarded.warden); ++tries)
      std::this_thread::sleep_for(5ms);
    CHECK_FALSE(lives(guarded.warden));
  }
}

TEST_CASE("a child that stops its warden is held to its time limit all the same") {
  ChildOptions options = shell("kill -STOP $PPID; exec sleep 100");
  options.time_limit = 300ms;
  CHECK(result_of(options) == judged("killed after its time limit of 300 ms", false));
}

// A child that attacks its wardens from a session of its own, where neither the end of the child
// nor of its group reaches it; `kill` is the command, which gets its own process number before or
// after the others.
ChildOptions attack_on_wardens(const std::string& before, const std::string& kill,
                               const std::string& after, const std::string& output) {
  ChildOptions options = shell("read -r _ _ _ second _ </proc/$PPID/stat; setsid sh -c '" + before +
                               kill + " '$PPID' '$second'; " + after + "exec sleep 100' & wait");
  options.output = output;
  return options;
}

TEST_CASE("nothing of a child is left that kills both of its wardens") {
  const test::TemporaryDirectory directory;
  Begun begun(attack_on_wardens("echo $$; ", "kill -KILL", "", directory.path() / "out"));
  CHECK(begun.end() == judged("its warden was killed", false));
  const int stray = process_in(directory.path() / "out");
  CHECK(stray > 0);
  CHECK_FALSE(lives(stray));
}

TEST_CASE("nothing of a child is left that stops both of its wardens, once it is cancelled") {
  const test::TemporaryDirectory directory;
  Begun begun(attack_on_wardens("", "kill -STOP", "echo $$; ", directory.path() / "out"));
  const int stray = process_in(directory.path() / "out");
  REQUIRE(lives(stray));
  const auto from = std::chrono::steady_clock::now();
  begun.child().cancel();
  static_cast<void>(begun.end());
  CHECK_FALSE(lives(stray));
  CHECK(std::chrono::steady_clock::now() - from < 20s);
}

// The other end of a named pipe never comes.
TEST_CASE("a child that waits for a pipe before it begins is ended as any other") {
  const test::TemporaryDirectory directory;
  const std::string pipe = directory.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  ChildOptions options = shell("exit 0");
  options.output = pipe;
  options.time_limit = 100ms;
  CHECK(result_of(options) == judged("killed after its time limit of 100 ms", false));
  options.time_limit = 0ms;
  Begun begun(options);
  std::this_thread::sleep_for(20ms);
  begun.child().cancel();
  const auto from = std::chrono::steady_clock::now();
  static_cast<void>(begun.end());
  CHECK(std::chrono::steady_clock::now() - from < 4s);  // by its warden, and not by us after 5 s
}

TEST_CASE("a child works in its directory, and leaves its output there; input is named by us") {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "own");
  std::ofstream(directory.path() / "in") << "a line\n";
  ChildOptions options = shell("pwd -P; cat");
  options.input = directory.path() / "in";
  options.directory = directory.path() / "own";
  options.output = "out";
  CHECK(result_of(options) == judged("exit status 0", true));
  CHECK(text_in(directory.path() / "own" / "out") ==
        std::filesystem::canonical(options.directory).string() + "\na line\n");
  options.directory = directory.path() / "none";
  CHECK(result_of(options) == judged("could not be started: No such file or directory", false));
}

}  // namespace rhizome::core::child_test
