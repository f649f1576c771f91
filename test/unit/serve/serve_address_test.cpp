// The file with the address of a server, which clients believe only while it listens there.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/monitor/web/door/client.hpp"
#include "tools/serve/address_file.hpp"

namespace rhizome::serve_address_test {

using scenarios::UnreadableFile;
using tools::AddressFile;
using tools::ListeningServer;
using tools::NoAnswer;

TEST_CASE("a server is believed from when it listens until it listens no longer") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  std::optional<AddressFile> address(store.string() + ".address");
  CHECK_THROWS_AS(ListeningServer{store}, NoAnswer);
  address->publish("http://127.0.0.1:7300");
  const ListeningServer server(store);
  CHECK(server.url() == "http://127.0.0.1:7300");
  CHECK(server.listens());
  address->withdraw();
  CHECK_FALSE(server.listens());
  CHECK_THROWS_AS(ListeningServer{store}, NoAnswer);
}

TEST_CASE("the next server is no proof of the one before, though its file has the same name") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  std::optional<AddressFile> address(store.string() + ".address");
  address->publish("http://127.0.0.1:7300");
  const ListeningServer server(store);
  address.reset();
  address.emplace(store.string() + ".address");
  address->publish("http://127.0.0.1:7301");
  CHECK_FALSE(server.listens());
  CHECK(ListeningServer(store).url() == "http://127.0.0.1:7301");
}

TEST_CASE(
    "an address that a server has on another machine or in a container is not its address here") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  for (const std::string url : {"http://127.0.0.1:7300", "http://0.0.0.0:7300", "http://[::1]:73",
                                "http://[::]:7300", "http://192.0.2.7:7300"}) {
    CAPTURE(url);
    AddressFile address(store.string() + ".address");
    address.publish(url);
    CHECK(ListeningServer(store).url() == url);
    std::ofstream(store.string() + ".address")
        << url << "\n12345678-9abc-4def-8000-123456789abc 4026531833\n";
    CHECK_THROWS_AS(ListeningServer{store}, NoAnswer);
  }
}

TEST_CASE("a file that is no address of a server stays") {
  const test::TemporaryDirectory folder;
  const auto file = folder.path() / "jobs.sqlite.address";
  for (const std::string text : {"12 Mill Lane\n", "\nnotes\n", "http://one.example\nhttp://two\n",
                                 "http://127.0.0.1:7300\n\nnotes\n"}) {
    std::ofstream(file) << text;
    CHECK_THROWS_AS(AddressFile{file}, scenarios::CannotWrite);
    CHECK(std::filesystem::file_size(file) == text.size());
  }
  std::filesystem::remove(file);
  std::filesystem::create_symlink("elsewhere", file);
  CHECK_THROWS_AS(AddressFile{file}, scenarios::CannotWrite);
  CHECK(std::filesystem::is_symlink(file));
}

TEST_CASE(
    "the address that an earlier server left is replaced, and that of one which never listened") {
  const test::TemporaryDirectory folder;
  const auto file = folder.path() / "jobs.sqlite.address";
  { const AddressFile never(file); }
  {
    AddressFile earlier(file);
    earlier.publish("http://127.0.0.1:7300");
  }
  CHECK_NOTHROW(AddressFile{file});
}

TEST_CASE("an address of another user, or behind a link, is none") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  CHECK_THROWS_AS(ListeningServer{store}, UnreadableFile);
  AddressFile real(folder.path() / "real");
  real.publish("http://127.0.0.1:7300");
  std::filesystem::create_symlink("real", store.string() + ".address");
  CHECK_THROWS_AS(ListeningServer{store}, UnreadableFile);
  std::filesystem::remove(store.string() + ".address");
  AddressFile address(store.string() + ".address");
  address.publish("http://127.0.0.1:7300");
  struct stat status {};
  REQUIRE(lstat((store.string() + ".address").c_str(), &status) == 0);
  CHECK(S_ISREG(status.st_mode));
  CHECK((status.st_mode & 0777U) == 0600);
  std::filesystem::permissions(store.string() + ".address", std::filesystem::perms(0644));
  CHECK_THROWS_AS(ListeningServer{store}, UnreadableFile);  // anybody could hold it locked
  std::filesystem::permissions(store.string() + ".address", std::filesystem::perms(0600));
  CHECK(ListeningServer(store).listens());
  if (geteuid() != 0) return;
  REQUIRE(chown((store.string() + ".address").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(ListeningServer{store}, UnreadableFile);
}

}  // namespace rhizome::serve_address_test
