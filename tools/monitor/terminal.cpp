#include "tools/monitor/terminal.hpp"

#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#define NCURSES_NOMACROS 1
#include <curses.h>

namespace rhizome::tools {

namespace {

enum Pair : short { good = 1, doubtful, bad };

bool is_utf8() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(nl_langinfo(CODESET)) == "UTF-8";
}

bool colours_wanted() {
  const char* unwanted = std::getenv("NO_COLOR");
  return has_colors() && (unwanted == nullptr || *unwanted == '\0');
}

void prepare_colours() {
  start_color();
  use_default_colors();
  init_pair(Pair::good, COLOR_GREEN, -1);
  init_pair(Pair::doubtful, COLOR_YELLOW, -1);
  init_pair(Pair::bad, COLOR_RED, -1);
}

[[noreturn]] void refuse() {
  throw NoTerminal("this terminal cannot be drawn on (TERM): rhizome monitor -o json needs none");
}

attr_t attributes_of(Style style, bool coloured) {
  switch (style) {
    case Style::plain:
      return A_NORMAL;
    case Style::strong:
      return A_BOLD;
    case Style::faint:
      return A_DIM;
    case Style::good:
      return coloured ? COLOR_PAIR(Pair::good) : A_NORMAL;
    case Style::doubtful:
      return coloured ? COLOR_PAIR(Pair::doubtful) : A_BOLD;
    case Style::bad:
      return coloured ? COLOR_PAIR(Pair::bad) : A_BOLD;
    case Style::chosen:
      return A_REVERSE;
  }
  return A_NORMAL;
}

}  // namespace

// A process in the background would be stopped as soon as it drew.
bool Terminal::is_there() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 &&
         tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void Terminal::check() {
  if (!is_there())
    throw NoTerminal(
        "standard input and output are no terminal: rhizome monitor -o json needs none");
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || *kind == '\0' || std::string_view(kind) == "dumb") refuse();
}

Terminal::Terminal() {
  check();
  script_ = is_utf8() ? Script::unicode : Script::ascii;
  std::string move("cup");
  SCREEN* screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr || tigetstr(move.data()) == nullptr) {
    if (screen != nullptr) endwin();
    refuse();
  }
  coloured_ = colours_wanted();
  if (coloured_) prepare_colours();
  cbreak();
  noecho();
  curs_set(0);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
}

Terminal::~Terminal() { endwin(); }

Size Terminal::size() const {
  return {static_cast<std::size_t>(std::max(getmaxx(stdscr), 1)),
          static_cast<std::size_t>(std::max(getmaxy(stdscr), 1))};
}

void Terminal::show(const TextGrid& grid) {
  erase();
  for (std::size_t line = 0; line < grid.size().height; ++line)
    for (std::size_t column = 0; column < grid.size().width; ++column) {
      const GridCell& cell = grid.at(column, line);
      if (cell.text == " " && cell.style != Style::chosen) continue;
      attrset(static_cast<int>(attributes_of(cell.style, coloured_)));
      mvaddstr(static_cast<int>(line), static_cast<int>(column), cell.text.c_str());
    }
  attrset(A_NORMAL);
  if (const auto now = std::chrono::steady_clock::now(); now - drawn_ >= std::chrono::seconds(1)) {
    redrawwin(stdscr);
    drawn_ = now;
  }
  refresh();
}

std::optional<Key> Terminal::key() {
  const int pressed = getch();
  switch (pressed) {
    case ERR:
      return {};
    case KEY_UP:
      return Key{Key::Kind::up};
    case KEY_DOWN:
      return Key{Key::Kind::down};
    case KEY_PPAGE:
      return Key{Key::Kind::page_up};
    case KEY_NPAGE:
      return Key{Key::Kind::page_down};
    case KEY_LEFT:
      return Key{Key::Kind::left};
    case KEY_RIGHT:
      return Key{Key::Kind::right};
    case KEY_HOME:
      return Key{Key::Kind::home};
    case KEY_END:
      return Key{Key::Kind::end};
    case KEY_ENTER:
    case '\n':
    case '\r':
      return Key{Key::Kind::enter};
    case KEY_BACKSPACE:
    case '\b':
    case 127:
      return Key{Key::Kind::backspace};
    case 27:
      return Key{Key::Kind::escape};
    case KEY_RESIZE:
      return Key{Key::Kind::resized};
    default:
      return Key{Key::Kind::character,
                 pressed > 0 && pressed < 127 ? static_cast<char>(pressed) : '\0'};
  }
}

}  // namespace rhizome::tools
