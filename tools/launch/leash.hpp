// The leash of a launched process: it does not outlive its launcher, whatever it is about.
#pragma once

#include <thread>

namespace rhizome::tools {

class Leash {
 public:
  // Begins once only the end of the pipe is left to read. When the launcher has gone the process
  // has three seconds to end by itself.
  explicit Leash(int pipe);
  // Lets go.
  ~Leash();
  Leash(const Leash&) = delete;
  Leash& operator=(const Leash&) = delete;

 private:
  void watch(int pipe) const;

  int let_go_ = -1;
  std::thread thread_;
};

}  // namespace rhizome::tools
