// The leash of a launched process: it does not outlive its launcher, whatever it is about.
#pragma once

#include <thread>

namespace rhizome::tools {

class Leash {
 public:
  // From the time on when nothing more is to be read from the pipe but its end. Once the launcher
  // has gone the process has three seconds to end by itself.
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
