#include "core/mesh/mesh.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/room.hpp"
#include "core/engine/signals_blocked.hpp"
#include "core/mesh/net.hpp"

namespace rhizome::core {

namespace {

constexpr std::uint32_t pings_to_begin = 64;
constexpr std::size_t piece = std::size_t{1} << 20U;  // bytes of a piece of a parcel

// ZeroMQ ends the program where the system refuses it a descriptor or a thread of its own. A wire
// has a socket with its mailbox, its connection, and as many of strangers as it admits; the I/O
// loop is a thread of ours.
zmq::context_t make_context(std::uint32_t processes) {
  constexpr std::size_t of_wire = 4 + Wire::most_strangers;
  check_room({.descriptors = 24 + of_wire * processes, .threads = 3});
  return zmq::context_t(1);
}

}  // namespace

Mesh::Net::Net(std::uint32_t its_rank, std::uint32_t its_size, const MeshOptions& options)
    : rank(its_rank),
      size(its_size),
      send_queues(std::make_shared<SendQueues>(size, options.send_queue)),
      arrivals(size),
      context_(make_context(size)) {}

Mesh::Net::Net(Rendezvous& rendezvous, const MeshOptions& options)
    : Net(rendezvous.rank(), rendezvous.size(), options) {
  join(rendezvous, options);
  wait_for_all(options);
}

Mesh::Net::~Net() {
  if (!thread_.joinable()) return;
  io_loop_->end();
  thread_.join();
  for (SendQueue& send_queue : send_queues->to) send_queue.close();
}

// Connections are accepted once the descriptors are known: from then on the I/O loop reads the
// events of ZeroMQ, whose thread would block on unread ones.
void Mesh::Net::join(Rendezvous& rendezvous, const MeshOptions& options) {
  auto admission = std::make_unique<Admission>(context_);
  source_.emplace(options.address);
  std::vector<std::unique_ptr<Wire>> wires(size);
  ProcessDescriptor mine{
      .process = options.process, .key = keys_.open, .source = source_->text(), .endpoints = {}};
  mine.endpoints.resize(size);
  for (std::uint32_t other = 0; other < size; ++other) {
    if (other == rank) continue;
    wires[other] = std::make_unique<Wire>(context_, keys_, other);
    if (other > rank) mine.endpoints[other] = wires[other]->listen(options.address, options.ports);
  }
  descriptors = read_descriptors(rendezvous.gather(text_of(mine)));
  if (descriptors.size() != size)
    throw Unreachable("there are more descriptors than processes, or fewer");
  source_->share();
  for (std::uint32_t other = 0; other < size; ++other) {
    if (other > rank) {
      admission->expect(other, descriptors[other].key);
      wires[other]->accept(descriptors[other].source);
    }
    if (other < rank)
      wires[other]->connect(descriptors[other].endpoints[rank], descriptors[other].key,
                            source_->port());
  }
  start(options, std::move(admission), std::move(wires));
}

void Mesh::Net::start(const MeshOptions& options, std::unique_ptr<Admission> admission,
                      std::vector<std::unique_ptr<Wire>> wires) {
  io_loop_.emplace(
      IoLoop::Options{
          .rank = rank, .dead_after = options.dead_after, .leave_within = options.leave_within},
      std::move(admission), std::move(wires), *send_queues, arrivals);
  // A thread inherits the mask of its creator, and only the thread that runs the command handles
  // signals.
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { io_loop_->run(); });
}

// Process 0 hears from the others how well they know its clock, which it knows itself.
void Mesh::Net::wait_for_all(const MeshOptions& options) {
  const auto deadline = std::chrono::steady_clock::now() + options.join_within;
  Mailbox& mailbox = arrivals.mailbox;
  const std::uint32_t others = size - 1;
  const bool is_first = rank == 0;
  if (!mailbox.wait_for(
          {.up = others, .ready = is_first ? others : 0, .pings = is_first ? 0 : pings_to_begin},
          deadline))
    complain_of_the_missing();
  if (!is_first) send_queues->to[0].say(ready_of(mailbox.clock().bound()));
}

void Mesh::Net::complain_of_the_missing() const {
  for (const ProcessLoss& loss : arrivals.mailbox.losses())
    throw Unreachable(name_of(loss.process) + " is lost before the first run: " + loss.why);
  const std::vector<Mailbox::Standing> standing = arrivals.mailbox.standing();
  const std::string others =
      strangers() == 0 ? std::string()
                       : "; " + std::to_string(strangers()) +
                             " connections from outside the run were refused here meanwhile";
  for (std::uint32_t other = 0; other < size; ++other)
    if (standing[other].left) throw Unreachable(name_of(other) + " has left before the first run");
  for (std::uint32_t other = 0; other < size; ++other)
    if (other != rank && !standing[other].up)
      throw Unreachable(
          name_of(other) + " cannot be reached from " + name_of(rank) +
          ": if they met in a directory, its descriptor there may be of an earlier run, and a "
          "new directory helps" +
          others);
  for (std::uint32_t other = 1; other < size && rank == 0; ++other)
    if (!standing[other].clock_bound) throw Unreachable(name_of(other) + " is not ready in time");
  throw Unreachable(name_of(0) + " does not answer in time");
}

std::string Mesh::Net::name_of(std::uint32_t process) const {
  return "process " + std::to_string(process) + " on " + descriptors[process].process.host;
}

Mesh::Mesh(Rendezvous& rendezvous, const MeshOptions& options)
    : net_(std::make_unique<Net>(rendezvous, options)) {}

Mesh::~Mesh() = default;

std::uint32_t Mesh::rank() const { return net_->rank; }
std::uint32_t Mesh::size() const { return net_->size; }

const ProcessIdentity& Mesh::process(std::uint32_t rank) const {
  return net_->descriptors[rank].process;
}

std::string Mesh::name_of(std::uint32_t rank) const { return net_->name_of(rank); }

void Mesh::send(std::uint32_t to, const Bytes& parcel) {
  std::span<const std::byte> rest = parcel;
  do {
    const auto next = rest.first(std::min(piece, rest.size()));
    rest = rest.subspan(next.size());
    net_->send_queues->to[to].say(frame_of(LinkFrame::Kind::parcel, rest.empty() ? 0 : 1, next));
  } while (!rest.empty());
}

std::optional<Parcel> Mesh::receive(std::chrono::nanoseconds wait) {
  return net_->arrivals.mailbox.take_parcel(wait);
}

std::optional<ProcessLoss> Mesh::loss_of(std::uint32_t process) const {
  return net_->arrivals.mailbox.loss_of(process);
}

std::vector<ProcessLoss> Mesh::losses() const { return net_->arrivals.mailbox.losses(); }

std::uint64_t Mesh::strangers() const { return net_->strangers(); }

ClockOffset Mesh::clock() const { return net_->arrivals.mailbox.clock(); }

std::chrono::nanoseconds Mesh::clock_bound() const {
  std::chrono::nanoseconds worst{0};
  for (const Mailbox::Standing& each : net_->arrivals.mailbox.standing())
    worst = std::max(worst, each.clock_bound.value_or(std::chrono::nanoseconds{0}));
  return worst;
}

}  // namespace rhizome::core
