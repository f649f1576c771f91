#include "core/mesh/mesh.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

#include "core/mesh/net.hpp"

namespace rhizome::core {

namespace {

constexpr std::uint32_t pings_to_begin = 64;
constexpr std::size_t piece = std::size_t{1} << 20U;  // of a parcel, in bytes

// Signals are for the thread that runs the command.
std::thread start_without_signals(std::function<void()> what) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(what));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

Mesh::Net::Net(Rendezvous& rendezvous, const MeshOptions& options)
    : rank(rendezvous.rank()),
      size(rendezvous.size()),
      lanes(std::make_shared<Lanes>(size, options.lane)),
      arrivals(size) {
  join(rendezvous, options);
}

Mesh::Net::~Net() {
  if (!courier_) return;
  for (std::uint32_t to = 0; to < size; ++to)
    if (to != rank) lanes->to[to].say(frame_of(Frame::Kind::bye, 0));
  courier_->end();
  thread_.join();
  for (Lane& lane : lanes->to) lane.close();
}

// Whoever connects is answered once the cards are known.
void Mesh::Net::join(Rendezvous& rendezvous, const MeshOptions& options) {
  auto admission = std::make_unique<Admission>(context_);
  std::vector<std::unique_ptr<Wire>> wires(size);
  Card mine{.process = options.process, .key = keys_.open, .endpoints = {}};
  mine.endpoints.resize(size);
  for (std::uint32_t other = 0; other < size; ++other) {
    if (other == rank) continue;
    wires[other] = std::make_unique<Wire>(context_, keys_, other);
    if (other > rank) mine.endpoints[other] = wires[other]->listen(options.address);
  }
  cards = read_cards(rendezvous.gather(text_of(mine)));
  if (cards.size() != size) throw Unreachable("there are more cards than processes, or fewer");
  for (std::uint32_t other = 0; other < size; ++other) {
    if (other > rank) admission->expect(other, cards[other].key);
    if (other < rank) wires[other]->connect(cards[other].endpoints[rank], cards[other].key);
  }
  start(options, std::move(admission), std::move(wires));
}

void Mesh::Net::start(const MeshOptions& options, std::unique_ptr<Admission> admission,
                      std::vector<std::unique_ptr<Wire>> wires) {
  courier_.emplace(Courier::Options{.rank = rank, .dead_after = options.dead_after},
                   std::move(admission), std::move(wires), *lanes, arrivals);
  thread_ = start_without_signals([this] { courier_->run(); });
}

void Mesh::Net::wait_for_all(const MeshOptions& options) {
  const auto deadline = std::chrono::steady_clock::now() + options.join_within;
  Mailbox& mailbox = arrivals.mailbox;
  if (mailbox.wait_until_up(size - 1, rank == 0 ? 0 : pings_to_begin, deadline)) return;
  for (const ProcessLoss& loss : mailbox.losses())
    throw Unreachable(name_of(loss.process) + " is lost before the first run: " + loss.why);
  const std::vector<bool> up = mailbox.up();
  for (std::uint32_t other = 0; other < size; ++other)
    if (other != rank && !up[other])
      throw Unreachable(name_of(other) + " cannot be reached from " + name_of(rank));
  throw Unreachable(name_of(0) + " does not answer in time");
}

std::string Mesh::Net::name_of(std::uint32_t process) const {
  return "process " + std::to_string(process) + " on " + cards[process].process.host;
}

Mesh::Mesh(Rendezvous& rendezvous, const MeshOptions& options)
    : net_(std::make_unique<Net>(rendezvous, options)) {
  net_->wait_for_all(options);
}

Mesh::~Mesh() = default;

std::uint32_t Mesh::rank() const { return net_->rank; }
std::uint32_t Mesh::size() const { return net_->size; }

const ProcessIdentity& Mesh::process(std::uint32_t rank) const { return net_->cards[rank].process; }

std::string Mesh::name_of(std::uint32_t rank) const { return net_->name_of(rank); }

void Mesh::send(std::uint32_t to, const Bytes& parcel) {
  std::span<const std::byte> rest = parcel;
  do {
    const auto next = rest.first(std::min(piece, rest.size()));
    rest = rest.subspan(next.size());
    net_->lanes->to[to].say(frame_of(Frame::Kind::parcel, rest.empty() ? 0 : 1, next));
  } while (!rest.empty());
}

std::optional<Parcel> Mesh::receive(std::chrono::nanoseconds wait) {
  return net_->arrivals.mailbox.take_parcel(wait);
}

std::optional<ProcessLoss> Mesh::loss_of(std::uint32_t process) const {
  return net_->arrivals.mailbox.loss_of(process);
}

std::vector<ProcessLoss> Mesh::losses() const { return net_->arrivals.mailbox.losses(); }

ClockOffset Mesh::clock() const { return net_->arrivals.mailbox.clock(); }

}  // namespace rhizome::core
