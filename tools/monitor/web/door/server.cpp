#include "tools/monitor/web/door/server.hpp"

#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/room.hpp"
#include "tools/monitor/web/door/connection.hpp"
#include "tools/monitor/web/door/guard.hpp"
#include "tools/monitor/web/door/page.hpp"
#include "tools/monitor/web/door/porch.hpp"

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

// Threads besides those held by pages: each of these requests is answered within seconds.
constexpr std::size_t other_threads = 16;
constexpr std::size_t threads = WebServer::most_pages + other_threads;
constexpr int most_waiting = 512;
constexpr std::size_t longest_head = 16U << 10;
constexpr std::size_t longest_path = 1000;  // std::regex takes some of the stack for each character
constexpr auto longest_time_of_upload = 1h;
constexpr auto longest_silence_of_upload = 10s;
// A field of a request for the page that httplib is not to compress: it is compressed already.
constexpr const char* takes_gzip = "X-Takes-Gzip";
constexpr std::string_view key = "idempotency-key";

bool is_upload(std::string_view head) { return head.starts_with("PUT "); }

// Ignores requests for ranges: a request for many would take all memory. Of the codings, brotli
// takes twenty times as long as gzip, and ends the process where it has no memory.
void simplify(httplib::Request& request) {
  request.ranges.clear();
  const bool gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
  request.headers.erase("Accept-Encoding");
  request.headers.erase(takes_gzip);
  if (gzip && request.path == "/") request.set_header(takes_gzip, "1");
  if (gzip && request.path != "/") request.set_header("Accept-Encoding", "gzip");
}

// A server with one request per connection: on the porch, or by one of the threads within the
// bounds of Connection. httplib binds its socket and reads requests, and accepts none itself.
class BoundedServer final : public httplib::Server {
 public:
  BoundedServer(const Guard& guard, const WebServer::Options& options)
      : bounds_{.longest_request = options.longest_body + longest_head},
        bounds_of_uploads_{.request = longest_time_of_upload,
                           .silence = longest_silence_of_upload,
                           .longest_request = options.longest_upload + longest_head},
        places_(options.places),
        guard_(guard),
        pool_(threads) {}
  // The porch first, which hands over to the pool. Streams end where there is no socket any more.
  ~BoundedServer() override {
    porch_.reset();
    stopping_ = true;
    const socket_t listening = svr_sock_.exchange(INVALID_SOCKET);
    pool_.shutdown();
    if (listening != INVALID_SOCKET) close(listening);
  }
  BoundedServer(const BoundedServer&) = delete;
  BoundedServer& operator=(const BoundedServer&) = delete;
  // Once it is bound.
  void open() {
    // httplib accepts a backlog of five: of a hundred connections at once most would be delayed by
    // a second.
    ::listen(svr_sock_, most_waiting);
    Porch::House house{
        .proof = [this](int socket, const std::string& head) { return guard_.proof(socket, head); },
        .knows =
            [this](const std::string& head) {
              return guard_.knows(field_of(head, "authorization"));
            },
        .take_over = [this](int socket, std::string head) { take_over(socket, std::move(head)); },
        .answer = [this](const std::string& head) { return answer_to_stranger(head); }};
    porch_.emplace(svr_sock_, std::move(house),
                   Porch::Options{.places = places_, .longest_head = longest_head});
  }

 private:
  // Those with a token take no more open files, either, than there are places.
  void take_over(socket_t socket, std::string head) {
    if (known_ >= threads + places_) {
      constexpr std::string_view busy =
          "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n";
      static_cast<void>(::send(socket, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
      close(socket);
      return;
    }
    ++known_;
    pool_.enqueue([this, socket, head = std::move(head)] {
      try {
        answer_known(socket, head);
      } catch (const std::bad_alloc&) {  // the connection has ended
      }
      --known_;
    });
  }
  void answer_known(socket_t socket, const std::string& head) {
    Connection connection(socket, without_escapes(without_field(head, "range"), key), stopping_,
                          is_upload(head) ? bounds_of_uploads_ : bounds_);
    bool closed = false;
    process_request(connection, true, closed, simplify);
  }
  // The guard must see as little of a token as the porch did.
  std::string answer_to_stranger(const std::string& head) {
    Spoken spoken(without_field(head, "range"));
    bool closed = false;
    process_request(spoken, true, closed, [](httplib::Request& request) {
      request.headers.erase("Authorization");
      simplify(request);
    });
    return spoken.answer();
  }

  const Connection::Patience bounds_;
  const Connection::Patience bounds_of_uploads_;
  const std::size_t places_;
  const Guard& guard_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> known_{0};  // connections that the pool has, or will have
  httplib::ThreadPool pool_;
  std::optional<Porch> porch_;  // the last member: it uses all others
};

std::string gzipped(const std::string& text) {
  std::string out;
  httplib::detail::gzip_compressor compressor;
  const bool done = compressor.compress(text.data(), text.size(), true,
                                        [&out](const char* data, std::size_t size) {
                                          out.append(data, size);
                                          return true;
                                        });
  return done ? out : std::string{};
}

// Prevents other processes from listening at the same port.
void set_options(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

Asked asked_by(const httplib::Request& request) {
  return {.method = request.method,
          .path = request.path,
          .host = request.get_header_value("Host"),
          .origin = request.get_header_value("Origin"),
          .authorization = request.get_header_value("Authorization"),
          .type = request.get_header_value("Content-Type")};
}

void give(httplib::Response& response, const Reply& reply) {
  response.status = reply.status;
  for (const auto& [name, value] : reply.fields) response.set_header(name, value);
  if (reply.status != 304) response.set_content(reply.text, reply.type.c_str());
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

Question question_of(const httplib::Request& request, std::size_t pages) {
  Question question{.method = request.method,
                    .path = request.path,
                    .words = {},
                    .body = request.body,
                    .pages = pages,
                    .idempotency_key = request.get_header_value("Idempotency-Key"),
                    .if_none_match = request.get_header_value("If-None-Match")};
  for (const auto& [name, word] : request.params) question.words.emplace(name, word);
  return question;
}

}  // namespace

class WebServer::Parts {
 public:
  Parts(WebAnswers& answers, const Options& options)
      : answers_(answers),
        what_(options.what),
        page_(options.what == Options::What::all ? jobs_page() : web_page()),
        longest_body_(options.longest_body),
        longest_upload_(options.longest_upload),
        guard_(options.tokens, options.address != Options{}.address) {
    core::check_room({.descriptors = 0, .threads = threads + 1});  // httplib could not say it
    server_.emplace(guard_, options);
    prepare();
    server_->set_payload_max_length(std::max<std::size_t>(longest_body_, options.longest_upload));
    const char* address = options.address.c_str();
    if (options.port == 0)
      port_ = server_->bind_to_any_port(address);
    else if (server_->bind_to_port(address, options.port))
      port_ = options.port;
    if (port_ <= 0)
      throw NoServer("port " + std::to_string(options.port) +
                     " of this machine is taken or not allowed: name another, or none");
    server_->open();
  }

  [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  void prepare() {
    server_->set_socket_options(set_options);
    server_->set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                  {"Cache-Control", "no-store"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Cross-Origin-Resource-Policy", "same-origin"},
                                  {"Content-Security-Policy", page_.policy}});
    server_->set_pre_routing_handler([this](const Request& request, Response& response) {
      if (request.path.size() > longest_path) {
        refuse(response, {414, "no path here is so long"});
        return httplib::Server::HandlerResponse::Handled;
      }
      const Way way = answers_.way(request.path);
      auto refusal = guard_.refusal(asked_by(request), way);
      if (!refusal) refusal = refusal_of_body(request);
      if (!refusal) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, *refusal);
      if (refusal->status == 405) response.set_header("Allow", listed(way.methods));
      return httplib::Server::HandlerResponse::Handled;
    });
    server_->set_exception_handler([this](const Request&, Response& response, std::exception_ptr) {
      refuse(response, {503, "the machine has no room for that now"});
    });
    // Answers for requests that httplib refuses by itself.
    server_->set_error_handler([this](const Request&, Response& response) {
      if (response.body.empty())
        refuse(response, {response.status, "this cannot be read as a request"});
    });
    add_answers();
  }

  [[nodiscard]] std::optional<Refusal> refusal_of_body(const Request& request) const {
    if (request.has_header("Content-Encoding"))
      return Refusal{415, "bodies are not compressed here: leave out Content-Encoding"};
    const auto length = request.get_header_value<std::uint64_t>("Content-Length");
    const std::uint64_t most = request.method == "PUT" ? longest_upload_ : longest_body_;
    if (length > most)
      return Refusal{413, "a body has " + std::to_string(most) + " bytes at most here"};
    return {};
  }

  void add_answers() {
    const auto reply = [this](const Request& request, Response& response) {
      answer(request, response);
    };
    if (what_ == Options::What::figures) {
      server_->Get("/metrics", reply);
      return;
    }
    server_->Get("/", [this](const Request& request, Response& response) {
      const bool zipped = request.has_header(takes_gzip) && !zipped_.empty();
      response.set_content(zipped ? zipped_ : page_.html, "text/html; charset=utf-8");
      if (zipped) response.set_header("Content-Encoding", "gzip");
    });
    if (what_ == Options::What::all) {
      server_->Get(".*", reply);
      server_->Post(".*", reply);
      server_->Delete(".*", reply);
      server_->Put(".*", [this](const Request& request, Response& response,
                                const httplib::ContentReader& reader) {
        receive(request, response, reader);
      });
      return;
    }
    server_->Get("/stream", [this](const Request& request, Response& response) {
      answer_stream(request, response);
    });
    server_->Get("/[a-z]+", reply);
    server_->Post("/steer", reply);
  }

  void answer(const Request& request, Response& response) {
    const std::optional<Reply> reply = answers_.answer(question_of(request, places_.taken()));
    if (!reply) return refuse(response, {404, "there is nothing by that name"});
    give(response, *reply);
  }

  void receive(const Request& request, Response& response, const httplib::ContentReader& reader) {
    const auto receiver = answers_.receive(question_of(request, places_.taken()));
    if (!receiver) return refuse(response, {404, "there is nothing by that name"});
    using Clock = std::chrono::steady_clock;
    Clock::time_point last = Clock::now();
    const bool whole = receiver->take({}) && reader([&](const char* piece, std::size_t size) {
                         const bool more = receiver->take({piece, size});
                         last = Clock::now();
                         return more;
                       });
    const bool silent = Clock::now() - last >= longest_silence_of_upload;
    give(response, receiver->end(whole    ? BodyEnd::whole
                                 : silent ? BodyEnd::silent
                                          : BodyEnd::cut_off));
  }

  void refuse(Response& response, const Refusal& refusal) const {
    give(response, answers_.refused(refusal.status, refusal.why));
    if (refusal.status == 401) response.set_header("WWW-Authenticate", "Bearer");
    if (refusal.status == 503) response.set_header("Retry-After", "2");
  }

  void answer_stream(const Request& request, Response& response) {
    const ConnectionSlots::Place place = places_.take();
    if (!place)
      return refuse(response, {503, std::to_string(most_pages) +
                                        " pages are open, and that is the most: close one"});
    Teller teller = answers_.follow(question_of(request, places_.taken()));
    if (!teller) return refuse(response, {404, "nothing goes on here that could be followed"});
    response.set_chunked_content_provider(
        pieces_type, [place, tell = std::move(teller)](std::size_t, httplib::DataSink& sink) {
          const std::optional<std::string> told = tell();
          if (!told) sink.done();
          if (!told || told->empty()) return !told || sink.is_writable();
          return sink.write(told->data(), told->size());
        });
  }

  WebAnswers& answers_;
  const Options::What what_;
  const WebPage& page_;
  const std::size_t longest_body_;
  const std::uint64_t longest_upload_;
  const Guard guard_;
  ConnectionSlots places_{most_pages};
  const std::string zipped_ = gzipped(page_.html);
  int port_ = 0;
  std::optional<BoundedServer> server_;  // the last member: its threads use all others
};

WebServer::WebServer(WebAnswers& answers, const Options& options)
    : parts_(std::make_unique<Parts>(answers, options)) {}

WebServer::~WebServer() = default;

std::uint16_t WebServer::port() const { return parts_->port(); }

}  // namespace rhizome::tools
