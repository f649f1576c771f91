// What work of the kinds "count" and "child" is told: files, command lines, limits.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <any>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task.hpp"
#include "agents/work/command_line.hpp"
#include "agents/work/word_count.hpp"
#include "test/support/refusal.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/works.hpp"

namespace rhizome::work_words_test {

using Words = std::vector<std::string>;

namespace {

// The counts of a file with that text.
agents::Counts counts_of(const std::string& text) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.path() / "text";
  std::ofstream(file) << text;
  core::Throttle unhindered;
  return agents::count_words(file, unhindered).value();
}

std::string refusal_of(const std::string& work) {
  return test::refusal("[workload]\n" + work + "\n");
}

}  // namespace

TEST_CASE("words, lines and bytes are counted as wc does, across the steps of reading") {
  CHECK(counts_of("") == agents::Counts{0, 0, 0});
  CHECK(counts_of("one") == agents::Counts{1, 0, 3});
  CHECK(counts_of(" one\t two\n\nthree \v") == agents::Counts{3, 2, 18});
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "word \n";
  CHECK(counts_of(text) == agents::Counts{100'000, 100'000, 600'000});
  CHECK(counts_of(std::string(600'000, 'x')) == agents::Counts{1, 0, 600'000});
}

TEST_CASE("a count is judged by the one that was taken when the world was made") {
  const test::TemporaryDirectory directory;
  const std::string file = directory.path() / "text";
  std::ofstream(file) << "three short words\n";
  const core::Work work{.recipe = test::recipe(agents::work_kinds(), "count", "file", file)};
  CHECK(core::result_of(agents::work_kinds(), work) ==
        core::judged("3 words, 1 lines, 18 bytes", true));
  std::ofstream(file) << "three other words\nand a line\n";
  CHECK(core::result_of(agents::work_kinds(), work) ==
        core::judged("6 words, 2 lines, 29 bytes", false));
  std::filesystem::remove(file);
  CHECK(core::result_of(agents::work_kinds(), work) ==
        core::judged("the file cannot be read", false));
}

TEST_CASE("an abandoned count ends at once") {
  const test::TemporaryDirectory directory;
  const std::string file = directory.path() / "text";
  std::ofstream(file) << "words";
  core::Throttle throttle;
  throttle.cancel();
  CHECK_FALSE(agents::count_words(file, throttle));
}

TEST_CASE("a pipe in the place of a file to count does not block") {
  const test::TemporaryDirectory directory;
  const std::string file = directory.path() / "pipe";
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  core::Throttle unhindered;
  CHECK_FALSE(agents::count_words(file, unhindered));
}

TEST_CASE("a file of terabytes that takes no room on the disk is not counted") {
  const test::TemporaryDirectory directory;
  const std::string file = directory.path() / "sparse";
  std::ofstream(file) << "words";
  std::filesystem::resize_file(file, agents::most_counted_bytes + 1);
  core::Throttle unhindered;
  CHECK_FALSE(agents::count_words(file, unhindered));
  const auto kinds = agents::work_kinds();
  const auto count = std::ranges::find(kinds, std::string_view("count"), &core::WorkKind::name);
  std::any options = count->defaults();
  *count->files.front().name(options) = file;
  const auto objection = count->objection(options);
  REQUIRE(objection);
  CHECK(objection->text ==
        "is a file of 1073741825 bytes, and one of at most 1073741824 is counted");
}

TEST_CASE("work of a shared folder counts through no link, also of one that came later") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path place = std::filesystem::canonical(directory.path());
  std::filesystem::create_directory(place / "folder");
  std::ofstream(place / "folder" / "text") << "words";
  std::filesystem::create_symlink("folder", place / "way");
  std::filesystem::create_symlink("folder/text", place / "link");
  core::Throttle unhindered;
  for (const char* name : {"way/text", "link"}) {
    CHECK(agents::count_words(place / name, unhindered));
    CHECK_FALSE(agents::count_words(place / name, unhindered, false));
  }
  CHECK(agents::count_words(place / "folder" / "text", unhindered, false));
  const auto kinds = agents::work_kinds();
  const auto count = std::ranges::find(kinds, std::string_view("count"), &core::WorkKind::name);
  std::any options = count->defaults();
  *count->files.front().name(options) = place / "link";
  count->confine(options);
  const auto id = static_cast<core::WorkKindId>(count - kinds.begin());
  CHECK(core::result_of(kinds, {.recipe = {id, count->spec(options)}}) ==
        core::judged("the file cannot be read", false));
}

TEST_CASE("a command line is its words; quotes keep blanks together, and must be closed") {
  CHECK(agents::words_in("") == Words{});
  CHECK(agents::words_in("  a  bc\td ") == Words{"a", "bc", "d"});
  CHECK(agents::words_in("a 'b c' \"d 'e\" f'g'h ''") == Words{"a", "b c", "d 'e", "fgh", ""});
  CHECK_FALSE(agents::words_in("a 'b"));
  CHECK_FALSE(agents::words_in("\"a' b"));
}

TEST_CASE("the numbers of a task stand where their places were, and other places are found") {
  const std::uint64_t subject = agents::subject_of({12, 345});
  CHECK(agents::filled_in("{job}-{task}/{job}", subject) == "12-345/12");
  CHECK(agents::filled_in("nothing {} of it", subject) == "nothing {} of it");
  CHECK(agents::unknown_place("{job} {task} {") == "");
  CHECK(agents::unknown_place("{job} {peer}") == "{peer}");
}

TEST_CASE("virtual time begins no process") {
  const core::Work work{
      .recipe = test::recipe(agents::work_kinds(), "child", "program", std::string("false"))};
  CHECK(core::computation_of(agents::work_kinds(), work) != nullptr);
  CHECK(core::result_of(agents::work_kinds(), work) == core::Result{});
}

TEST_CASE("settings that work cannot have are refused at their place, before anything runs") {
  CHECK(refusal_of("work = \"child\"\nchild_program = \"sh\"") == "accepted");
  CHECK(refusal_of("work = \"child\"") == "s.toml:2:1: \"child_program\": names no program");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"no-such-program\"") ==
        "s.toml:3:1: \"child_program\": there is no program \"no-such-program\"");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"/etc/passwd\"") ==
        "s.toml:3:1: \"child_program\": there is no program \"/etc/passwd\"");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"sh\"\nchild_arguments = \"-c 'x\"") ==
        "s.toml:4:1: \"child_arguments\": a quote is not closed");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"sh\"\nchild_output = \"{peer}\"") ==
        "s.toml:4:1: \"child_output\": {peer} stands for nothing: {job} and {task} do");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"sh\"\nchild_input = \"no-such\"") ==
        "s.toml:4:1: there is no file \"no-such\"");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"sh\"\nchild_directory = \"/no-such\"") ==
        "s.toml:4:1: there is no directory \"/no-such\"");
  CHECK(refusal_of("work = \"child\"\nchild_program = \"./sh\"\nchild_directory = \"/bin\"") ==
        "accepted");
  CHECK(refusal_of("work = \"count\"") == "s.toml:2:1: \"count_file\": names no file");
  CHECK(refusal_of("work = \"count\"\ncount_file = \"no-such\"") ==
        "s.toml:3:1: there is no file \"no-such\"");
}

}  // namespace rhizome::work_words_test
