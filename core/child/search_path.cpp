#include "core/child/search_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::core {

namespace {

// Their words stand between colons.
constexpr std::array lists_of_folders{"PATH",
                                      "LD_LIBRARY_PATH",
                                      "PYTHONPATH",
                                      "PYTHONHOME",
                                      "PYTHONUSERBASE",
                                      "PYTHONPYCACHEPREFIX",
                                      "PYTHONSTARTUP",
                                      "PERL5LIB",
                                      "PERLLIB",
                                      "RUBYLIB",
                                      "GEM_HOME",
                                      "NODE_PATH",
                                      "CLASSPATH",
                                      "R_LIBS",
                                      "R_LIBS_USER",
                                      "R_LIBS_SITE",
                                      "R_PROFILE",
                                      "R_PROFILE_USER",
                                      "R_ENVIRON",
                                      "R_ENVIRON_USER",
                                      "AWKPATH",
                                      "AWKLIBPATH",
                                      "OCTAVE_PATH",
                                      "GUILE_LOAD_PATH",
                                      "GI_TYPELIB_PATH",
                                      "GIO_EXTRA_MODULES",
                                      "GIO_MODULE_DIR",
                                      "HDF5_PLUGIN_PATH",
                                      "PHPRC",
                                      "PHP_INI_SCAN_DIR",
                                      "ZDOTDIR",
                                      "FPATH",
                                      "GCC_EXEC_PREFIX",
                                      "COMPILER_PATH",
                                      "LIBRARY_PATH",
                                      "CPATH",
                                      "C_INCLUDE_PATH",
                                      "CPLUS_INCLUDE_PATH",
                                      "OBJC_INCLUDE_PATH",
                                      "GCONV_PATH",
                                      "OPENSSL_CONF",
                                      "OPENSSL_ENGINES",
                                      "OPENSSL_MODULES",
                                      "BASH_ENV",
                                      "ENV"};

void set_or_unset(const char* variable, const std::string& words) {
  words.empty() ? unsetenv(variable) : setenv(variable, words.c_str(), 1);
}

// Keeps of a list the words that mean the same in every folder.
void leave_out_what_is_relative(const char* variable, bool names_too = false) {
  const char* const list = std::getenv(variable);
  if (list == nullptr) return;
  std::string words = list;
  if (std::string_view(variable) == "LD_LIBRARY_PATH") std::ranges::replace(words, ';', ':');
  if (names_too) std::ranges::replace(words, ' ', ':');
  std::istringstream in(words);
  std::string kept;
  for (std::string word; std::getline(in, word, ':');)
    if (word.starts_with('/') ||
        (names_too && !word.empty() && word.find('/') == std::string::npos))
      kept += (kept.empty() ? "" : ":") + word;
  set_or_unset(variable, kept);
}

bool is_called_as_list(std::string_view variable) {
  return std::ranges::any_of(std::array{"PATH", "LIB", "LIBS", "MAKEFILES", "JULIA_PROJECT"},
                             [&](std::string_view end) { return variable.ends_with(end); });
}

bool is_relative_somewhere(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return c == ';' || c == ' ' || c == '\t'; }, ':');
  char before = ':';
  for (const char c : words) {
    if (before == ':' && c != '/') return true;
    before = c;
  }
  return before == ':';  // an empty word at the end, or alone
}

}  // namespace

void leave_out_relative_path() {
  leave_out_what_is_relative("PATH");
  if (std::getenv("PATH") == nullptr) setenv("PATH", "/bin:/usr/bin", 1);
}

void look_elsewhere_than_here() {
  for (const char* const list : lists_of_folders) leave_out_what_is_relative(list);
  leave_out_relative_path();
  for (const char* list : {"LD_PRELOAD", "LD_AUDIT"}) leave_out_what_is_relative(list, true);
  unsetenv("PERL_USE_UNSAFE_INC");  // perl looks in the folder in which it works
  std::vector<std::string> others;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (is_called_as_list(name) &&
        std::ranges::find(lists_of_folders, name) == lists_of_folders.end() &&
        is_relative_somewhere(std::string(text.substr(std::min(name.size() + 1, text.size())))))
      others.push_back(name);
  }
  for (const std::string& name : others) unsetenv(name.c_str());
}

}  // namespace rhizome::core
