#include "scenarios/store/store.hpp"
#include "scenarios/store/fact_tables.hpp"
#include "scenarios/store/schema.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/store/csv.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/sql.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/compare/figures.hpp"

namespace rhizome::scenarios::store_test {

using namespace tools;

using namespace std::chrono_literals;
using core::PeerId;
using test::at;
using test::TemporaryDirectory;

namespace {

// Something in every table, and every optional value missing somewhere.
Outcome rich_outcome() {
  Outcome outcome = test::busy_outcome();
  outcome.ending = core::Ending::limit;
  outcome.failure = "nobody\nis left";
  outcome.at_least_once = true;
  outcome.most_hops = 2;
  outcome.in_time = 90s;
  outcome.patience = {.notice = 3s, .mend = 4s};
  outcome.longest_delay = 12ms;
  outcome.queueing = true;
  outcome.events = 99;
  outcome.peers[2].armed = "sleeper.Nap{}, sleeper.Wake{7}";
  outcome.working = 2;
  outcome.validity = {.level = Validity::Level::suspect,
                      .reason = "it was \"late\", by much",
                      .remedy = "less of it",
                      .worst_lag = 7ms,
                      .tolerance = 3ms};
  outcome.peers[1].alive = false;
  outcome.peers[1].restarts = 4;
  outcome.peers[1].speed = 1.0 / 3;
  outcome.peers[1].share = 0.25;
  outcome.peers[1].drops = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  outcome.tasks[0] = TaskOutcome{.id = {0, 0}, .duration = 1ns};
  outcome.needs = {{0, 1, 0}, {1, 0, 1}};
  outcome.jobs[0].completed = false;
  outcome.jobs[0].completed_at = {};
  test::say(outcome, 30s, 2,
            agents::ParentChanged{PeerId{0}, core::no_peer, PeerId{1}, "ünï; \"code"});
  test::say(outcome, 31s, 0, agents::NeighboursRight{7, -0.1});
  test::say(outcome, 31s, 0, agents::sparrow::AdvertUsed{PeerId{1}, 5ns});
  test::say(outcome, 31s, 1, agents::LeadersLinked{PeerId{2}, true});
  outcome.peers[2].line = {.up = {.packets = 4, .busy = 1s, .waited = 2s, .longest = 1ms},
                           .down = {.packets = 5}};
  outcome.faults = {{at(1s), PeerId{1}, core::Fault::Kind::crash},
                    {at(2s), PeerId{1}, core::Fault::Kind::restart}};
  outcome.samples = {{at(0s), {1, 2, 3}, 4}, {at(1s), {5, 6, 7}, 8}};
  outcome.histograms = {{"packet lag", {{15, 3}, {31, 4}}}, {"inbox depth", {}}};
  outcome.cuts = {{at(5s), at(6s)}};
  outcome.stalls = {{PeerId{1}, at(7s), at(8s)}, {PeerId{2}, at(0s), at(1s)}};
  outcome.lost = {{{PeerId{1}, PeerId{2}}, "process 1 on h is lost", at(3s), at(4s), 5, 6},
                  {{}, "process 2 on h is lost", at(5s), at(6s)}};
  outcome.judged = {{"tree", 1s, 2s}, {"groups", 0s, 3s}};
  outcome.violations = {{"tree", PeerId{2}, at(3s), "it is a bush"},
                        {"conservation", core::no_peer, at(4s), "lost"}};
  return outcome;
}

// The results of two runs of the smallest scenario, as a file.
std::string replayed(const TemporaryDirectory& directory, const std::string& name) {
  const auto cells = load_scenario(test::shipped("scenarios/round-robin.toml"),
                                   {.environment = {}, .command_line = {"run.repetitions=2"}});
  const auto path = directory.path() / name;
  {
    Store store = Store::create(path);
    const ExperimentHooks hooks{.outcome = [&](Outcome&& outcome) { store.add(outcome); }};
    REQUIRE(run_experiment(cells, hooks));
    REQUIRE(store.size() == 2);
  }
  return test::content_of(path.string());
}

template <class Error, class F>
std::string complaint(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

TEST_CASE("an outcome is read back whole") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  const Outcome first = rich_outcome();
  const Outcome second = test::quiet_outcome(2);
  {
    Store store = Store::create(path);
    store.add(first);
    store.add(second);
    CHECK(store.read(0) == first);
  }
  const Store store = Store::open(path);
  REQUIRE(store.size() == 2);
  CHECK(store.read(0) == first);
  CHECK(store.read(1) == second);
  CHECK(store.identity(0) == first.identity);
}

TEST_CASE("facts on request, and of few runs, have a table in stores that hold some alone") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  Outcome with = rich_outcome();
  test::say(with, 40s, 1, agents::TaskHanded{{1, 2}, PeerId{2}});
  test::say(with, 40s, 1, agents::GraphSubmitted{.job = 1, .critical_path = 3s, .bytes = 0.5});
  const Outcome without = test::quiet_outcome(2);
  const auto tables = [&] { return fact_tables(Database(path, Database::Mode::read)).size(); };
  {
    Store store = Store::create(path);
    store.add(without);
    const std::size_t before = tables();
    store.add(with);
    CHECK(tables() == before + 2);
    store.add(with);
    CHECK(tables() == before + 2);
  }
  const Store store = Store::open(path);
  CHECK(store.read(0) == without);
  CHECK(store.read(1) == with);
  CHECK(store.read(2).facts.any<agents::TaskHanded>());
  const Database database(path, Database::Mode::create);  // views are for people
  Statement query = database.prepare("SELECT count(*) FROM facts WHERE name = 'task-handed'");
  query.start();
  REQUIRE(query.next());
  CHECK(query.text(0) == "2");
}

template <class... F>
void say_all(Outcome& outcome, const core::OneOf<F...>*) {
  (test::say(outcome, 40s, 1, F{}), ...);
}

TEST_CASE("every fact of an outcome has a table that describes its columns") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  Outcome outcome = test::quiet_outcome(2);
  say_all(outcome, static_cast<const KnownFacts*>(nullptr));
  Store store = Store::create(path);
  CHECK_NOTHROW(store.add(outcome));
  CHECK(fact_tables(Database(path, Database::Mode::read)).size() ==
        std::variant_size_v<KnownFacts>);
}

TEST_CASE("a stored outcome has the metrics of the fresh one") {
  const TemporaryDirectory directory;
  const Outcome fresh = test::busy_outcome();
  Store store = Store::create(directory.path() / "results.sqlite");
  store.add(fresh);
  const std::vector<double> stored = figures_of(store.read(0)).values;
  const std::vector<double> values = figures_of(fresh).values;
  REQUIRE(stored.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK((stored[i] == values[i] || (std::isnan(stored[i]) && std::isnan(values[i]))));
}

TEST_CASE("wall time stays out of the store") {
  const TemporaryDirectory directory;
  Outcome outcome = test::busy_outcome();
  outcome.wall = 5s;
  Store store = Store::create(directory.path() / "results.sqlite");
  store.add(outcome);
  outcome.wall = 0s;
  CHECK(store.read(0) == outcome);
}

TEST_CASE("two virtual runs of one seed give the same file to the byte") {
  const TemporaryDirectory directory;
  const std::string once = replayed(directory, "once");
  CHECK(once.size() > 10'000);
  CHECK(once == replayed(directory, "twice"));
}

TEST_CASE("an outcome that cannot be stored leaves the file as it was") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  Store store = Store::create(path);
  store.add(test::busy_outcome());
  Outcome wrong = test::busy_outcome();
  wrong.tasks.push_back(wrong.tasks.front());  // the same task twice
  CHECK_THROWS_AS(store.add(wrong), CannotWrite);
  CHECK(store.size() == 1);
  store.add(test::quiet_outcome(1));
  CHECK(store.size() == 2);
  CHECK(store.read(1) == test::quiet_outcome(1));
}

TEST_CASE("a store is never written over, nor into when opened for reading") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::quiet_outcome(1)); }
  CHECK(complaint<CannotWrite>([&] { (void)Store::create(path); }) ==
        path.string() + " exists already");
  Store reader = Store::open(path);
  CHECK_THROWS_AS(reader.add(test::quiet_outcome(1)), CannotWrite);
  CHECK_THROWS_AS((void)Store::create(directory.path() / "no such" / "results.sqlite"),
                  CannotWrite);
}

TEST_CASE("a file that is no results store is refused in a sentence") {
  const TemporaryDirectory directory;
  const auto open = [&](const std::filesystem::path& path) {
    return complaint<UnreadableFile>([&] { (void)Store::open(path); });
  };
  const auto missing = directory.path() / "missing";
  CHECK(open(missing) == missing.string() + ": there is no such file");

  const test::TemporaryFile text("this is no database, however long it may be: " +
                                 std::string(2000, 'x'));
  CHECK(open(text.name()) == text.name() + " cannot be opened: file is not a database");

  const auto other = directory.path() / "other";
  Database(other, Database::Mode::create).execute("CREATE TABLE t (x)");
  CHECK(open(other) == other.string() + " is a database, but no results store");

  const auto newer = directory.path() / "newer";
  { (void)Store::create(newer); }
  Database(newer, Database::Mode::create).execute("PRAGMA user_version = 1000");
  CHECK(open(newer) == newer.string() + " has tables of version 1000; this program reads version " +
                           std::to_string(store_version));
}

TEST_CASE("a missing run and a damaged word are told, not made up") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  CHECK_THROWS_AS((void)Store::open(path).read(1), UnreadableFile);
  Database(path, Database::Mode::create).execute("UPDATE runs SET ending = 'eaten'");
  CHECK(complaint<UnreadableFile>([&] { (void)Store::open(path).read(0); }) ==
        path.string() + " cannot be read: the word \"eaten\" has no meaning here");
}

TEST_CASE(
    "unknown ids, numbers without a meaning and missing tables are reported, by every reader") {
  const std::vector<std::pair<std::string, std::string>> damages{
      {"UPDATE fact_parent_changed SET peer = 1000000", "there is no peer 1000000"},
      {"UPDATE tasks SET executor = 7", "there is no peer 7"},
      {"UPDATE fact_parent_changed SET root = 7", "there is no peer 7"},
      {"UPDATE peers SET peer = 9 WHERE peer = 0", "there is no peer 0"},
      {"UPDATE burdens SET type = 99 WHERE position = 0", "has no messages of type 99"},
      {"UPDATE peers SET sent = -1", "a column sent holds what it cannot mean: \"-1\""},
      {"UPDATE runs SET ended_ns = -1", "a column ended_ns holds what it cannot mean: \"-1\""},
      {"UPDATE runs SET ended_ns = 4611686018427387904", "a column ended_ns holds"},
      {"UPDATE runs SET repetition = 0", "repetitions count from 1"},
      {"UPDATE runs SET repetition = 5000000000", "a column repetition holds"},
      {"UPDATE faults SET peer = NULL", "there is no peer 4294967295"},
      {"DROP TABLE stalls", "no such table: stalls"}};
  for (const auto& [damage, told] : damages) {
    CAPTURE(damage);
    const TemporaryDirectory directory;
    const auto path = directory.path() / "results.sqlite";
    { Store::create(path).add(rich_outcome()); }
    Database(path, Database::Mode::create).execute(damage);
    const std::string words = complaint<UnreadableFile>([&] { (void)Store::open(path).read(0); });
    CHECK(words.starts_with(path.string() + " cannot be read: "));
    CHECK(words.find(told) != std::string::npos);
  }
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(rich_outcome()); }
  Database(path, Database::Mode::create).execute("DROP TABLE stalls");
  CHECK(complaint<UnreadableFile>([&] {
          (void)Store::open(path).export_csv(directory.path() / "csv");
        }) == path.string() + " cannot be read: no such table: stalls");
}

TEST_CASE("the views sum burdens by peer and by kind") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(test::busy_outcome()); }
  const Database database(path, Database::Mode::create);
  std::ostringstream kinds;
  write_csv(database, "kind_burdens", kinds);
  CHECK(kinds.str() ==
        "run,label,service,name,class,cause,messages,bytes,units\r\n"
        "1,dealer,dealer,assign,job,work,4,400,4\r\n"
        "1,dealer,dealer,done,result,completion,4,200,4\r\n");
  std::ostringstream peers;
  write_csv(database, "peer_burdens", peers);
  CHECK(peers.str().find("1,dealer,0,job,4,400,4\r\n") != std::string::npos);
  std::ostringstream summary;
  write_csv(database, "summary", summary);
  CHECK(summary.str().find("1,dealer,1,18364758544493064720,finished,valid,13,3,3,1,4,4,0,"
                           "\"peers.count=3 network.loss=0, \"\"none\"\"\",3,"
                           "\"0, \"\"none\"\"\",\r\n") != std::string::npos);
}

TEST_CASE("the summary as CSV has a column for each key that was swept, and its bare values") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.sqlite";
  { Store::create(path).add(rich_outcome()); }
  Database database(path, Database::Mode::create);
  database.execute("UPDATE cells SET value = '\"250ms\"' WHERE position = 0");
  database.execute("UPDATE cells SET key = 'it''s \"odd\"', value = 'true' WHERE position = 1");
  std::ostringstream summary;
  write_csv(database, "summary", summary);
  CHECK(summary.str().find(",cell,peers.count,\"it's \"\"odd\"\"\",failure\r\n") !=
        std::string::npos);
  CHECK(summary.str().ends_with(",250ms,true,\"nobody\nis left\"\r\n"));
}

TEST_CASE("every table is exported with quotes where RFC 4180 wants them") {
  const TemporaryDirectory directory;
  Store store = Store::create(directory.path() / "results.sqlite");
  store.add(rich_outcome());
  const auto files = store.export_csv(directory.path() / "csv");
  const Database database(directory.path() / "results.sqlite", Database::Mode::read);
  CHECK(files.size() ==
        table_statements().size() + fact_tables(database).size() + 1);  // the summary
  const auto content = [&](const std::string& table) {
    return test::content_of((directory.path() / "csv" / (table + ".csv")).string());
  };
  CHECK(content("cells") ==
        "run,position,key,value\r\n1,0,peers.count,3\r\n1,1,network.loss,\"0, \"\"none\"\"\"\r\n");
  CHECK(content("runs").find("\"it was \"\"late\"\", by much\",less of it") != std::string::npos);
  CHECK(content("tasks").find("\r\n1,0,0,1,,,,,0,0,0,0,0\r\n") != std::string::npos);
  CHECK(content("peers").find("0.3333333333333333") != std::string::npos);
  CHECK(content("lines").find("\r\n1,2,up,4,1000000000,2000000000,1000000\r\n") !=
        std::string::npos);
  CHECK(content("fact_parent_changed") ==
        "run,at_ns,peer,number,root,parent,former,reason\r\n"
        "1,30000000000,2,4,0,,1,\"ünï; \"\"code\"\r\n");
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  for (const std::string formula : {"=1+1", "+1", "-1", "@sum"})
    CHECK(csv_field(formula) == "'" + formula);
  CHECK(csv_field("\t=1") == "\"\t'=1\"");
  CHECK(csv_field("x;=1") == "\"x;'=1\"");
  CHECK(csv_field("x;y=1") == "\"x;y=1\"");
  CHECK(csv_field("x;\"=1") == "\"x;'\"\"=1\"");
  CHECK(csv_field("\"=1") == "\"\"\"=1\"");
  CHECK(csv_field("=a,b") == "\"'=a,b\"");
}

TEST_CASE("the store itself describes the meaning and unit of each of its columns") {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "results.sqlite";
  static_cast<void>(Store::create(file));
  const Database database(file, Database::Mode::read);
  Statement tables = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table'");
  tables.start();
  std::size_t columns = 0;
  while (tables.next()) {
    std::istringstream lines(tables.text(0));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  ") || line.starts_with("  PRIMARY")) continue;
      ++columns;
      INFO(line);
      CHECK(line.find(" -- ") != std::string::npos);
      CHECK((line.find("_ns ") == std::string::npos) ==
            (line.find(", in ns") == std::string::npos));
    }
  }
  CHECK(columns > 150);
}

TEST_CASE("a column has the meaning of its table or fact, else that of all facts") {
  const auto statement_of = [](const auto& statements, const std::string& table) {
    for (const auto& [name, statement] : statements)
      if (name == table) return statement;
    return std::string();
  };
  const std::string own = statement_of(table_statements(), "tasks");
  CHECK(own.find("-- whose result came first; NULL: none came\n") != std::string::npos);
  const std::string shared = statement_of(fact_table_statements(), "fact_task_completed");
  CHECK(shared.find("-- which peer ran it\n") != std::string::npos);
}

}  // namespace rhizome::scenarios::store_test
