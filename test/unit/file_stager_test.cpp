// The file stager of a peer beside a scheduler that knows nothing of files.
#include "agents/files/file_stager.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "test/support/lone_file_stager.hpp"

namespace rhizome::file_stager_test {

using namespace test::lone_file_stager;

TEST_CASE("work waits for the files of its task, which are asked for from the task's sender") {
  Lone lone;
  lone.give(lone.task(0));
  CHECK(lone.peer.works().empty());
  const auto asked = lone.peer.sent<INeed>();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].first == other);
  CHECK(asked[0].second.chunks.empty());
  lone.peer.pass(3s);
  lone.serve(other);
  CHECK(lone.peer.works().size() == 1);
  const auto awaited = test::only<FilesAwaited>(lone.peer.facts());
  REQUIRE(awaited.size() == 1);
  CHECK(awaited[0].waited == 3s);
  CHECK(lone.peer.sent<IHave>().size() == 1);
  CHECK(lone.peer.protocol().transfers() == 0);
}

TEST_CASE("a file that many tasks need is brought once") {
  Lone lone;
  for (std::uint32_t i = 0; i < 5; ++i) lone.give(lone.task(i));
  CHECK(lone.peer.sent<INeed>().size() == 1);
  CHECK(lone.peer.protocol().transfers() == 1);
  lone.serve(other);
  CHECK(lone.peer.works().size() == 5);
  lone.peer.forget();
  lone.give(lone.task(5));
  CHECK(lone.peer.works().size() == 6);
  CHECK(lone.peer.sent<INeed>().empty());
  const auto wanted = test::only<FilesWanted>(lone.peer.facts());
  REQUIRE(wanted.size() == 1);
  CHECK(wanted[0].here == 1);
}

TEST_CASE("a task is not passed on before its files are there, and its receiver is asked") {
  Lone lone;
  lone.give(lone.task(0), false);
  const std::size_t before = lone.peer.sent_count();
  lone.peer.deliver_to<Careless>(home, Command{PeerId{3}});
  CHECK(lone.peer.sent_count() == before);
  CHECK(lone.peer.sent<DoYouNeed>().empty());
  lone.serve(other);
  const auto asked = lone.peer.sent<DoYouNeed>();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].first == PeerId{3});
  CHECK(asked[0].second.files.at(0).name == lone.file.name);
  lone.peer.forget();
  lone.peer.deliver_to<Careless>(home, Command{PeerId{3}});
  CHECK(lone.peer.sent_count() == 2);
}

TEST_CASE("the sender of a task hears when it goes: at once, or when its files have come") {
  Lone lone;
  lone.give(lone.task(0), false);
  lone.peer.deliver_to<Careless>(other, Command{PeerId{3}});
  CHECK(lone.careless().gone.empty());
  lone.serve(other);
  REQUIRE(lone.careless().gone.size() == 1);
  CHECK(lone.careless().gone[0].to == PeerId{3});
  CHECK(lone.careless().gone[0].subject == agents::subject_of({0, 0}));
  lone.peer.deliver_to<Careless>(other, Command{PeerId{2}});
  CHECK(lone.careless().gone.size() == 2);
}

TEST_CASE("a task that is dropped needs its files no more") {
  Lone lone;
  lone.give(lone.task(0), false);
  lone.serve(other);
  const auto& cache = lone.peer.peer().find<FileStager>()->cache();
  CHECK(cache.pinned(lone.file.name));
  lone.peer.deliver_to<Careless>(other, Command{.to = other, .drop = true});
  CHECK_FALSE(cache.pinned(lone.file.name));
}

TEST_CASE("a peer that leaves keeps no task back") {
  Lone lone;
  lone.give(lone.task(0), false);
  lone.peer.deliver_to<Careless>(home, Command{PeerId{3}});
  const std::size_t before = lone.peer.sent_count();
  lone.peer.depart();
  CHECK(lone.peer.sent_count() == before + 1);
}

TEST_CASE(
    "a peer that does not answer is not asked for ever: the home of a file is asked as well") {
  Lone lone;
  lone.give(lone.task(0));
  lone.peer.forget();
  REQUIRE(lone.peer.fire_next());
  const auto asked = lone.peer.sent<INeed>();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].first == home);
}

TEST_CASE("a peer that does not have a file is followed by its home at once") {
  Lone lone;
  lone.give(lone.task(0));
  lone.peer.forget();
  lone.peer.deliver(PeerId{3}, NotHere{lone.file.name});
  CHECK(lone.peer.sent<INeed>().empty());
  lone.peer.deliver(other, NotHere{lone.file.name});
  REQUIRE(lone.peer.sent<INeed>().size() == 1);
  CHECK(lone.peer.sent<INeed>()[0].first == home);
}

TEST_CASE("work that waits for files and is stopped never begins") {
  Lone lone;
  lone.give(lone.task(0));
  lone.peer.deliver_to<Careless>(home, Command{{}, true});
  lone.serve(other);
  CHECK(lone.peer.works().empty());
}

TEST_CASE("the end of work is told once its client has the output, and offered until then") {
  Lone lone;
  lone.give(lone.task(0, 70'000));
  lone.serve(other);
  lone.peer.forget();
  REQUIRE(lone.peer.complete_next());
  CHECK(lone.careless().done == 0);
  REQUIRE(lone.peer.sent<DoYouNeed>().size() == 1);
  const auto [client, offer] = lone.peer.sent<DoYouNeed>()[0];
  CHECK(client == home);
  CHECK(offer.output);
  lone.peer.forget();
  REQUIRE(lone.peer.fire_next());
  CHECK(lone.peer.sent<DoYouNeed>().size() == 1);
  const FileRef output = offer.files.at(0);
  lone.peer.deliver(home, INeed{output, {}});
  CHECK(lone.peer.sent<Contents>().size() == 1);
  lone.peer.deliver(home, INeed{output, {0}});
  CHECK(lone.peer.sent<Chunk>().size() == 1);
  lone.peer.deliver(other, IHave{{output.name}, {0}});
  CHECK(lone.careless().done == 0);
  lone.peer.deliver(home, IHave{{output.name}, {0}});
  CHECK(lone.careless().done == 1);
  lone.peer.deliver(home, IHave{{output.name}, {0}});
  CHECK(lone.careless().done == 1);
}

TEST_CASE("an output whose client is gone for good is given up, and the end of the work told") {
  Lone lone;
  lone.give(lone.task(0, 70'000));
  lone.serve(other);
  REQUIRE(lone.peer.complete_next());
  const core::Time made = lone.peer.now();
  std::size_t offers = 1;
  for (; lone.careless().done == 0; ++offers) {
    REQUIRE(lone.peer.sent<DoYouNeed>().size() == offers);
    REQUIRE(lone.peer.fire_next());
  }
  const core::Duration silence = lone.peer.now() - made;
  CHECK(silence > lone.peer.protocol().longest_silence());
  CHECK(silence <= lone.peer.protocol().longest_silence() + Options{}.most_patience());
  CHECK(lone.peer.sent<DoYouNeed>().size() == offers - 1);
  CHECK_FALSE(lone.peer.fire_next());
}

TEST_CASE("patience with a transfer, and with an offer, is that with the transfer before") {
  Lone lone;
  lone.give(lone.task(0, 70'000));
  REQUIRE(lone.peer.timers().size() == 1);
  CHECK(lone.peer.timers()[0].due == lone.peer.now() + Options{}.patience);
  const std::uint32_t chunk = lone.world.files.chunk;
  lone.peer.deliver(other, Contents{lone.file.name, make_index(lone.file.content, size, chunk)});
  lone.peer.deliver(other, Chunk{lone.file.name, 0, make_chunk(lone.file.content, size, chunk, 0)});
  lone.peer.pass(2s);
  lone.serve(other);
  REQUIRE(lone.peer.complete_next());
  REQUIRE(lone.peer.timers().size() == 1);
  CHECK(lone.peer.timers()[0].due == lone.peer.now() + 6s);
}

TEST_CASE("patience with a transfer is never less than full lines may ask for") {
  Lone lone;
  lone.world.longest_queue = 3s;
  lone.give(lone.task(0, 70'000));
  lone.serve(other);  // at once
  REQUIRE(lone.peer.complete_next());
  REQUIRE(lone.peer.timers().size() == 1);
  CHECK(lone.peer.timers()[0].due == lone.peer.now() + 9s);
}

TEST_CASE("a client that asks for the index of an output is there, and is waited for once more") {
  Lone lone;
  lone.give(lone.task(0, 70'000));
  lone.serve(other);
  REQUIRE(lone.peer.complete_next());
  const FileRef output = lone.peer.sent<DoYouNeed>().at(0).second.files.at(0);
  const auto wait = [&] {
    const core::Time until = lone.peer.now() + lone.peer.protocol().longest_silence();
    while (lone.peer.timers().at(0).due <= until) REQUIRE(lone.peer.fire_next());
  };
  wait();
  lone.peer.deliver(home, INeed{output, {}});
  wait();
  CHECK(lone.careless().done == 0);
}

TEST_CASE("a client asks a peer that offers an output, where others did not answer") {
  const PeerId late{3};
  Lone lone;
  const std::uint64_t content = output_content(lone.world.seed, 3);
  const FileRef output = make_file(content, 70'000, lone.world.files.chunk, other);
  lone.peer.deliver(other, DoYouNeed{3, {output}, true});
  lone.peer.deliver(late, DoYouNeed{3, {output}, true});
  REQUIRE(lone.peer.sent<INeed>().size() == 1);
  CHECK(lone.peer.sent<INeed>()[0].first == other);
  CHECK(lone.peer.fire_next());
  lone.peer.forget();
  for (int i = 0; i < 2; ++i) {
    lone.peer.deliver(late, DoYouNeed{3, {output}, true});
    CHECK(lone.peer.sent<INeed>().back().first == late);
  }
  CHECK(lone.peer.sent<INeed>().size() == 2);
}

TEST_CASE("the end of work that leaves nothing is told at once") {
  Lone lone;
  lone.give(lone.task(0));
  lone.serve(other);
  REQUIRE(lone.peer.complete_next());
  CHECK(lone.careless().done == 1);
}

TEST_CASE("a client keeps an output once, and says whether it is right") {
  for (const bool right : {true, false}) {
    Lone lone;
    const std::uint64_t content = output_content(lone.world.seed, 3);
    const FileRef output =
        make_file(right ? content : content + 1, 70'000, lone.world.files.chunk, other);
    lone.peer.deliver(other, DoYouNeed{3, {output}, true});
    lone.serve(other, output);
    const auto kept = test::only<OutputKept>(lone.peer.facts());
    REQUIRE(kept.size() == 1);
    CHECK(kept[0].task == TaskId{0, 3});
    CHECK(kept[0].right == right);
    lone.peer.deliver(PeerId{3}, DoYouNeed{3, {output}, true});
    REQUIRE(lone.peer.sent<IHave>().size() == 2);
    CHECK(lone.peer.sent<IHave>()[1].first == PeerId{3});
    CHECK(lone.peer.sent<IHave>()[1].second.left_by == std::vector<std::uint64_t>{3});
    CHECK(test::only<OutputKept>(lone.peer.facts()).size() == 1);
  }
}

TEST_CASE("equal outputs of two tasks are brought once, and count for both") {
  Lone lone;
  const FileRef output = make_file(9, 70'000, lone.world.files.chunk, other);
  lone.peer.deliver(other, DoYouNeed{3, {output}, true});
  lone.serve(other, output);
  lone.peer.deliver(other, DoYouNeed{4, {output}, true});
  CHECK(test::only<OutputKept>(lone.peer.facts()).size() == 2);
  CHECK(lone.peer.protocol().transfers() == 0);
}

TEST_CASE("a task that is kept back until its files come is not given up for want of room") {
  Lone lone;
  lone.world.files.cache = 1;
  test::LonePeer<FileStager> peer{self, [&lone](core::Peer& bare) {
                                    bare.add<Careless>();
                                    bare.add<FileStager>(self, lone.world);
                                  }};
  peer.deliver_to<Careless>(other, GiveFile{{lone.task(0)}, false});
  for (int i = 0; i < 2; ++i) peer.deliver_to<Careless>(home, Command{PeerId{3}});
  const std::uint32_t chunk = lone.world.files.chunk;
  peer.deliver(other, Contents{lone.file.name, make_index(5, size, chunk)});
  for (std::uint32_t i = 0; i < 2; ++i)
    peer.deliver(other, Chunk{lone.file.name, i, make_chunk(5, size, chunk, i)});
  CHECK(peer.sent<DoYouNeed>().size() == 2);
  CHECK(peer.protocol().cache().bytes() == 0);
}

TEST_CASE("an output whose maker is silent is given up, and taken up where it stopped") {
  Lone lone;
  const std::uint64_t content = output_content(lone.world.seed, 3);
  const FileRef output = make_file(content, 70'000, lone.world.files.chunk, other);
  lone.peer.deliver(other, DoYouNeed{3, {output}, true});
  const core::Time asked = lone.peer.now();
  while (lone.peer.protocol().transfers() == 1) REQUIRE(lone.peer.fire_next());
  CHECK(lone.peer.now() - asked > lone.peer.protocol().longest_silence());
  CHECK(lone.peer.now() - asked <=
        lone.peer.protocol().longest_silence() + Options{}.most_patience());
  CHECK_FALSE(lone.peer.fire_next());
}

TEST_CASE("a peer without a file says so, and a home does not serve a file that is none") {
  Lone lone;
  lone.peer.deliver(other, INeed{lone.file, {0}});
  CHECK(lone.peer.sent<NotHere>().size() == 1);
  FileRef lie = make_file(6, size, lone.world.files.chunk, self);
  lie.content = 7;
  lone.peer.deliver(other, INeed{lie, {0}});
  CHECK(lone.peer.sent<NotHere>().size() == 2);
  const FileRef own = make_file(6, size, lone.world.files.chunk, self);
  lone.peer.deliver(other, INeed{own, {0}});
  CHECK(lone.peer.sent<Chunk>().size() == 1);
}

TEST_CASE("messages about files that no peer of the run can send are not believed") {
  Lone lone;
  const auto refused = [&lone](const auto& message) {
    lone.peer.forget();
    lone.peer.deliver(other, message);
    return lone.peer.refused() == core::Drop::implausible;
  };
  FileRef large = lone.file;
  large.size = size + 1;
  FileRef empty = lone.file;
  empty.size = 0;
  FileRef homeless = lone.file;
  homeless.home = PeerId{99};
  for (const FileRef& file : {large, empty, homeless}) {
    CHECK(refused(DoYouNeed{0, {file}, false}));
    CHECK(refused(INeed{file, {}}));
  }
  CHECK(refused(INeed{lone.file, {9}}));
  CHECK(refused(INeed{lone.file, std::vector<std::uint32_t>(widest_window + 1, 0)}));
  CHECK(refused(Contents{lone.file.name, Index(9)}));
  CHECK(refused(Chunk{lone.file.name, 0, core::Bytes(lone.world.files.chunk + 1)}));
  CHECK(refused(IHave{std::vector<Digest>(core::Recipe::most_files + 1), {}}));
  CHECK_FALSE(refused(INeed{lone.file, {0}}));
}

TEST_CASE("a file whose tasks have gone makes room, and one that a task here needs stays") {
  Lone lone;
  lone.give(lone.task(0), false);
  lone.serve(other);
  lone.file = make_file(6, size, lone.world.files.chunk, home);
  const FileRef first = make_file(5, size, lone.world.files.chunk, home);
  lone.give(lone.task(1), false);
  lone.serve(other);
  CHECK(lone.peer.protocol().cache().bytes() == 2 * size);
  lone.peer.deliver_to<Careless>(home, Command{PeerId{3}});
  CHECK(lone.peer.protocol().cache().bytes() == size);
  CHECK_FALSE(lone.peer.protocol().cache().has(first.name));
}

}  // namespace rhizome::file_stager_test
