// Kinds of work: what tasks may compute. A kind is a name, a sentence, a table of settings, and the
// way in which the work is really done; emulated work is the kind that only takes its time. Only
// the encoded settings of a kind travel with a task. Adding a kind costs a file pair and a line in
// agents/work/kinds.cpp.
#pragma once

#include <any>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/setting.hpp"
#include "core/peer/work.hpp"
#include "core/work/computation.hpp"

namespace rhizome::core {

// Why the settings of a kind are refused, and which setting is to blame.
struct Objection {
  std::string_view setting;
  std::string text;  // "names no program"
};

// A setting that names a file. If it names one, the file has to exist.
struct WorkFile {
  std::string_view setting;
  std::function<std::string*(std::any& options)> name;
};

// One kind of a catalogue, its settings type erased.
struct WorkKind {
  std::string_view name;     // the word in a scenario, where its settings are NAME_setting
  std::string_view summary;  // half a sentence
  std::vector<Setting> settings;
  std::function<std::any()> defaults;
  std::function<void*(std::any& options)> address;  // what the settings assign to
  // The part of the options that travels with a task.
  std::function<std::string(const std::any& options)> spec;
  // The options that a spec was made from; nothing for a spec that the kind cannot have made, or
  // whose values exceed the bounds of its settings.
  std::function<std::optional<std::any>(std::string_view spec)> options{};
  // How work of that spec is done; null for a spec without options. Without this function nothing
  // is computed, and time passes.
  std::function<std::unique_ptr<Computation>(std::string_view spec, std::uint64_t seed)> compute{};
  std::vector<WorkFile> files{};
  std::vector<WorkFile> folders{};  // likewise; "" is the folder of the scenario
  // Settings that name a program, and those that name a file that is written.
  std::vector<WorkFile> programs{};
  std::vector<WorkFile> outputs{};
  // Makes options those of work for others, which lies in one folder; may be empty.
  std::function<void(std::any& options)> confine{};
  // Checks options that a user wrote.
  std::function<std::optional<Objection>(const std::any& options)> objection{};
  bool in_virtual_time = true;  // false: virtual time only lets it take its estimate
};
using WorkKinds = std::span<const WorkKind>;

// Declares a kind with options of type O, a plain struct that the codec encodes.
template <class O>
struct WorkKindParts {
  std::string_view name;
  std::string_view summary;
  Settings<O> settings{};
  std::unique_ptr<Computation> (*compute)(const O& options, std::uint64_t seed) = nullptr;
  struct File {
    std::string_view setting;
    std::string O::*member;
  };
  std::vector<File> files{};
  std::vector<File> folders{};
  std::vector<File> programs{};
  std::vector<File> outputs{};
  // Adds what travels with tasks besides the settings, such as the values that judge their results.
  void (*prepare)(O& options) = nullptr;
  void (*confine)(O& options) = nullptr;
  std::optional<Objection> (*objection)(const O& options) = nullptr;
  bool in_virtual_time = true;
};

template <class O>
[[nodiscard]] WorkKind make_work_kind(WorkKindParts<O> parts) {
  WorkKind made{.name = parts.name,
                .summary = parts.summary,
                .settings = parts.settings.list(),
                .defaults = [] { return std::any(O{}); },
                .address = [](std::any& any) -> void* { return std::any_cast<O>(&any); },
                .spec =
                    [prepare = parts.prepare](const std::any& any) {
                      O options = *std::any_cast<O>(&any);
                      if (prepare != nullptr) prepare(options);
                      Bytes bytes;
                      encode(options, bytes);
                      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                    },
                .in_virtual_time = parts.in_virtual_time};
  const auto named = [](const typename WorkKindParts<O>::File& file) {
    return WorkFile{file.setting, [member = file.member](std::any& any) {
                      return &(std::any_cast<O>(&any)->*member);
                    }};
  };
  for (const auto& file : parts.files) made.files.push_back(named(file));
  for (const auto& folder : parts.folders) made.folders.push_back(named(folder));
  for (const auto& program : parts.programs) made.programs.push_back(named(program));
  for (const auto& output : parts.outputs) made.outputs.push_back(named(output));
  if (parts.confine != nullptr)
    made.confine = [confine = parts.confine](std::any& any) { confine(*std::any_cast<O>(&any)); };
  if (parts.objection != nullptr)
    made.objection = [objection = parts.objection](const std::any& any) {
      return objection(*std::any_cast<O>(&any));
    };
  made.options = [settings = made.settings](std::string_view spec) -> std::optional<std::any> {
    O options{};
    if (decode(std::as_bytes(std::span(spec)), options) != DecodeError::none) return {};
    for (const Setting& setting : settings)
      if (!setting.refusal(setting.read(&options)).empty()) return {};
    return std::any(std::move(options));
  };
  if (parts.compute == nullptr) return made;
  made.compute = [compute = parts.compute, options = made.options](
                     std::string_view spec, std::uint64_t seed) -> std::unique_ptr<Computation> {
    const std::optional<std::any> told = options(spec);
    return told ? compute(*std::any_cast<O>(&*told), seed) : nullptr;
  };
  return made;
}

// The kind that every catalogue begins with.
[[nodiscard]] WorkKind emulated_work();

// The recipe for tasks of that kind. `options` are those of some kinds, by their positions; the
// others have their defaults. Throws std::invalid_argument where the spec is longer than a recipe
// may be.
[[nodiscard]] Recipe recipe_of(WorkKinds kinds, WorkKindId kind,
                               const std::vector<std::any>& options = {});

// How the work is really done; null where it only takes its time: when it is emulated, and when its
// spec is invalid.
[[nodiscard]] std::unique_ptr<Computation> computation_of(WorkKinds kinds, const Work& work);

// Does the work here and now, and returns its result; nothing for work that only takes its time,
// such as all work that is not done in virtual time. Once `stop` is true the work is cancelled, and
// the result means nothing.
[[nodiscard]] Result result_of(WorkKinds kinds, const Work& work,
                               const std::atomic<bool>* stop = nullptr);

}  // namespace rhizome::core
