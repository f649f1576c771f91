// Kinds of work: what travels of them, how they are really done, and that one more is one more
// entry of a catalogue.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agents/facts.hpp"
#include "agents/task.hpp"
#include "agents/work/convolution.hpp"
#include "agents/work/matrix.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/work/kind.hpp"
#include "scenarios/format/work_keys.hpp"
#include "test/support/facts.hpp"
#include "test/support/protocols.hpp"
#include "test/support/works.hpp"

namespace rhizome::work_kind_test {

using core::Bytes;
using core::Computation;
using core::Recipe;
using core::Work;
using core::WorkKind;
using core::WorkKindId;

namespace {

// A kind that no other file knows: a thread of its own counts the letters of a text.
struct Letters {
  std::string text = "abc";
  std::uint32_t times = 1;
};

class Counting final : public Computation {
 public:
  Counting(const Letters& letters, std::uint64_t seed) : letters_(letters), seed_(seed) {}
  ~Counting() override {
    cancel();
    if (thread_.joinable()) thread_.join();
  }
  void begin(Done done) override {
    thread_ = std::thread([this, done = std::move(done)] {
      std::uint64_t count = seed_;
      for (std::uint32_t i = 0; i < letters_.times && !cancelled_; ++i)
        count += letters_.text.size();
      done(core::judged(std::to_string(count), true));
    });
  }
  void pace(double) override {}
  void cancel() override { cancelled_ = true; }

 private:
  const Letters letters_;
  const std::uint64_t seed_;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

WorkKind letters() {
  return core::make_work_kind<Letters>(
      {.name = "letters",
       .summary = "counts letters",
       .settings = core::Settings<Letters>{}
                       .add("text", &Letters::text, {"Which."})
                       .add("times", &Letters::times, {"How often.", "", 1, 1000}),
       .compute = [](const Letters& o, std::uint64_t seed) -> std::unique_ptr<Computation> {
         return std::make_unique<Counting>(o, seed);
       }});
}

const std::vector<WorkKind>& with_letters() {
  static const std::vector<WorkKind> kinds{core::emulated_work(), agents::matrix_work(), letters()};
  return kinds;
}

// Facts that an executor notes.
struct NotedFacts {
  std::vector<agents::TaskComputed> computed{};
  std::size_t executed = 0;
  void note(const agents::TaskComputed& fact) { computed.push_back(fact); }
  void note(const agents::TaskExecuted&) { ++executed; }
};

Bytes encoded(const agents::Task& task) {
  Bytes bytes;
  core::encode(task, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("a task of emulated work travels as it did before there were kinds") {
  Bytes bytes;
  core::Writer out(bytes);
  out.array(6);
  out.array(2);
  out.natural(3);
  out.natural(7);
  out.integer(1000);
  out.real(0.5);
  out.natural(2);
  out.natural(0);
  out.natural(0);
  const agents::Task task{.id = {3, 7}, .duration = core::Duration(1000), .memory = 0.5, .cpus = 2};
  CHECK(encoded(task) == bytes);
}

TEST_CASE("the input and the needs of a task survive its travels") {
  agents::Task task{.id = {1, 2}, .recipe = test::matrix_work(64).recipe};
  task.named.set(1, 2500);
  agents::Task heard;
  REQUIRE(core::decode(encoded(task), heard) == core::DecodeError::none);
  CHECK(heard.recipe == task.recipe);
  CHECK(heard.recipe != Recipe{});
  CHECK(heard.named == task.named);
}

TEST_CASE("a recipe of nothing, of no kind or longer than any is refused") {
  const auto refused = [](auto&& say) {
    Bytes bytes;
    core::Writer out(bytes);
    say(out);
    Recipe recipe;
    return core::decode(bytes, recipe) != core::DecodeError::none;
  };
  CHECK(refused([](core::Writer& out) { out.natural(1); }));
  const auto pair = [&](std::uint64_t kind, std::size_t size) {
    return refused([&](core::Writer& out) {
      out.array(2);
      out.natural(kind);
      out.text(std::string(size, 'x'));
    });
  };
  CHECK(pair(0, 1));
  CHECK(pair(256, 1));
  CHECK(pair(1, Recipe::longest + 1));
  CHECK_FALSE(pair(255, Recipe::longest));
}

TEST_CASE("a text for a kind of work is refused if it is longer than any recipe") {
  const auto recipe = [](std::size_t size) {
    return test::recipe(with_letters(), "letters", "text", std::string(size, 'x'));
  };
  CHECK(recipe(1000).spec().size() > 1000);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(recipe(5000)),
      "what work of the kind letters is told takes 5005 bytes, and 4096 are the most",
      std::invalid_argument);
}

TEST_CASE("an input that a kind cannot have made is not computed, however well it is encoded") {
  const auto matrix = static_cast<WorkKindId>(1);
  const core::WorkKinds kinds = agents::work_kinds();
  CHECK(core::computation_of(kinds, test::matrix_work(4096)) != nullptr);
  CHECK(core::computation_of(kinds, test::matrix_work(4097)) == nullptr);
  CHECK(core::computation_of(kinds, {.recipe = {matrix, "nonsense"}}) == nullptr);
  CHECK(core::computation_of(kinds, {.recipe = {static_cast<WorkKindId>(99), ""}}) == nullptr);
  CHECK(core::computation_of(kinds, {}) == nullptr);
  CHECK(core::result_of(kinds, test::matrix_work(4097)) == core::Result{});
}

TEST_CASE("every kind of the catalogue has a name and a sentence, and obeys its settings") {
  const core::WorkKinds kinds = agents::work_kinds();
  REQUIRE_FALSE(kinds.empty());
  CHECK(kinds[0].name == "emulated");
  CHECK_FALSE(static_cast<bool>(kinds[0].compute));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CAPTURE(kinds[i].name);
    CHECK_FALSE(kinds[i].summary.empty());
    const Recipe recipe = core::recipe_of(kinds, static_cast<WorkKindId>(i));
    CHECK((core::computation_of(kinds, {.recipe = recipe}) != nullptr) == (i > 0));
  }
}

TEST_CASE("the checksum of a product is known without the product") {
  core::Throttle throttle;
  for (const std::uint32_t order : {1U, 2U, 3U, 17U, 64U})
    for (const std::uint64_t seed : {1U, 2U}) {
      CAPTURE(order);
      CHECK(agents::multiply_matrices(order, seed, throttle) ==
            agents::product_checksum(order, seed, throttle));
    }
  CHECK(agents::product_checksum(17, 1, throttle) != agents::product_checksum(17, 2, throttle));
}

TEST_CASE("an image passes a model the same in one step and apart, and models differ") {
  core::Throttle throttle;
  for (const std::uint32_t size : {1U, 2U, 16U})
    for (const std::uint32_t layers : {1U, 3U}) {
      CAPTURE(size);
      const agents::ConvolutionShape shape{size, layers};
      CHECK(agents::convolve(shape, 5, 0, throttle) ==
            agents::convolve_apart(shape, 5, 0, throttle));
    }
  const agents::ConvolutionShape shape{16, 3};
  const std::uint64_t sum = agents::convolve(shape, 5, 0, throttle);
  CHECK(sum != agents::convolve(shape, 5, 1, throttle));
  CHECK(sum != agents::convolve(shape, 6, 0, throttle));
}

TEST_CASE("jobs of even numbers have the first model, and the others the second") {
  const core::WorkKinds kinds = agents::work_kinds();
  const auto result = [&](std::uint32_t job) {
    const core::Recipe recipe = test::recipe(kinds, "convolution", "size", std::int64_t{8});
    return core::result_of(kinds, {.recipe = recipe, .seed = agents::subject_of({job, 1})});
  };
  for (const std::uint32_t job : {0U, 1U, 2U, 7U}) {
    CHECK(result(job).verdict == core::Result::Verdict::right);
    CHECK(result(job).value.starts_with(job % 2 == 0 ? "model 1, " : "model 2, "));
  }
}

TEST_CASE("computed results are judged, and emulated ones are not") {
  const core::WorkKinds kinds = agents::work_kinds();
  CHECK(core::result_of(kinds, test::matrix_work(8)).verdict == core::Result::Verdict::right);
  const core::Recipe cg = test::recipe(kinds, "cg", "class", std::string("S"));
  CHECK(core::result_of(kinds, {.recipe = cg}) == core::judged("zeta 8.5971775078648", true));
  CHECK(core::result_of(kinds, {}).verdict == core::Result::Verdict::none);
}

TEST_CASE("an executor and a server report the result of a task, and whether it is right") {
  for (const bool right : {false, true}) {
    CAPTURE(right);
    NotedFacts noted;
    agents::note_executed(noted, {1, 2}, std::chrono::seconds(3), core::judged("a value", right));
    CHECK(noted.computed == std::vector<agents::TaskComputed>{{{1, 2}, "a value", right}});
    agents::note_executed(noted, {1, 3}, std::chrono::seconds(3), {});
    CHECK(noted.computed.size() == 1);
    CHECK(noted.executed == 2);
  }
}

TEST_CASE("the value of a result is cut where it is longer than the longest") {
  CHECK(core::judged(std::string(300, 'x'), true).value.size() == core::Result::longest);
}

TEST_CASE("a kind that only this test knows runs in virtual time, and takes its estimate") {
  const core::LinkChain links;
  const Work work{.recipe = test::recipe(with_letters(), "letters", "times", std::int64_t{5}),
                  .duration = std::chrono::seconds(3),
                  .seed = 100};
  core::EngineSetup setup;
  setup.peers = 1;
  setup.links = &links;
  setup.kinds = with_letters();
  setup.make_peer = [&](core::PeerId id, core::Incarnation life) {
    auto peer = std::make_unique<core::Peer>(id, life, 1);
    peer->add<test::Routine>(work);
    return peer;
  };
  const core::EngineReport report = core::VirtualEngine(setup).run({});
  const auto worked = test::facts_of(report.recorders[0].facts()).at(0).as<test::Worked>();
  CHECK(worked.result == "115");
  CHECK(worked.took == std::chrono::seconds(3));
}

TEST_CASE("the settings of a kind are keys of the workload, and belong to that kind") {
  const auto settings = scenarios::work_settings(with_letters());
  const auto find = [&](const std::string& name) {
    return *std::find_if(settings.begin(), settings.end(),
                         [&](const core::Setting& each) { return each.name == name; });
  };
  CHECK(find("work").choices == std::vector<std::string>{"emulated", "matrix", "letters"});
  scenarios::WorkloadSection section;
  find("work").assign(&section, std::string("letters"));
  CHECK(std::get<std::int64_t>(find("letters_times").read(&section)) == 1);
  find("letters_times").assign(&section, std::int64_t{4});
  find("letters_text").assign(&section, std::string("abcde"));
  CHECK(std::get<std::int64_t>(find("letters_times").read(&section)) == 4);
  CHECK(std::get<std::int64_t>(find("matrix_order").read(&section)) == 128);
  const Work work{.recipe = core::recipe_of(with_letters(), section.work, section.work_options)};
  CHECK(core::result_of(with_letters(), work).value == "20");
  for (const scenarios::Condition& condition : scenarios::work_conditions(with_letters()))
    if (condition.key.starts_with("letters"))
      CHECK(condition.words == std::vector<std::string>{"letters"});
}

TEST_CASE("an endless computation is cancelled once the end of its run is asked for") {
  // Goes on until it is cancelled, in the thread that began it.
  class Endless final : public Computation {
   public:
    void begin(Done done) override {
      cancelled_.wait(false);
      done(core::judged("1", true));
    }
    void pace(double) override {}
    void cancel() override {
      cancelled_ = true;
      cancelled_.notify_all();
    }

   private:
    std::atomic<bool> cancelled_{false};
  };
  struct Nothing {};
  const std::vector<WorkKind> kinds{
      core::emulated_work(),
      core::make_work_kind<Nothing>(
          {.name = "endless",
           .summary = "never ends",
           .settings = {},
           .compute = [](const Nothing&, std::uint64_t) -> std::unique_ptr<Computation> {
             return std::make_unique<Endless>();
           }})};
  const Work work{.recipe = core::recipe_of(kinds, WorkKindId{1})};
  const std::atomic<bool> stop{true};
  CHECK(core::result_of(kinds, work, &stop).value == "1");
}

}  // namespace rhizome::work_kind_test
