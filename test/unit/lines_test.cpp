#include "scenarios/text/lines.hpp"

#include <doctest/doctest.h>

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
