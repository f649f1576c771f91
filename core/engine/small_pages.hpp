// Small pages: a run on threads has its memory in pages of the usual size. Each of thousands of
// threads soon touches memory of its own, here and there, and of huge pages each touch would let
// the system clear two megabytes while all others wait for the processor: with 10,000 peers that
// was four fifths of all time, and twice the memory.
#pragma once

namespace rhizome::core {

// While an object of this class lives, the process gets no new huge pages, whatever its allocator
// asks for; pages it has already stay. Lifetimes may overlap, in any order.
class SmallPages {
 public:
  SmallPages();
  ~SmallPages();
  SmallPages(const SmallPages&) = delete;
  SmallPages& operator=(const SmallPages&) = delete;
};

}  // namespace rhizome::core
