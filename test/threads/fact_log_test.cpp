// Several threads read while one notes.
#include "core/peer/fact_log.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "test/support/protocols.hpp"

namespace rhizome::core::fact_log_test {

namespace {

constexpr std::uint32_t facts = 50'000;

void write(FactLog& log) {
  Bytes payload;
  for (std::uint32_t number = 0; number < facts; ++number) {
    payload.clear();
    encode(test::Got{number, PeerId{number / 3}}, payload);
    log.add(Time{Duration(number)}, {&test::Got::info, payload});
  }
}

class Reader {
 public:
  void read(const FactLog& log, std::size_t most) {
    log.read(
        cursor_,
        [this](Time at, const EncodedFact& fact) {
          test::Got got;
          broken_ += decode(fact.payload, got) == DecodeError::none ? 0 : 1;
          broken_ += fact.info == &test::Got::info && got.number == next_ ? 0 : 1;
          broken_ += got.from == PeerId{next_ / 3} && at == Time{Duration(next_)} ? 0 : 1;
          ++next_;
        },
        most);
  }
  [[nodiscard]] std::uint32_t taken() const { return next_; }
  // Not as they were noted, or not in their order.
  [[nodiscard]] std::uint64_t broken() const { return broken_; }

 private:
  FactLog::Cursor cursor_;
  std::uint32_t next_ = 0;
  std::uint64_t broken_ = 0;
};

}  // namespace

TEST_CASE("a reader of a growing log reads every fact once, whole and in order") {
  FactLog log;
  std::array<Reader, 3> readers;
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < readers.size(); ++i)
    threads.emplace_back([&, i] {
      while (!done) readers[i].read(log, 1 + 50 * i);
    });
  write(log);
  done = true;
  for (std::thread& thread : threads) thread.join();
  for (Reader& reader : readers) {
    reader.read(log, facts);
    CHECK(reader.taken() == facts);
    CHECK(reader.broken() == 0);
  }
}

}  // namespace rhizome::core::fact_log_test
