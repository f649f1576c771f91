// The parts that bring files, each alone: content and names, the cache, one transfer.
#include <doctest/doctest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <vector>

#include "agents/files/cache.hpp"
#include "agents/files/content.hpp"
#include "agents/files/fetch.hpp"
#include "core/peer/recipe.hpp"

namespace rhizome::files_test {

using namespace agents::files;
using namespace std::chrono_literals;
using core::PeerId;
using core::Time;

namespace {

constexpr std::uint32_t piece = 64U << 10U;
constexpr PeerId home{0};
constexpr PeerId other{1};

FileRef file_of(std::uint64_t content, std::uint64_t size) {
  return make_file(content, size, piece, home);
}

// A transfer that knows its index.
struct Transfer {
  explicit Transfer(std::uint64_t size)
      : file(file_of(7, size)), fetch(file, {.chunk = piece}, Time{}, 10s) {
    fetch.add_holder(other);
    fetch.add_holder(home);
    CHECK(fetch.take(make_index(7, size, piece)));
  }
  bool come(Time at, std::uint32_t number) {
    return fetch.take(at, number, make_chunk(7, file.size, piece, number));
  }
  FileRef file;
  Fetch fetch;
};

}  // namespace

TEST_CASE("a file is cut into chunks that together have its size") {
  CHECK(chunks_of(0, piece) == 0);
  CHECK(chunks_of(1, piece) == 1);
  CHECK(chunks_of(piece, piece) == 1);
  CHECK(chunks_of(piece + 1, piece) == 2);
  CHECK(bytes_in(piece + 1, piece, 0) == piece);
  CHECK(bytes_in(piece + 1, piece, 1) == 1);
  CHECK(make_chunk(1, piece + 5, piece, 1).size() == 5);
}

TEST_CASE("the name of a file follows from its bytes and its size alone") {
  CHECK(file_of(1, 100'000).name == make_file(1, 100'000, piece, other).name);
  CHECK(file_of(1, 100'000).name != file_of(2, 100'000).name);
  CHECK(file_of(1, 100'000).name != file_of(1, 100'001).name);
  CHECK(make_chunk(1, 200'000, piece, 0) != make_chunk(1, 200'000, piece, 1));
}

TEST_CASE("a cache evicts the least recently used file, and never a pinned one") {
  Cache cache(250);
  const std::vector<FileRef> files{file_of(1, 100), file_of(2, 100), file_of(3, 100),
                                   file_of(4, 100)};
  cache.pin(files[0].name);
  cache.put(files[0], {});
  cache.put(files[1], {});
  CHECK(cache.bytes() == 200);
  CHECK(cache.use(files[1].name) != nullptr);
  cache.put(files[2], {});  // the one that was put last is the latest
  CHECK(cache.has(files[0].name));
  CHECK_FALSE(cache.has(files[1].name));
  CHECK(cache.use(files[0].name) != nullptr);
  cache.unpin(files[0].name);
  cache.put(files[3], {});
  CHECK(cache.has(files[0].name));
  CHECK_FALSE(cache.has(files[2].name));
  CHECK(cache.bytes() == 200);
}

TEST_CASE("a file that is pinned twice is given up only once it is unpinned twice") {
  Cache cache(50);
  const FileRef file = file_of(1, 100);
  cache.pin(file.name);
  cache.pin(file.name);
  cache.put(file, {});
  cache.unpin(file.name);
  CHECK(cache.has(file.name));
  cache.unpin(file.name);
  CHECK_FALSE(cache.has(file.name));
  CHECK(cache.bytes() == 0);
}

TEST_CASE("a cache without a limit keeps everything, and counts a file once") {
  Cache cache(0);
  cache.put(file_of(1, 100), {});
  cache.put(file_of(1, 100), {});
  CHECK(cache.bytes() == 100);
  cache.erase(file_of(1, 100).name);
  CHECK(cache.bytes() == 0);
}

TEST_CASE("a transfer asks for one chunk at first, and for more ahead as they come") {
  Transfer transfer(std::uint64_t{40} * piece);
  std::set<std::uint32_t> asked;
  std::size_t most = 0;
  for (std::uint32_t next = 0; !transfer.fetch.whole(); ++next) {
    for (const std::uint32_t number : transfer.fetch.wanted(Time{}))
      CHECK(asked.insert(number).second);
    CHECK((next > 0 || asked.size() == 1));
    most = std::max(most, asked.size() - next);
    REQUIRE(transfer.come(Time{} + 1s, next));
  }
  CHECK(most == widest_window);
  CHECK(asked.size() == 40);
  CHECK(transfer.fetch.again() == 0);
}

TEST_CASE("a chunk that does not come is asked for again from the next holder, and only it") {
  Transfer transfer(std::uint64_t{6} * piece);
  Fetch& fetch = transfer.fetch;
  CHECK(fetch.wanted(Time{}) == std::vector<std::uint32_t>{0});
  CHECK(transfer.come(Time{} + 1s, 0));
  CHECK(fetch.wanted(Time{}) == std::vector<std::uint32_t>{1, 2});
  CHECK(transfer.come(Time{} + 1s, 2));
  CHECK(fetch.holder() == other);
  fetch.stall();
  CHECK(fetch.holder() == home);
  CHECK(fetch.wanted(Time{}) == std::vector<std::uint32_t>{1});
  CHECK(fetch.again() == 1);
  CHECK(transfer.come(Time{} + 2s, 1));
  CHECK(fetch.wanted(Time{}) == std::vector<std::uint32_t>{3, 4});
}

TEST_CASE("patience follows how long answers take, and doubles while none comes, up to a minute") {
  Transfer transfer(std::uint64_t{6} * piece);
  Fetch& fetch = transfer.fetch;
  CHECK(fetch.patience() == 10s);
  static_cast<void>(fetch.wanted(Time{}));
  CHECK(transfer.come(Time{} + 1s, 0));
  CHECK(fetch.patience() == 3s);
  fetch.stall();
  CHECK(fetch.patience() == 6s);
  for (int i = 0; i < 9; ++i) fetch.stall();
  CHECK(fetch.patience() == Options{}.most_patience());
  CHECK(fetch.tries() == 10);
  CHECK(transfer.come(Time{} + 1s, 1));
  CHECK(fetch.tries() == 0);
}

TEST_CASE("chunks and indices of other files are refused") {
  const FileRef file = file_of(7, 3 * piece);
  Fetch fetch(file, {.chunk = piece}, Time{}, 10s);
  CHECK_FALSE(fetch.take(make_index(8, 3 * piece, piece)));
  CHECK_FALSE(fetch.take(make_index(7, 2 * piece, piece)));
  CHECK_FALSE(fetch.take(Time{}, 0, make_chunk(7, 3 * piece, piece, 0)));
  CHECK(fetch.take(make_index(7, 3 * piece, piece)));
  CHECK_FALSE(fetch.take(Time{}, 0, make_chunk(8, 3 * piece, piece, 0)));
  CHECK_FALSE(fetch.take(Time{}, 0, make_chunk(7, 3 * piece, piece, 1)));
  CHECK_FALSE(fetch.take(Time{}, 3, make_chunk(7, 3 * piece, piece, 0)));
  CHECK(fetch.take(Time{}, 0, make_chunk(7, 3 * piece, piece, 0)));
  CHECK_FALSE(fetch.take(Time{}, 0, make_chunk(7, 3 * piece, piece, 0)));
  CHECK_FALSE(fetch.whole());
  CHECK(fetch.take(Time{}, 2, make_chunk(7, 3 * piece, piece, 2)));
  CHECK(fetch.take(Time{}, 1, make_chunk(7, 3 * piece, piece, 1)));
  CHECK(fetch.whole());
}

TEST_CASE("a peer that does not have a file is not asked for it again") {
  Transfer transfer(piece);
  CHECK(transfer.fetch.holder() == other);
  CHECK(transfer.fetch.drop_holder(other));
  CHECK(transfer.fetch.holder() == home);
  transfer.fetch.stall();
  CHECK(transfer.fetch.holder() == home);
  CHECK_FALSE(transfer.fetch.drop_holder(home));
}

TEST_CASE("a recipe takes its files along, and without any is as short as ever") {
  const core::Cargo cargo{9, {file_of(1, 100), file_of(2, 5)}, 17, other};
  const core::Recipe emulated;
  core::Bytes plain;
  core::encode(emulated, plain);
  CHECK(plain.size() == 1);
  for (const core::Recipe& bare : {emulated, core::Recipe(core::WorkKindId{1}, "told")}) {
    core::Bytes bytes;
    core::encode(bare.with(cargo), bytes);
    core::Recipe read;
    REQUIRE(core::decode(bytes, read) == core::DecodeError::none);
    CHECK(read == bare);
    REQUIRE(read.cargo() != nullptr);
    CHECK(read.cargo()->subject == 9);
    CHECK(read.cargo()->inputs.size() == 2);
    CHECK(read.cargo()->inputs[1].name == cargo.inputs[1].name);
    CHECK(read.cargo()->output == 17);
    CHECK(read.cargo()->client == other);
    const core::Recipe copy = read;
    CHECK(copy.cargo()->inputs.size() == 2);
  }
}

TEST_CASE("a recipe with more files than any task may have is refused") {
  core::Cargo cargo;
  cargo.inputs.resize(core::Recipe::most_files + 1);
  core::Bytes bytes;
  core::encode(core::Recipe{}.with(cargo), bytes);
  core::Recipe read;
  CHECK(core::decode(bytes, read) == core::DecodeError::mismatched);
}

}  // namespace rhizome::files_test
