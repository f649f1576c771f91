#include "tools/serve/job_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "core/child/links.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/serve/job_file.hpp"

namespace rhizome::tools {

using scenarios::Database;
using scenarios::Statement;

namespace {

constexpr std::array<const char*, 3> state_names{"open", "done", "cancelled"};

constexpr std::size_t longest_page = std::size_t{1} << 20U;  // bytes of what was ordered

constexpr const char* job_columns =
    "SELECT id, ifnull(key, ''), work, tasks, seconds, state, done, wrong, submitted, finished, "
    "needs FROM job ";

ServedJob taken(Statement& row) {
  ServedJob job;
  std::uint8_t state = 0;
  std::string needs;
  row.take(job.id, job.order.key, job.order.work, job.order.tasks, job.order.seconds, state,
           job.done, job.wrong, job.submitted, job.finished, needs);
  job.order.needs = needs_in(needs);
  job.state = static_cast<JobState>(std::min<std::uint8_t>(state, 2));
  return job;
}

std::optional<ServedJob> one(Statement& query) {
  std::optional<ServedJob> job;
  if (query.next()) job = taken(query);
  query.end();
  return job;
}

// Reports a full database as StoreFull, whichever statement finds it full.
template <class F>
auto unless_full(F f) {
  try {
    return f();
  } catch (const scenarios::DatabaseFull& full) {
    throw StoreFull(full.what());
  }
}

// Beside the file itself, so that a server that names it by a link finds the same lock.
std::filesystem::path lock_of(const std::filesystem::path& file) try {
  return core::led_to(file).string() + ".lock";
} catch (const core::StrangeLink& error) {
  throw scenarios::CannotWrite(file.string() + ": " + error.what());
}

}  // namespace

std::string name_of(JobState state) { return state_names[static_cast<std::size_t>(state)]; }

std::optional<JobState> job_state(const std::string& name) {
  const auto found = std::find(state_names.begin(), state_names.end(), name);
  if (found == state_names.end()) return {};
  return static_cast<JobState>(found - state_names.begin());
}

// A lock file beside the store, held as long as the process lives, so that two servers never do the
// same jobs.
class JobStore::Lock {
 public:
  explicit Lock(const std::filesystem::path& file) : held_(open_own(lock_of(file))) {
    if (flock(held_, LOCK_EX | LOCK_NB) == 0) return;
    const int error = errno;
    close(held_);
    throw scenarios::CannotWrite(
        file.string() + (error == EWOULDBLOCK ? ": another server has these jobs"
                                              : ": its lock cannot be taken: " +
                                                    std::generic_category().message(error)));
  }
  ~Lock() { close(held_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int held_;
};

struct JobStore::Statements {
  Statements(const Database& writer, const Database& reader)
      : insert(writer.prepare(
            "INSERT INTO job (key, work, tasks, seconds, submitted, needs) VALUES (?, ?, ?, ?, ?, "
            "?)")),
        known(writer.prepare(std::string(job_columns) + "WHERE key = ?")),
        last(writer.prepare(std::string(job_columns) + "WHERE id = last_insert_rowid()")),
        task(writer.prepare("INSERT OR IGNORE INTO task SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS "
                            "(SELECT 1 FROM job WHERE id = ?1 AND state = 0)")),
        changes(writer.prepare("SELECT changes()")),
        advance(writer.prepare("UPDATE job SET done = done + 1, wrong = wrong + ?2 WHERE id = ?1")),
        finish(writer.prepare("UPDATE job SET state = 1, finished = ?2 WHERE id = ?1 AND state = 0 "
                              "AND done = tasks")),
        cancel(
            writer.prepare("UPDATE job SET state = 2, finished = ?2 WHERE id = ?1 AND state = 0")),
        by_key(reader.prepare(std::string(job_columns) + "WHERE key = ?")),
        by_id(reader.prepare(std::string(job_columns) + "WHERE id = ?")),
        page(reader.prepare(std::string(job_columns) + "WHERE id > ? ORDER BY id LIMIT ?")),
        of_state(reader.prepare(std::string(job_columns) +
                                "WHERE id > ? AND state = ? ORDER BY id LIMIT ?")),
        tasks(reader.prepare("SELECT task, peer, result, right, finished FROM task WHERE job = ? "
                             "AND task >= ? ORDER BY task LIMIT ?")) {}
  Statement insert, known, last, task, changes, advance, finish, cancel;
  Statement by_key, by_id, page, of_state, tasks;
};

JobStore::JobStore(const Options& options)
    : lock_(std::make_unique<Lock>(options.file)),
      writer_(open_jobs_to_write(options.file, options.most_bytes)),
      reader_(options.file, Database::Mode::create),
      statements_(std::make_unique<Statements>(writer_, reader_)),
      counts_(count()),
      thread_([this] { write_on(); }) {}

JobStore::~JobStore() {
  {
    const std::scoped_lock lock(waiting_mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

auto JobStore::accept(const JobOrder& order) -> Accepted {
  Waiting mine{.order = &order};
  std::unique_lock lock(waiting_mutex_);
  waiting_.push_back(&mine);
  changed_.notify_all();
  changed_.wait(lock, [&] { return mine.over; });
  if (mine.failure) std::rethrow_exception(mine.failure);
  return std::move(*mine.accepted);
}

// Commits orders in batches: orders that arrive during a commit wait for the next commit.
void JobStore::write_on() {
  std::unique_lock lock(waiting_mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::vector<Waiting*> batch = std::exchange(waiting_, {});
    lock.unlock();
    write(batch);
    lock.lock();
    for (Waiting* each : batch) {
      if (each->accepted && !each->accepted->known) ++counts_.jobs[0];
      each->over = true;
    }
    changed_.notify_all();
  }
}

void JobStore::write(const std::vector<Waiting*>& batch) {
  const std::scoped_lock lock(writing_);
  try {
    unless_full([&] {
      scenarios::Transaction transaction(writer_);
      for (Waiting* each : batch) each->accepted = insert(*each->order);
      transaction.commit();
    });
  } catch (...) {
    for (Waiting* each : batch) {
      each->accepted.reset();
      each->failure = std::current_exception();
    }
  }
}

auto JobStore::insert(const JobOrder& order) -> Accepted {
  if (!order.key.empty()) {
    statements_->known.start(order.key);
    if (const auto known = one(statements_->known)) return {*known, true};
  }
  const std::optional<std::string> key =
      order.key.empty() ? std::nullopt : std::optional(order.key);
  statements_->insert.run(key, order.work, order.tasks, order.seconds, milliseconds_now(),
                          text_of(order.needs));
  statements_->last.start();
  return {one(statements_->last).value(), false};
}

std::optional<ServedJob> JobStore::find(const std::string& key) const {
  const std::scoped_lock lock(reading_);
  statements_->by_key.start(key);
  return one(statements_->by_key);
}

std::optional<ServedJob> JobStore::job(std::uint64_t id) const {
  const std::scoped_lock lock(reading_);
  statements_->by_id.start(id);
  return one(statements_->by_id);
}

std::vector<ServedJob> JobStore::jobs(std::uint64_t after, std::uint32_t most,
                                      std::optional<JobState> state) const {
  const std::scoped_lock lock(reading_);
  Statement& query = state ? statements_->of_state : statements_->page;
  if (state)
    query.start(after, static_cast<int>(*state), most);
  else
    query.start(after, most);
  std::vector<ServedJob> page;
  for (std::size_t bytes = 0; bytes < longest_page && query.next();) {
    const JobOrder& order = page.emplace_back(taken(query)).order;
    bytes += order.work.size() + order.needs.size() * sizeof(order.needs[0]);
  }
  query.end();
  return page;
}

std::vector<ServedTask> JobStore::tasks(std::uint64_t job, std::uint32_t from,
                                        std::uint32_t most) const {
  const std::scoped_lock lock(reading_);
  Statement& query = statements_->tasks;
  query.start(job, from, most);
  std::vector<ServedTask> page;
  while (query.next()) {
    ServedTask& task = page.emplace_back();
    query.take(task.task, task.peer, task.result, task.right, task.finished);
  }
  query.end();
  return page;
}

void JobStore::complete(const std::vector<Done>& done) {
  Counts more;
  {
    const std::scoped_lock lock(writing_);
    unless_full([&] {
      scenarios::Transaction transaction(writer_);
      const auto changed = [this] {
        std::uint64_t rows = 0;
        statements_->changes.start();
        if (statements_->changes.next()) statements_->changes.take(rows);
        statements_->changes.end();
        return rows;
      };
      for (const auto& [job, task] : done) {
        statements_->task.run(job, task.task, task.peer, task.result, task.right, task.finished);
        if (changed() == 0) continue;
        statements_->advance.run(job, task.right ? 0 : 1);
        statements_->finish.run(job, task.finished);
        more.jobs[1] += changed();
        ++more.tasks;
        more.wrong += task.right ? 0 : 1;
      }
      transaction.commit();
    });
  }
  for (const Done& each : done) watch_.changed(each.job);
  const std::scoped_lock lock(waiting_mutex_);
  counts_.jobs[0] -= more.jobs[1];
  counts_.jobs[1] += more.jobs[1];
  counts_.tasks += more.tasks;
  counts_.wrong += more.wrong;
}

bool JobStore::cancel(std::uint64_t id) {
  bool was_open = false;
  {
    const std::scoped_lock lock(writing_);
    unless_full([&] { statements_->cancel.run(id, milliseconds_now()); });
    statements_->changes.start();
    if (statements_->changes.next()) statements_->changes.take(was_open);
    statements_->changes.end();
  }
  if (was_open) watch_.changed(id);
  const std::scoped_lock lock(waiting_mutex_);
  counts_.jobs[0] -= was_open ? 1 : 0;
  counts_.jobs[2] += was_open ? 1 : 0;
  return was_open;
}

auto JobStore::counts() const -> Counts {
  const std::scoped_lock lock(waiting_mutex_);
  return counts_;
}

// Counts the jobs that an earlier server has left.
auto JobStore::count() const -> Counts {
  Counts all;
  Statement jobs = reader_.prepare("SELECT state, count(*) FROM job GROUP BY state");
  jobs.start();
  while (jobs.next()) {
    std::uint8_t state = 0;
    std::uint64_t of_it = 0;
    jobs.take(state, of_it);
    all.jobs[std::min<std::uint8_t>(state, 2)] = of_it;
  }
  Statement tasks = reader_.prepare("SELECT ifnull(sum(done), 0), ifnull(sum(wrong), 0) FROM job");
  tasks.start();
  if (tasks.next()) tasks.take(all.tasks, all.wrong);
  return all;
}

}  // namespace rhizome::tools
