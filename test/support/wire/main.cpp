// A wire between emulated machines that takes time and loses packets, in user space, where the
// kernel has no netem.
//   wire DELAY JITTER LOSS NAMESPACE=ADDRESS...
// Each network namespace gets a device wan0 with that address of version 4, in a network of 256.
// Each packet takes DELAY milliseconds one way and up to JITTER more, in the order in which packets
// were sent; of a hundred LOSS are lost. Until it is terminated. It needs root.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/ip.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Packet = std::vector<char>;

struct Manner {
  double delay = 0;   // ms
  double jitter = 0;  // ms
  double loss = 0;    // a fraction
};

[[noreturn]] void refuse(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// One device, in its namespace.
struct End {
  std::string space;
  std::string address;
  int descriptor = -1;
};

End end_in(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) throw std::invalid_argument(word + " is no NAMESPACE=ADDRESS");
  return {.space = word.substr(0, equals), .address = word.substr(equals + 1)};
}

void open_device(End& end) {
  const int space = open(("/run/netns/" + end.space).c_str(), O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET) != 0) refuse(end.space);
  close(space);
  end.descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strcpy(request.ifr_name, "wan0");
  if (ioctl(end.descriptor, TUNSETIFF, &request) != 0) refuse("wan0 in " + end.space);
  const std::string command =
      "ip addr add " + end.address + "/24 dev wan0 && ip link set wan0 up mtu 1500 txqueuelen 1000";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("no address in " + end.space);
}

class Wire {
 public:
  Wire(std::vector<End> ends, Manner manner) : ends_(std::move(ends)), manner_(manner) {
    for (std::size_t i = 0; i < ends_.size(); ++i) by_address_[number_of(ends_[i].address)] = i;
  }

  [[noreturn]] void serve() {
    for (;;) {
      hand_over_due();
      wait();
      for (std::size_t from = 0; from < ends_.size(); ++from) take_from(from);
    }
  }

 private:
  struct UnderWay {
    Clock::time_point due;
    std::uint64_t number = 0;
    std::size_t to = 0;
    Packet packet;
    friend bool operator<(const UnderWay& a, const UnderWay& b) {  // the first to come is on top
      return std::pair(a.due, a.number) > std::pair(b.due, b.number);
    }
  };

  static std::uint32_t number_of(const std::string& address) { return inet_addr(address.c_str()); }

  void hand_over_due() {
    for (; !under_way_.empty() && under_way_.top().due <= Clock::now(); under_way_.pop()) {
      const UnderWay& first = under_way_.top();
      static_cast<void>(
          !write(ends_[first.to].descriptor, first.packet.data(), first.packet.size()));
    }
  }

  void wait() {
    std::vector<pollfd> items;
    for (const End& end : ends_) items.push_back({end.descriptor, POLLIN, 0});
    const auto left = under_way_.empty() ? std::chrono::nanoseconds(std::chrono::milliseconds(200))
                                         : under_way_.top().due - Clock::now();
    const timespec time{0, std::max(std::int64_t{1}, std::int64_t{left.count()}) % 1'000'000'000};
    static_cast<void>(ppoll(items.data(), items.size(), &time, nullptr));
  }

  void take_from(std::size_t from) {
    constexpr int at_a_time = 64;
    std::array<char, 65536> bytes{};
    for (int i = 0; i < at_a_time; ++i) {
      const ssize_t length = read(ends_[from].descriptor, bytes.data(), bytes.size());
      if (length < static_cast<ssize_t>(sizeof(iphdr))) return;
      iphdr header{};
      std::memcpy(&header, bytes.data(), sizeof(header));
      const auto to = by_address_.find(header.daddr);
      if (to != by_address_.end() && unit_(random_) >= manner_.loss)
        put(from, to->second, {bytes.data(), bytes.data() + length});
    }
  }

  void put(std::size_t from, std::size_t to, Packet packet) {
    const std::chrono::duration<double, std::milli> time(manner_.delay +
                                                         manner_.jitter * unit_(random_));
    Clock::time_point& last = last_[{from, to}];
    last = std::max(last, Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
    under_way_.push({last, ++packets_, to, std::move(packet)});
  }

  const std::vector<End> ends_;
  const Manner manner_;
  std::map<std::uint32_t, std::size_t> by_address_;
  std::priority_queue<UnderWay> under_way_;
  std::map<std::pair<std::size_t, std::size_t>, Clock::time_point> last_;
  std::uint64_t packets_ = 0;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<> unit_{0, 1};
};

}  // namespace

int main(int count, char** words) {
  if (count < 6) {
    std::fputs("usage: wire DELAY JITTER LOSS NAMESPACE=ADDRESS NAMESPACE=ADDRESS...\n", stderr);
    return 64;
  }
  try {
    std::vector<End> ends;
    for (int i = 4; i < count; ++i) open_device(ends.emplace_back(end_in(words[i])));
    Wire(std::move(ends), {std::atof(words[1]), std::atof(words[2]), std::atof(words[3]) / 100})
        .serve();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wire: %s\n", error.what());
    return 69;
  }
}
