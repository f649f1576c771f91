#include "core/child/search_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace rhizome::core {

namespace {

// Their words stand between colons.
constexpr std::array lists_of_folders{"PATH",
                                      "LD_LIBRARY_PATH",
                                      "PYTHONPATH",
                                      "PYTHONHOME",
                                      "PERL5LIB",
                                      "PERLLIB",
                                      "RUBYLIB",
                                      "NODE_PATH",
                                      "CLASSPATH",
                                      "R_LIBS",
                                      "R_LIBS_USER",
                                      "R_LIBS_SITE",
                                      "AWKPATH",
                                      "AWKLIBPATH",
                                      "OCTAVE_PATH",
                                      "GUILE_LOAD_PATH",
                                      "GI_TYPELIB_PATH",
                                      "GIO_EXTRA_MODULES",
                                      "HDF5_PLUGIN_PATH",
                                      "FPATH",
                                      "COMPILER_PATH",
                                      "LIBRARY_PATH",
                                      "CPATH",
                                      "C_INCLUDE_PATH",
                                      "CPLUS_INCLUDE_PATH",
                                      "OBJC_INCLUDE_PATH",
                                      "GCONV_PATH",
                                      "GCC_EXEC_PREFIX",
                                      "GIT_EXEC_PATH",
                                      "PHPRC",
                                      "GEM_PATH",
                                      "GUILE_LOAD_COMPILED_PATH",
                                      "GUILE_EXTENSIONS_PATH",
                                      "ERL_LIBS",
                                      "QT_PLUGIN_PATH",
                                      "GST_PLUGIN_PATH",
                                      "GDAL_DRIVER_PATH",
                                      "MAGICK_CODER_MODULE_PATH",
                                      "BASH_LOADABLES_PATH",
                                      "CAML_LD_LIBRARY_PATH",
                                      "OCAMLPATH",
                                      "MONO_PATH",
                                      "LTDL_LIBRARY_PATH"};

// One file or folder each, whose name may have a colon, and which no program puts into a list.
constexpr std::array single_places{
    "BASH_ENV",        "GEM_HOME",        "GIO_MODULE_DIR",      "OPENSSL_CONF",
    "OPENSSL_ENGINES", "OPENSSL_MODULES", "PYTHONPYCACHEPREFIX", "PYTHONSTARTUP",
    "PYTHONUSERBASE",  "R_ENVIRON",       "R_ENVIRON_USER",      "R_PROFILE",
    "R_PROFILE_USER",  "ZDOTDIR"};

// Of others a program takes the default, which is a folder of the system.
constexpr std::array of_other_words{"TCLLIBPATH", "JULIA_LOAD_PATH", "JULIA_PROJECT", "MAKEFILES"};

// Without them a program looks in the folder in which it works.
constexpr std::array here_by_default{"AWKPATH", "BASH_LOADABLES_PATH", "CLASSPATH",
                                     "R_ENVIRON_USER", "R_PROFILE_USER"};

// An environment may have a variable twice: none of the other values may stay.
void put(const char* variable, const std::string& words) {
  unsetenv(variable);
  if (!words.empty())
    setenv(variable, words.c_str(), 1);
  else if (std::ranges::find(here_by_default, std::string_view(variable)) != here_by_default.end())
    setenv(variable, "/nonexistent", 1);
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
  put(variable, kept);
}

void leave_out_if_relative(const char* variable) {
  const char* const place = std::getenv(variable);
  if (place != nullptr) put(variable, *place == '/' ? place : "");
}

bool is_relative_somewhere(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return std::string_view("; \t\r\n").find(c) != std::string::npos; }, ':');
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
  for (const char* const place : single_places) leave_out_if_relative(place);
  leave_out_relative_path();
  for (const char* list : {"LD_PRELOAD", "LD_AUDIT"}) leave_out_what_is_relative(list, true);
  unsetenv("PERL_USE_UNSAFE_INC");  // perl looks in the folder in which it works
  for (const char* const list : of_other_words) {
    const char* const words = std::getenv(list);
    if (words != nullptr) put(list, is_relative_somewhere(words) ? "" : words);
  }
}

}  // namespace rhizome::core
