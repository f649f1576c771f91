#include "core/child/search_path.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

namespace rhizome::search_path_test {

namespace {

// What an action tells in a process of its own, since an environment is that of a process.
std::string told_elsewhere(const std::function<std::string()>& action) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = action();
    const bool told = write(ends[1], text.data(), text.size()) >= 0;
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t size = read(ends[0], text.data(), text.size());
  close(ends[0]);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  REQUIRE(size >= 0);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

// What a variable of that value is afterwards; "none": not set.
std::string made_of(const std::string& name, const std::string& value,
                    void (*action)() = core::look_elsewhere_than_here) {
  return told_elsewhere([&] {
    setenv(name.c_str(), value.c_str(), 1);
    action();
    const char* const kept = std::getenv(name.c_str());
    return std::string(kept == nullptr ? "none" : kept);
  });
}

}  // namespace

TEST_CASE("programs are not looked for in the folder in which one works") {
  const auto path = [](const std::string& words) {
    return made_of("PATH", words, core::leave_out_relative_path);
  };
  CHECK(path("/usr/bin:.:/bin") == "/usr/bin:/bin");
  CHECK(path(":/opt/My Tools/bin::../bin:") == "/opt/My Tools/bin");
  CHECK(path(".:") == "/bin:/usr/bin");
  CHECK(made_of("PATH", "/usr/bin:.") == "/usr/bin");
  CHECK(made_of("PATH", "") == "/bin:/usr/bin");
}

TEST_CASE("known lists keep their absolute words") {
  CHECK(made_of("PERL5LIB", "lib:/usr/lib:") == "/usr/lib");
  CHECK(made_of("LD_LIBRARY_PATH", "/a;b:/c") == "/a:/c");
  CHECK(made_of("LD_PRELOAD", "libm.so here/libx.so") == "libm.so");
  CHECK(made_of("R_ENVIRON", "site") == "none");
}

TEST_CASE("lists whose words blanks and other signs separate go if a word is relative") {
  for (const char* const name : {"TCLLIBPATH", "JULIA_LOAD_PATH", "MAKEFILES"}) {
    CHECK(made_of(name, "/a/b") == "/a/b");
    CHECK(made_of(name, "/a:/b;/c /d") == "/a:/b;/c /d");
    for (const char* const relative :
         {"", ".", "/a:", "/a:b", "@:/a", "/a;b", ". /a", "/a .", "/a\n."})
      CHECK(made_of(name, relative) == "none");
  }
  CHECK(made_of("JULIA_PROJECT", "@.") == "none");
  CHECK(made_of("PERL_USE_UNSAFE_INC", "1") == "none");
}

TEST_CASE("a list without which a program looks here names a folder that is not there") {
  for (const char* const name :
       {"AWKPATH", "BASH_LOADABLES_PATH", "CLASSPATH", "R_ENVIRON_USER", "R_PROFILE_USER"}) {
    CHECK(made_of(name, "") == "/nonexistent");
    CHECK(made_of(name, "../lib") == "/nonexistent");
  }
  CHECK(made_of("AWKPATH", "/a:.") == "/a");
}

TEST_CASE("a variable of one place keeps it whole if it is absolute") {
  CHECK(made_of("BASH_ENV", "/run:5/env.sh") == "/run:5/env.sh");
  CHECK(made_of("BASH_ENV", "run/env.sh") == "none");
  CHECK(made_of("ZDOTDIR", "") == "none");
  for (const char* const put_into_a_list : {"GIT_EXEC_PATH", "PHPRC"})
    CHECK(made_of(put_into_a_list, "/a:.") == "/a");
}

TEST_CASE("a variable that stands twice in the environment is cleaned of both values") {
  const std::string kept = told_elsewhere([] {
    static char first[] = "PATH=/usr/bin";
    static char second[] = "PATH=.:/bin";
    static char* both[] = {first, second, nullptr};
    environ = both;
    core::leave_out_relative_path();
    std::string all;
    for (char** one = environ; *one != nullptr; ++one) all += std::string(*one) + "\n";
    return all;
  });
  CHECK(kept == "PATH=/usr/bin\n");
}

TEST_CASE("variables that are no lists stay") {
  for (const char* const name : {"PYTHONSAFEPATH", "OMP_NUM_THREADS", "LUA_PATH", "MY_PATH", "ENV"})
    CHECK(made_of(name, "1") == "1");
}

}  // namespace rhizome::search_path_test
