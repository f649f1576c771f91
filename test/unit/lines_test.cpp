#include "scenarios/text/lines.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::lines_test {

using scenarios::InputError;
using scenarios::Lines;
using test::TemporaryFile;

namespace {

std::vector<std::string> all_of(const std::string& file) {
  Lines lines(file);
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  return all_of(TemporaryFile(text).name());
}

using Texts = std::vector<std::string>;

std::size_t count_of(const std::string& file) {
  Lines lines(file);
  std::size_t count = 0;
  for (std::string_view line; lines.next(line);) ++count;
  return count;
}

// An archive of 258 line feeds for each 13 bits: a literal, and references to what was before it
// (RFC 1951, fixed codes). It ends with a wrong checksum.
std::string archive_of_line_feeds(std::size_t bytes) {
  std::string text("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  std::uint64_t pending = 0;
  unsigned size = 0;
  const auto put = [&](std::uint64_t code, unsigned length) {
    for (; length > 0; --length) {
      pending |= (code >> (length - 1) & 1U) << size++;
      if (size < 8) continue;
      text += static_cast<char>(pending);
      pending = size = 0;
    }
  };
  put(0b110, 3);                // the last block, of fixed codes
  put(0b0011'0000U + '\n', 8);  // a line feed
  for (std::size_t i = 0; i < bytes / 258; ++i) put(0b1100'0101'00000, 13);  // 258, one byte back
  put(0, 7 + 8);  // the end, and what is left of a byte
  return text + std::string(8, '\0');
}

}  // namespace

TEST_CASE("lines end with a line feed, a carriage return before it, or the file") {
  CHECK(lines_of("") == Texts{});
  CHECK(lines_of("one") == Texts{"one"});
  CHECK(lines_of("one\n") == Texts{"one"});
  CHECK(lines_of("one\r\ntwo\n\nfour") == Texts{"one", "two", "", "four"});
}

TEST_CASE("lines longer than a buffer are whole") {
  Texts expected;
  std::string text;
  for (std::size_t i = 0; i < 40; ++i) {
    expected.emplace_back(i * 1'700, static_cast<char>('a' + i % 26));
    text += expected.back() + "\n";
  }
  expected.emplace_back(700'000, 'z');
  text += expected.back() + "\n";
  CHECK(lines_of(text) == expected);
}

TEST_CASE("a gzipped file reads like a plain one") {
  const Texts all = all_of(test::shipped("scenarios/data/google2011_sample.csv.gz"));
  REQUIRE(all.size() == 2'053);
  CHECK(all.front() ==
        "job_id,task_index,submit_us,wait_us,run_us,attempts,scheduling_class,priority,cpu_request,"
        "memory_request");
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  CHECK(lines_of(text) == all);
}

TEST_CASE("a gzipped file that was cut short or damaged is refused") {
  const std::string whole =
      test::content_of(test::shipped("scenarios/data/google2011_sample.csv.gz"));
  const TemporaryFile half(whole.substr(0, whole.size() / 2));
  CHECK_THROWS_AS((void)all_of(half.name()), InputError);
  const TemporaryFile without_end(whole.substr(0, whole.size() - 1));
  CHECK_THROWS_AS((void)all_of(without_end.name()), InputError);
  std::string altered = whole;
  altered[whole.size() / 2] = static_cast<char>(~altered[whole.size() / 2]);
  const TemporaryFile damaged(altered);
  CHECK_THROWS_AS((void)all_of(damaged.name()), InputError);
}

TEST_CASE("an archive gives a hundred times its bytes at most, unless it gives little") {
  const auto told = [](std::size_t mebibytes) {
    const TemporaryFile file(archive_of_line_feeds(mebibytes << 20U));
    try {
      (void)count_of(file.name());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(told(15).find("the archive is damaged") != std::string::npos);
  CHECK(told(17).find("the archive gives more than 100 times") != std::string::npos);
  const TemporaryFile again(archive_of_line_feeds(std::size_t{17} << 20U));
  CHECK_THROWS_WITH_AS(
      (void)Lines::all_of(again.name(), std::size_t{64} << 20U),
      (again.name() + ":1:1: the archive gives more than 100 times its own bytes: unpack it first")
          .c_str(),
      InputError);
  const TemporaryFile plain(std::string(std::size_t{17} << 20U, '\n'));
  CHECK(count_of(plain.name()) == std::size_t{17} << 20U);
}

TEST_CASE("a zero byte and an endless line are refused with their position") {
  const TemporaryFile zero(std::string("one\ntw\0o\n", 9));
  CHECK_THROWS_WITH_AS((void)all_of(zero.name()),
                       (zero.name() + ":2:3: this is no text: it has a zero byte").c_str(),
                       InputError);
  const TemporaryFile endless("one\n" + std::string(std::size_t{3} << 20U, 'x'));
  CHECK_THROWS_WITH_AS((void)all_of(endless.name()),
                       (endless.name() + ":2:1: the line is longer than a mebibyte").c_str(),
                       InputError);
}

TEST_CASE("a file that is not there, or a directory, cannot be read") {
  CHECK_THROWS_WITH_AS(Lines("/nowhere/x"), "/nowhere/x: cannot be read",
                       scenarios::UnreadableFile);
  CHECK_THROWS_WITH_AS(Lines("/"), "/: cannot be read", scenarios::UnreadableFile);
}

TEST_CASE("fields know their columns") {
  std::vector<scenarios::Field> fields;
  scenarios::split("a,,bcd,", ',', fields);
  REQUIRE(fields.size() == 4);
  CHECK(fields[1].text.empty());
  CHECK(fields[2].text == "bcd");
  CHECK(fields[2].column == 4);
  CHECK(fields[3].column == 8);
  scenarios::split("  a \t b", ' ', fields);
  REQUIRE(fields.size() == 2);
  CHECK(fields[0].column == 3);
  CHECK(fields[1].column == 7);
  scenarios::split("", ' ', fields);
  CHECK(fields.empty());
}

}  // namespace rhizome::lines_test
