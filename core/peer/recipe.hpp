// The description of a computation: a kind of work, the input of that kind, and the files that the
// work takes and leaves. Most work is emulated and computes nothing, which takes a pointer here and
// a byte on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/peer/cargo.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::core {

// A position in a catalogue of kinds of work (core/work/kind.hpp), which begins with this one.
enum class WorkKindId : std::uint8_t { emulated };

class Recipe {
 public:
  // The largest input of a kind, in bytes.
  static constexpr std::size_t longest = 4096;
  // Files of one piece of work.
  static constexpr std::size_t most_files = 64;

  Recipe() = default;  // emulated
  // `spec` is what the kind has encoded, and at most the longest. Copies share it.
  Recipe(WorkKindId kind, std::string spec);
  Recipe(const Recipe& other);
  Recipe(Recipe&&) noexcept = default;
  Recipe& operator=(const Recipe& other) { return *this = Recipe(other); }
  Recipe& operator=(Recipe&&) noexcept = default;
  ~Recipe();

  [[nodiscard]] WorkKindId kind() const { return told_ ? told_->kind : WorkKindId::emulated; }
  [[nodiscard]] std::string_view spec() const {
    return told_ ? std::string_view(told_->spec) : std::string_view();
  }
  // The same with files, at most so many.
  [[nodiscard]] Recipe with(Cargo cargo) const;
  // Nothing where there are none.
  [[nodiscard]] const Cargo* cargo() const { return told_ ? told_->cargo.get() : nullptr; }
  // Whether both compute the same, regardless of files.
  friend bool operator==(const Recipe& a, const Recipe& b) {
    return a.kind() == b.kind() && a.spec() == b.spec();
  }

  // Encoded as 0, or as the kind, its input, and the cargo if there is any.
  void write(Writer& out) const;
  [[nodiscard]] bool read(Reader& in);

 private:
  struct Told {
    WorkKindId kind;
    std::string spec;
    std::unique_ptr<const Cargo> cargo{};
  };
  std::shared_ptr<const Told> told_;
};

}  // namespace rhizome::core
