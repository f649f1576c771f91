// Files that clients upload for their jobs, and files that no job may write.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/text/whole_file.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/serve/job_store.hpp"
#include "tools/serve/orders.hpp"
#include "tools/serve/service.hpp"
#include "tools/serve/uploads.hpp"

namespace rhizome::serve_uploads_test {

using tools::ContentHash;
using tools::Uploads;

namespace {

constexpr std::uint64_t most = 1000;

std::string hash_of(const std::string& text) {
  ContentHash hash;
  hash.add(text);
  return hash.text();
}

bool upload(Uploads& uploads, const std::string& text, const std::string& hash) {
  Uploads::Incoming incoming(uploads, hash);
  incoming.take(text.substr(0, text.size() / 2));
  incoming.take(text.substr(text.size() / 2));
  return incoming.keep();
}

std::size_t files_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("the hash of a content is that of sha256sum") {
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(tools::is_content_hash(hash_of("")));
  CHECK_FALSE(tools::is_content_hash(hash_of("").substr(1)));
  CHECK_FALSE(tools::is_content_hash("../" + hash_of("").substr(3)));
}

TEST_CASE("a file is kept under its hash, and a later server has it") {
  const test::TemporaryDirectory folder;
  const std::string hash = hash_of("some text");
  {
    Uploads uploads(folder.path(), most);
    CHECK_FALSE(uploads.size_of(hash));
    CHECK(upload(uploads, "some text", hash));
    CHECK(upload(uploads, "some text", hash));
  }
  const Uploads uploads(folder.path(), most);
  CHECK(uploads.size_of(hash) == 9);
  CHECK(Uploads::name_of(hash) == "uploads/" + hash);
  struct stat status {};
  REQUIRE(stat((folder.path() / "uploads" / hash).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0400);  // a job that writes to it is refused
  CHECK(files_in(folder.path() / "uploads") == 1);
}

TEST_CASE("nothing is left of a file with another hash, and of one that is cut off") {
  const test::TemporaryDirectory folder;
  Uploads uploads(folder.path(), most);
  CHECK_FALSE(upload(uploads, "some text", hash_of("another")));
  {
    Uploads::Incoming incoming(uploads, hash_of("some text"));
    incoming.take("some");
  }
  CHECK(files_in(folder.path() / "uploads") == 0);
}

TEST_CASE("an upload that a killed server had not received whole is removed by the next") {
  const test::TemporaryDirectory folder;
  std::filesystem::create_directory(folder.path() / "uploads");
  scenarios::write_whole(folder.path() / "uploads" / ".incoming-abcdef", "some");
  scenarios::write_whole(folder.path() / "uploads" / "notes", "kept");
  const Uploads uploads(folder.path(), most);
  CHECK(files_in(folder.path() / "uploads") == 1);
}

TEST_CASE("all files together have a bound, including files of an earlier server") {
  const test::TemporaryDirectory folder;
  const std::string large(600, 'a');
  const std::string other(600, 'b');
  {
    Uploads uploads(folder.path(), most);
    CHECK(upload(uploads, large, hash_of(large)));
    CHECK_THROWS_AS(static_cast<void>(upload(uploads, other, hash_of(other))), tools::TooLarge);
    const std::string small(400, 'c');  // refused uploads do not count
    CHECK(upload(uploads, small, hash_of(small)));
  }
  Uploads uploads(folder.path(), most);
  CHECK_THROWS_AS(static_cast<void>(upload(uploads, other, hash_of(other))), tools::TooLarge);
  CHECK(files_in(folder.path() / "uploads") == 2);
}

TEST_CASE("a file that somebody removes gives its room back") {
  const test::TemporaryDirectory folder;
  const std::string large(600, 'a');
  const std::string other(600, 'b');
  Uploads uploads(folder.path(), most);
  CHECK(upload(uploads, large, hash_of(large)));
  std::filesystem::remove(folder.path() / "uploads" / hash_of(large));
  CHECK(upload(uploads, other, hash_of(other)));
  CHECK_THROWS_AS(static_cast<void>(upload(uploads, large, hash_of(large))), tools::TooLarge);
}

TEST_CASE("a file that is exchanged while it is served is read again") {
  const test::TemporaryDirectory folder;
  Uploads uploads(folder.path(), most);
  const std::string hash = hash_of("some text");
  CHECK(upload(uploads, "some text", hash));
  CHECK(uploads.size_of(hash) == 9);
  scenarios::write_whole(folder.path() / "uploads" / "other", "any other");
  std::filesystem::rename(folder.path() / "uploads" / "other", folder.path() / "uploads" / hash);
  CHECK_FALSE(uploads.size_of(hash));
}

TEST_CASE("two clients may send the same file at a time") {
  const test::TemporaryDirectory folder;
  Uploads uploads(folder.path(), most);
  const std::string hash = hash_of("some text");
  Uploads::Incoming first(uploads, hash);
  Uploads::Incoming second(uploads, hash);
  first.take("some ");
  second.take("some text");
  first.take("text");
  CHECK(second.keep());
  CHECK(first.keep());
  CHECK(uploads.size_of(hash) == 9);
}

TEST_CASE("so many files are uploaded at a time, and one more as soon as one has ended") {
  const test::TemporaryDirectory folder;
  Uploads uploads(folder.path(), most);
  tools::JobStore store({folder.path() / "jobs.sqlite", 0});
  tools::JobFeed feed;
  tools::Orders orders(scenarios::WorkloadSection{});
  tools::JobService service(store, feed, orders, uploads, {.most_uploading = 2});
  const auto upload = [&service](char digit) {
    auto receiver = service.receive({.method = "PUT", .path = "/files/" + std::string(64, digit)});
    REQUIRE(receiver);
    return receiver;
  };
  auto first = upload('a');
  const auto second = upload('b');
  CHECK(first->take({}));
  CHECK(second->take({}));
  const auto third = upload('c');
  CHECK_FALSE(third->take({}));
  const tools::Reply refused = third->end(tools::BodyEnd::cut_off);
  CHECK(refused.status == 429);
  CHECK(refused.fields.at(0) == std::pair<std::string, std::string>("Retry-After", "1"));
  CHECK(first->end(tools::BodyEnd::silent).status == 408);
  first.reset();
  CHECK(upload('d')->take({}));
}

TEST_CASE("a job writes to no file that no job has made") {
  const test::TemporaryDirectory folder;
  scenarios::WorkloadSection section;
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.folder = folder.path().string();
  bounds.programs = "true";
  tools::Orders orders(section);
  orders.make_outputs_folder();
  const auto refusal_of = [&](const std::string& output) -> std::string {
    try {
      orders.check("child program=true output=" + output);
    } catch (const tools::BadOrder& bad) {
      return bad.what();
    }
    return "none";
  };
  CHECK(refusal_of("result.txt") == "none");
  for (const std::string output :
       {"../jobs.sqlite", "../tool.sh", "../uploads/x", ".git/config", "x/../../tool.sh"})
    CHECK(refusal_of(output).find("leads out of") != std::string::npos);
}

TEST_CASE("no file that others may have put there is taken for one that was uploaded") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path uploaded = folder.path() / tools::Uploads::folder_name;
  const std::string hash = hash_of("content");
  std::filesystem::create_directory(uploaded);
  std::ofstream(uploaded / hash) << "content";
  std::ofstream(uploaded / hash_of("another")) << "content";
  const tools::Uploads uploads(folder.path(), 0);
  CHECK(uploads.size_of(hash) == 7);
  CHECK_FALSE(uploads.size_of(hash_of("another")));
  std::filesystem::create_hard_link(uploaded / hash, folder.path() / "further");
  CHECK_FALSE(uploads.size_of(hash));
  std::filesystem::remove(folder.path() / "further");
  std::filesystem::permissions(uploaded, std::filesystem::perms(0777));
  CHECK_FALSE(uploads.size_of(hash));
}

TEST_CASE("a kept order is judged as one that comes: a store may be a stranger's") {
  scenarios::WorkloadSection section;
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.most_tasks = 20;
  bounds.longest_task = std::chrono::seconds(3);
  const tools::Orders orders(section);
  const auto refusal_of = [&orders](const tools::JobOrder& order) -> std::string {
    try {
      orders.check_kept(order);
    } catch (const tools::BadOrder& bad) {
      return bad.what();
    }
    return "none";
  };
  CHECK(refusal_of({.tasks = 20, .seconds = 3, .needs = {{1, 0}, {19, 1}}}) == "none");
  CHECK(refusal_of({.tasks = 21}).starts_with("it has 21 tasks"));
  CHECK(refusal_of({.tasks = 0}).starts_with("it has 0 tasks"));
  CHECK(refusal_of({.seconds = 3.5}).find("3.5 s") != std::string::npos);
  CHECK(refusal_of({.seconds = -5}).find("-5 s") != std::string::npos);
  CHECK(refusal_of({.tasks = 2, .needs = {{2, 0}}}).starts_with("its tasks need"));
  CHECK(refusal_of({.tasks = 2, .needs = {{0, 7'000'000}}}).starts_with("its tasks need"));
  CHECK(refusal_of({.tasks = 2, .needs = {{0, 1}, {1, 0}}}).starts_with("its tasks need"));
  CHECK(refusal_of({.work = "  "}).starts_with("its words"));
  CHECK(refusal_of({.work = "child program=true\n0 1 1"}).starts_with("its words"));
}

TEST_CASE("no folder that may hold more than outputs is that of outputs") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path outputs = folder.path() / scenarios::JobWork::outputs_folder;
  scenarios::WorkloadSection section;
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.folder = folder.path().string();
  tools::Orders(section).make_outputs_folder();
  CHECK_FALSE(std::filesystem::exists(outputs));  // no job runs a program
  bounds.programs = "true";
  const tools::Orders orders(section);
  orders.make_outputs_folder();
  CHECK_NOTHROW(orders.make_outputs_folder());  // as the next server does
  std::filesystem::permissions(outputs, std::filesystem::perms::group_exec,
                               std::filesystem::perm_options::add);
  CHECK_THROWS_AS(orders.make_outputs_folder(), scenarios::CannotWrite);
  std::filesystem::remove(outputs);
  std::filesystem::create_directory_symlink(folder.path(), outputs);
  CHECK_THROWS_AS(orders.make_outputs_folder(), scenarios::CannotWrite);
}

TEST_CASE("no file is stored through a link in place of the folder, or of a file") {
  const test::TemporaryDirectory folder;
  const test::TemporaryDirectory elsewhere;
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() / "uploads");
  Uploads uploads(folder.path(), most);
  const std::string hash = hash_of("some text");
  CHECK_THROWS_AS(static_cast<void>(upload(uploads, "some text", hash)), tools::StoreFull);
  CHECK(files_in(elsewhere.path()) == 0);
  scenarios::write_whole(elsewhere.path() / hash, "another");
  CHECK_FALSE(uploads.size_of(hash));
  scenarios::write_whole(elsewhere.path() / ".incoming-abcdef", "kept");
  CHECK(Uploads(folder.path(), most).most_bytes() == most);
  CHECK(files_in(elsewhere.path()) == 2);
}

}  // namespace rhizome::serve_uploads_test
