#include "test/hostile/attempt.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

namespace rhizome::test {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds patience{3000};         // with a command that is at work
constexpr milliseconds last_patience{20'000};  // after a request to end, on a busy machine

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void connect(int stream, Attempt::Stream where, const char* kept) {
  close(stream);
  if (where == Attempt::Stream::closed) return;
  const char* file = where == Attempt::Stream::full ? "/dev/full" : kept;
  const int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened != stream) {
    dup2(opened, stream);
    close(opened);
  }
}

// Prepared before the fork, after which no memory may be allocated.
struct Prepared {
  std::vector<char*> words;
  std::vector<char*> environment;
  std::string directory;
  std::string output;
  std::string errors;
};

// Signals that the caller of the test ignores, as nohup does, would be ignored by the command, too.
void heed_signals() {
  for (const int number : {SIGHUP, SIGINT, SIGTERM, SIGXFSZ}) std::signal(number, SIG_DFL);
}

[[noreturn]] void become(const Attempt& attempt, const Prepared& prepared) {
  heed_signals();
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
  connect(STDOUT_FILENO, attempt.output, prepared.output.c_str());
  connect(STDERR_FILENO, attempt.errors, prepared.errors.c_str());
  const bool there = chdir(prepared.directory.c_str()) == 0;
  for (const auto& [resource, most] : attempt.limits) {
    const rlimit limit{most, most};
    setrlimit(static_cast<__rlimit_resource>(resource), &limit);
  }
  if (there) execve(prepared.words.front(), prepared.words.data(), prepared.environment.data());
  _exit(127);
}

// Waits that long; nothing if the command is still there.
std::optional<int> wait_for(pid_t child, milliseconds longest) {
  const auto until = Clock::now() + longest;
  for (milliseconds nap{1};; nap = std::min(nap * 2, milliseconds(50))) {
    int state = 0;
    if (waitpid(child, &state, WNOHANG) == child) return state;
    if (Clock::now() >= until) return {};
    std::this_thread::sleep_for(nap);
  }
}

int wait_for_end(pid_t child, const Attempt& attempt, End& end) {
  const Attempt::Signal signal = attempt.signal.value_or(Attempt::Signal{SIGINT, patience});
  if (const auto state = wait_for(child, signal.after)) return *state;
  end.sent = true;
  kill(child, signal.number);
  if (const auto state = wait_for(child, last_patience)) return *state;
  end.stubborn = true;
  kill(child, SIGKILL);
  int state = 0;
  waitpid(child, &state, 0);
  return state;
}

}  // namespace

End carry_out(const Attempt& attempt, const std::filesystem::path& directory) {
  const std::filesystem::path work = directory / "work";
  std::filesystem::create_directories(work);
  for (const auto& [name, text] : attempt.files) {
    std::filesystem::create_directories((work / name).parent_path());
    std::ofstream(work / name, std::ios::binary) << text;
  }
  std::vector<std::string> words{RHIZOME_COMMAND};
  words.insert(words.end(), attempt.words.begin(), attempt.words.end());
  std::vector<std::string> settings;
  for (char** entry = environ; *entry != nullptr; ++entry) settings.emplace_back(*entry);
  for (const auto& [name, value] : attempt.settings) settings.push_back(name + "=" + value);
  Prepared prepared{.words = {},
                    .environment = {},
                    .directory = work.string(),
                    .output = (directory / "output").string(),
                    .errors = (directory / "errors").string()};
  for (std::string& word : words) prepared.words.push_back(word.data());
  for (std::string& setting : settings) prepared.environment.push_back(setting.data());
  prepared.words.push_back(nullptr);
  prepared.environment.push_back(nullptr);

  End end;
  const pid_t child = fork();
  if (child == 0) become(attempt, prepared);
  const int state = wait_for_end(child, attempt, end);
  if (WIFEXITED(state)) end.status = WEXITSTATUS(state);
  if (WIFSIGNALED(state)) end.killed_by = WTERMSIG(state);
  end.output = content(prepared.output);
  end.errors = content(prepared.errors);
  return end;
}

std::string text_of(const Attempt& attempt) {
  std::string text;
  for (const auto& [name, value] : attempt.settings) text += name + "='" + value + "' ";
  text += "rhizome";
  for (const std::string& word : attempt.words) text += " '" + word + "'";
  for (const auto& [resource, most] : attempt.limits)
    text += "\nlimit " + std::to_string(resource) + " at " + std::to_string(most);
  if (attempt.signal)
    text += "\nsignal " + std::to_string(attempt.signal->number) + " after " +
            std::to_string(attempt.signal->after.count()) + " ms";
  for (const auto& [name, content] : attempt.files)
    text += "\n--- " + name + ":\n" + content.substr(0, 2000);
  return text;
}

}  // namespace rhizome::test
