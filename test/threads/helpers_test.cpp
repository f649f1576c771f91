// Experiments in virtual time whose runs several processes do, here of one: the results are the
// same to the byte, whichever process does a run and whichever is lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/peer/tagged.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/helping.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/store/store.hpp"
#include "test/support/crossing.hpp"

namespace rhizome::scenarios::helpers_test {

using namespace std::chrono_literals;

namespace {

const Packing packing{.pack = packed, .unpack = unpacked};

std::vector<Cell> cells_of(std::uint32_t repetitions) {
  return parse_scenario(
      "peers.count = 12\nworkload.jobs = 4\nengine.kind = \"virtual\"\n"
      "engine.at_once = 1\nrun.repetitions = " +
          std::to_string(repetitions) +
          "\n[[scheduler]]\nuse = \"organic-grid\"\n[[scheduler]]\nuse = "
          "\"round-robin\"\n",
      "s.toml");
}

// Messages about runs that are handed out again, from any thread.
class News {
 public:
  void add(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    texts_.push_back(text);
    told_ = true;
    told_.notify_all();
  }
  // No run begins in this process until something is told, however slow the other is.
  [[nodiscard]] RunHooks first() {
    return {.pace = [this](const RunUnderWay&) {
      told_.wait(false);
      return nullptr;
    }};
  }
  // The number of texts with that beginning and end.
  [[nodiscard]] std::size_t count(const std::string& begin, const std::string& end) const {
    return static_cast<std::size_t>(std::count_if(
        texts_.begin(), texts_.end(),
        [&](const std::string& text) { return text.starts_with(begin) && text.ends_with(end); }));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
  std::atomic<bool> told_{false};
};

// The store of the whole experiment.
std::vector<std::byte> done_by(const std::vector<Cell>& cells, Helpers* helpers, RunHooks runs = {},
                               News* news = nullptr) {
  Store store = Store::in_memory();
  const auto tell = [news](const std::string& text) {
    if (news != nullptr) news->add(text);
  };
  const ExperimentHooks hooks{.outcome = [&](Outcome&& outcome) { store.add(outcome); },
                              .news = tell,
                              .runs = std::move(runs)};
  CHECK(run_experiment(cells, hooks, {.helpers = helpers}));
  return store.image();
}

// No run begins in this process until another has done one, however slow that is.
class OthersFirst {
 public:
  [[nodiscard]] RunHooks hooks() {
    return {.pace =
                [this](const RunUnderWay&) {
                  over_.wait(false);
                  return nullptr;
                },
            .over =
                [this](const RunUnderWay&) {
                  over_ = true;
                  over_.notify_all();
                }};
  }

 private:
  std::atomic<bool> over_{false};
};

std::unique_ptr<core::Mesh> joined(test::MeetingPlace& place, std::uint32_t rank) {
  test::InMemory rendezvous(place, rank);
  return std::make_unique<core::Mesh>(
      rendezvous, core::MeshOptions{.process = {.host = "here", .version = "test"}});
}

// The experiment of process 0 with one other process, which behaves as given.
template <class Behave>
std::vector<std::byte> with(const std::vector<Cell>& cells, Behave behave,
                            std::vector<Member>* members = nullptr, RunHooks runs = {},
                            News* news = nullptr) {
  test::MeetingPlace place(2);
  std::thread other([&] {
    auto mesh = joined(place, 1);
    behave(std::move(mesh));
  });
  std::vector<std::byte> image;
  {
    const auto mesh = joined(place, 0);
    {
      Helpers helpers(*mesh, packing);
      while (helpers.slots() == 0) static_cast<void>(helpers.hear(10ms));
      image = done_by(cells, &helpers, std::move(runs), news);
      if (members != nullptr) *members = helpers.members();
    }
    other.join();
  }
  return image;
}

void say(core::Mesh& mesh, helping::Word word) { mesh.send(0, core::encode_tagged(word)); }

}  // namespace

TEST_CASE("runs that helpers do are the same to the byte") {
  const auto cells = cells_of(30);
  std::atomic<int> helped{0};
  std::vector<Member> members;
  const auto helpful = [&](std::unique_ptr<core::Mesh> mesh) {
    const Packing counting{.pack =
                               [&](const Outcome& outcome) {
                                 ++helped;
                                 return packed(outcome);
                               },
                           .unpack = unpacked};
    CHECK(help_with_experiment(cells, *mesh, counting));
  };
  OthersFirst others_first;
  const auto image = with(cells, helpful, &members, others_first.hooks());
  CHECK(image == done_by(cells, nullptr));
  CHECK(helped > 0);
  REQUIRE(members.size() == 2);
  CHECK(members[0].runs + members[1].runs == 60);
  CHECK(members[1].runs > 0);
  CHECK(members[1].host == "here");
}

TEST_CASE("runs of a helper that has gone are done again, and each is reported") {
  const auto cells = cells_of(30);
  News news;
  const auto leaving = [&](std::unique_ptr<core::Mesh> mesh) {
    say(*mesh, helping::Ready{3});
    for (int orders = 0; orders < 3;) orders += mesh->receive(10ms) ? 1 : 0;  // and goes
  };
  const auto image = with(cells, leaving, nullptr, {}, &news);
  CHECK(image == done_by(cells, nullptr));
  CHECK(news.count("run ",
                   " takes thrice as long as any other has, and is handed out again as well") == 3);
}

TEST_CASE("a helper that is interrupted leaves its runs to others at once, and that is reported") {
  const auto cells = cells_of(6);
  News news;
  const auto interrupted = [&](std::unique_ptr<core::Mesh> mesh) {
    std::atomic<bool> stop{false};
    const Help unhurried{.run =
                             [&](std::size_t, std::vector<std::string>&, const auto* closed) {
                               stop = true;
                               while (!closed->load()) std::this_thread::sleep_for(1ms);
                               return Outcome{};
                             },
                         .runs = 12,
                         .stop = &stop};
    CHECK(!help(*mesh, packing, unhurried));
  };
  CHECK(with(cells, interrupted, nullptr, news.first(), &news) == done_by(cells, nullptr));
  CHECK(news.count("process 1 on here was interrupted; its ", " handed out again") == 1);
}

TEST_CASE("a helper that answers nonsense, or cannot do a run, leaves it to the others") {
  const auto cells = cells_of(6);
  const auto honest = done_by(cells, nullptr);
  const auto answering = [&](const helping::Word& word, RunHooks runs = {}, News* news = nullptr) {
    const auto answer = [&](std::unique_ptr<core::Mesh> mesh) {
      say(*mesh, helping::Ready{2});
      while (!mesh->receive(10ms)) {
      }
      say(*mesh, word);
      while (!mesh->loss_of(0)) {
        const auto parcel = mesh->receive(10ms);
        const auto said = parcel ? core::decode_tagged<helping::Word>(parcel->bytes) : std::nullopt;
        if (said && std::holds_alternative<helping::Dismissal>(*said)) return;
      }
    };
    return with(cells, answer, nullptr, std::move(runs), news);
  };
  CHECK(answering(helping::Answer{.run = 999'999}) == honest);
  CHECK(answering(helping::Answer{.run = 0}) == honest);
  CHECK(answering(helping::Answer{.run = 0, .done = true, .outcome = core::Bytes(100)}) == honest);
  News news;
  CHECK(answering(helping::Order{1}, news.first(), &news) == honest);
  CHECK(news.count("process 1 on here sends what cannot be understood, and is asked no more; its ",
                   " handed out again") == 1);
}

TEST_CASE("a helper that is ordered an unknown run ends") {
  const auto cells = cells_of(1);
  test::MeetingPlace place(2);
  std::optional<bool> ended;
  std::thread other([&] {
    const auto mesh = joined(place, 1);
    ended = help_with_experiment(cells, *mesh, packing);
  });
  const auto mesh = joined(place, 0);
  while (!mesh->receive(10ms)) {
  }
  mesh->send(1, core::encode_tagged(helping::Word(helping::Order{2})));
  Helpers helpers(*mesh, packing);
  std::vector<std::uint32_t> gone;
  while (gone.empty()) {
    static_cast<void>(helpers.hear(10ms));
    gone = helpers.newly_lost();
  }
  CHECK(helpers.fate_of(1) == "process 1 on here does not understand this one");
  other.join();
  CHECK(ended == false);
}

}  // namespace rhizome::scenarios::helpers_test
