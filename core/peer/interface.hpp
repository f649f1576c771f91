// What is the same for all interfaces: they are destroyed through themselves, and never copied.
#pragma once

namespace rhizome::core {

class Interface {
 public:
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;
};

}  // namespace rhizome::core
