// Keeps signals from the present thread for as long as an object lives; they wait until then.
#pragma once

#include <pthread.h>
#include <csignal>
#include <initializer_list>

namespace rhizome::core {

class SignalsBlocked {
 public:
  // All of them.
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  explicit SignalsBlocked(std::initializer_list<int> signals) {
    sigset_t those;
    sigemptyset(&those);
    for (const int signal : signals) sigaddset(&those, signal);
    pthread_sigmask(SIG_BLOCK, &those, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace rhizome::core
