// rhizome_serve_bench: how many requests a server of jobs answers, and how late, beside a bare
// server of the same library, which inserts a row for each job, and beside bare inserts into the
// same kind of file; and whether memory and descriptors grow. All requests have a connection of
// their own, so many at a time.
//   rhizome_serve_bench [REQUESTS [AT_ONCE]]
#include <arpa/inet.h>
#include <fmt/core.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "test/support/temporary_directory.hpp"
#include "tools/monitor/web/door/server.hpp"
#include "tools/monitor/web/process.hpp"
#include "tools/serve/service.hpp"

namespace rhizome::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Figures {
  double per_second = 0;
  double median = 0;  // milliseconds
  double p99 = 0;
  std::size_t failed = 0;
};

Figures figures_of(std::vector<double> times, double seconds, std::size_t failed) {
  std::sort(times.begin(), times.end());
  if (times.empty()) return {.failed = failed};
  return {static_cast<double>(times.size()) / seconds, times[times.size() / 2],
          times[times.size() * 99 / 100], failed};
}

// Calls f(i) so often, from so many threads; false: it failed.
Figures measure(std::size_t calls, std::size_t at_once, const std::function<bool(std::size_t)>& f) {
  std::atomic<std::size_t> next{0};
  std::vector<std::vector<double>> times(at_once);
  std::vector<std::thread> threads;
  const auto begin = Clock::now();
  for (std::size_t t = 0; t < at_once; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = next++; i < calls; i = next++) {
        const auto from = Clock::now();
        if (f(i))
          times[t].push_back(
              std::chrono::duration<double, std::milli>(Clock::now() - from).count());
      }
    });
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<double> all;
  for (const auto& each : times) all.insert(all.end(), each.begin(), each.end());
  const std::size_t failed = calls - all.size();
  return figures_of(std::move(all), seconds, failed);
}

// The status of an answer; 0: there was none.
int status_of(std::uint16_t port, const std::string& request) {
  const int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (line >= 0 && connect(line, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(line, request.data(), request.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(request.size())) {
    std::array<char, 8192> piece{};
    for (ssize_t size = 0; (size = recv(line, piece.data(), piece.size(), 0)) > 0;)
      answer.append(piece.data(), static_cast<std::size_t>(size));
  }
  if (line >= 0) close(line);
  return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9) : 0;
}

std::string request(const std::string& first, const std::string& head,
                    const std::string& body = "") {
  return first + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + head +
         (body.empty() ? "\r\n"
                       : "Content-Type: application/json\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body);
}

void show(const std::string& name, const Figures& figures) {
  fmt::print("{:<44}{:>10.0f}/s{:>10.2f} ms{:>10.2f} ms{:>8} failed\n", name, figures.per_second,
             figures.median, figures.p99, figures.failed);
}

std::size_t descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

void show_usage(const std::string& when) {
  const auto usage = tools::usage_of(static_cast<std::uint64_t>(getpid()));
  fmt::print("{:<44}{:>10.1f} MiB{:>8} descriptors\n", when,
             usage ? usage->resident_bytes / (1U << 20U) : 0, descriptors());
}

// A server without a run.
struct Served {
  explicit Served(const std::filesystem::path& file)
      : store({file, 0}),
        orders(scenarios::WorkloadSection{}),
        uploads(file.parent_path(), 0),
        service(store, feed, orders, uploads, {.per_second = 0, .most_open = 1'000'000'000}),
        server(service,
               {.tokens = {.read = {std::string(32, 'a')}, .steer = {std::string(32, 'b')}},
                .what = tools::WebServer::Options::What::all,
                .places = 512}) {
    service.enter(tools::JobService::Stage::serving);
  }
  tools::JobFeed feed{};
  tools::JobStore store;
  tools::Orders orders;
  tools::Uploads uploads;
  tools::JobService service;
  tools::WebServer server;
};

// The same rows as those of jobs, each on the disk before the next.
class BareRows {
 public:
  explicit BareRows(const std::filesystem::path& file)
      : database_(file, scenarios::Database::Mode::create), insert_(prepared()) {}
  // From any thread.
  void insert(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    insert_.run(key);
  }

 private:
  scenarios::Statement prepared() {
    database_.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE job (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, "
        "work TEXT, tasks INTEGER, seconds REAL, submitted INTEGER)");
    return database_.prepare(
        "INSERT INTO job (key, work, tasks, seconds, submitted) VALUES (?, '', 4, 0.5, 1)");
  }
  std::mutex mutex_;
  scenarios::Database database_;
  scenarios::Statement insert_;
};

Figures bare_inserts(const std::filesystem::path& file, std::size_t rows) {
  BareRows bare(file);
  return measure(rows, 1, [&](std::size_t i) {
    bare.insert("key-" + std::to_string(i));
    return true;
  });
}

void run(std::size_t requests, std::size_t at_once) {
  const test::TemporaryDirectory directory;
  Served served(directory.path() / "jobs.sqlite");
  httplib::Server bare;
  const std::string body =
      R"({"id":1,"state":"open","work":"emulated","tasks":4,"seconds":0.5,"done":0,"wrong":0,)"
      R"("submitted":1767225600000,"finished":null})";
  bare.Get("/jobs/1", [&body](const httplib::Request&, httplib::Response& response) {
    response.set_content(body, "application/json");
  });
  // What somebody would write without a server of jobs: a row for each request.
  BareRows rows(directory.path() / "bare_server.sqlite");
  bare.Post("/jobs", [&](const httplib::Request& order, httplib::Response& response) {
    rows.insert(order.get_header_value("Idempotency-Key"));
    response.status = 202;
    response.set_content(body, "application/json");
  });
  // As many may wait to be accepted as before the server that it is beside.
  socket_t listening = INVALID_SOCKET;
  bare.set_socket_options([&listening](socket_t socket) { listening = socket; });
  const auto bare_port = static_cast<std::uint16_t>(bare.bind_to_any_port("127.0.0.1"));
  listen(listening, 512);
  std::thread accepting([&bare] { bare.listen_after_bind(); });

  const std::string token = "Authorization: Bearer " + std::string(32, 'b') + "\r\n";
  const auto submit_at = [&](std::uint16_t port, std::size_t i) {
    const std::string head = token + "Idempotency-Key: key-" + std::to_string(i) + "\r\n";
    return status_of(port, request("POST /jobs", head, R"({"tasks":4,"seconds":0.5})")) == 202;
  };
  const auto submit = [&](std::size_t i) { return submit_at(served.server.port(), i); };
  const auto status_at = [&](std::uint16_t port) {
    return [port, text = request("GET /jobs/1", token)](std::size_t) {
      return status_of(port, text) == 200;
    };
  };
  fmt::print("{} requests, {} at a time; rate, median and 99th percentile\n", requests, at_once);
  static_cast<void>(submit(requests));
  static_cast<void>(measure(requests / 10, at_once, status_at(bare_port)));  // warm
  static_cast<void>(measure(requests / 10, at_once, status_at(served.server.port())));
  show("status, bare server", measure(requests, at_once, status_at(bare_port)));
  show("status, rhizome serve", measure(requests, at_once, status_at(served.server.port())));
  show("submit, bare server with an INSERT for each",
       measure(requests / 4, at_once, [&](std::size_t i) { return submit_at(bare_port, i); }));
  show("INSERT with fsync, bare, one at a time",
       bare_inserts(directory.path() / "bare.sqlite", requests / 4));
  show_usage("before the submissions");
  for (int round = 0; round < 3; ++round) {
    const std::size_t from = requests * static_cast<std::size_t>(round);
    if (round > 0) static_cast<void>(measure(requests, at_once, status_at(served.server.port())));
    if (round == 0)
      show("submit, rhizome serve",
           measure(requests, at_once, [&](std::size_t i) { return submit(from + i); }));
    show_usage("after " + std::to_string(requests * static_cast<std::size_t>(round + 1)) +
               " more requests");
  }
  bare.stop();
  accepting.join();
}

}  // namespace

}  // namespace rhizome::bench

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto number = [&](int i, std::size_t otherwise) {
    return count > i ? static_cast<std::size_t>(std::strtoul(arguments[i], nullptr, 10))
                     : otherwise;
  };
  rhizome::bench::run(std::max<std::size_t>(10, number(1, 10'000)),
                      std::max<std::size_t>(1, number(2, 100)));
}
