// Workflows as Pegasus DAX, versions 2.1 to 3.6: the XML in which synthetic workflows of known
// applications are published (Bharathi et al. 2008).
#include "scenarios/world/workload/graph_files.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "overlay/xml.hpp"
#include "scenarios/text/fields.hpp"
#include "scenarios/text/source_text.hpp"
#include "scenarios/world/workload/named_graph.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr double largest_file = 1e15;
constexpr double most_cores = 1024;

class Dax {
 public:
  Dax(const SourceText& source, double duration_scale)
      : source_(source), scale_(duration_scale), graph_(source) {}

  agents::Job job() {
    pugi::xml_document document;
    const std::string& text = source_.text();
    if (overlay::has_too_many_parts(text)) source_.refuse(0, overlay::too_many_parts);
    const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
    if (!parsed)
      source_.refuse(static_cast<std::size_t>(parsed.offset),
                     "this is no XML: " + std::string(parsed.description()));
    const pugi::xml_node root = document.document_element();
    if (local_name(root) != "adag")
      source_.refuse(offset_of(root),
                     "a DAX has the root element <adag>, not <" + std::string(root.name()) + ">");
    for (const pugi::xml_node& node : root.children())
      if (is_task(node)) add(node);
    if (files_.empty()) source_.refuse(offset_of(root), "the workflow has no <job>");
    for (const pugi::xml_node& node : root.children())
      if (local_name(node) == "child") connect(node);
    return graph_.job();
  }

 private:
  struct Files {
    std::map<std::string, double> written{};  // bytes
    std::set<std::string> read{};
  };

  static std::string_view local_name(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    return name.substr(name.find(':') + 1);  // npos + 1 is 0
  }
  static bool is_task(const pugi::xml_node& node) {
    const std::string_view name = local_name(node);
    return name == "job" || name == "dag" || name == "dax";
  }
  static std::size_t offset_of(const pugi::xml_node& node) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  }

  // The attribute, which must be there.
  std::string word(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute said = node.attribute(name);
    if (said.empty() || *said.value() == '\0')
      source_.refuse(offset_of(node), "<" + std::string(node.name()) + "> has no attribute \"" +
                                          std::string(name) + "\"");
    return said.value();
  }

  // The value of an attribute, or else of a profile of Pegasus; nothing if neither exists.
  static std::string said_of(const pugi::xml_node& task, const char* key) {
    if (const pugi::xml_attribute attribute = task.attribute(key)) return attribute.value();
    for (const pugi::xml_node& profile : task.children()) {
      if (local_name(profile) != "profile") continue;
      if (profile.attribute("namespace").value() == std::string_view("pegasus") &&
          profile.attribute("key").value() == std::string_view(key))
        return profile.text().get();
    }
    return {};
  }

  double number(const pugi::xml_node& node, const std::string& text, const std::string& what,
                double most) const {
    return bounded_number(source_, offset_of(node), text, what, most);
  }

  void add(const pugi::xml_node& node) {
    const std::string id = word(node, "id");
    const std::string runtime = said_of(node, "runtime");
    if (runtime.empty())
      source_.refuse(offset_of(node), "the job \"" + id +
                                          "\" has no runtime: an attribute, or a profile of the "
                                          "namespace pegasus, in seconds");
    const double seconds = number(node, runtime, "the runtime of \"" + id + "\"", longest_seconds);
    const std::string cores = said_of(node, "cores");
    const double slots =
        cores.empty() ? 1 : number(node, cores, "the cores of \"" + id + "\"", most_cores);
    graph_.add(id,
               {.duration = core::from_seconds(seconds * scale_),
                .cpus = static_cast<std::uint32_t>(std::max(1.0, std::ceil(slots)))},
               offset_of(node));
    read_files(node, files_[id]);
  }

  void read_files(const pugi::xml_node& task, Files& files) const {
    for (const pugi::xml_node& uses : task.children()) {
      if (local_name(uses) != "uses") continue;
      const std::string name = word(uses, uses.attribute("file") ? "file" : "name");
      const std::string_view link = uses.attribute("link").value();
      const std::string size = uses.attribute("size").value();
      if (link == "input" || link == "inout") files.read.insert(name);
      if (link == "output" || link == "inout")
        files.written[name] =
            size.empty() ? 0 : number(uses, size, "the size of \"" + name + "\"", largest_file);
    }
  }

  void connect(const pugi::xml_node& child) {
    const std::string id = word(child, "ref");
    for (const pugi::xml_node& parent : child.children()) {
      if (local_name(parent) != "parent") continue;
      const std::string needs = word(parent, "ref");
      for (const std::string& name : {id, needs})
        if (!files_.contains(name))
          source_.refuse(offset_of(parent), "there is no job with the id \"" + name + "\"");
      if (id == needs)
        source_.refuse(offset_of(parent), "the job \"" + id + "\" is its own parent");
      if (!graph_.is_connected(id, needs)) graph_.connect(id, needs, bytes_between(needs, id));
    }
  }

  // As of WfFormat, in proportion to the shorter list.
  std::uint64_t bytes_between(const std::string& from, const std::string& to) {
    const Files& parent = files_[from];
    const Files& child = files_[to];
    graph_.compare_files(to, std::min(parent.written.size(), child.read.size()));
    double bytes = 0;
    if (child.read.size() < parent.written.size()) {
      for (const std::string& file : child.read)
        if (const auto found = parent.written.find(file); found != parent.written.end())
          bytes += found->second;
    } else {
      for (const auto& [file, size] : parent.written)
        if (child.read.contains(file)) bytes += size;
    }
    return static_cast<std::uint64_t>(std::min(bytes, largest_file));
  }

  const SourceText& source_;
  double scale_;
  NamedGraph graph_;
  std::map<std::string, Files> files_;  // by task
};

}  // namespace

std::unique_ptr<agents::Arrivals> open_dax(const WorkloadSection& section) {
  const SourceText source(section.file, most_bytes);
  agents::Workload workload;
  workload.jobs.push_back(Dax(source, section.duration_scale).job());
  return std::make_unique<agents::ListedArrivals>(std::move(workload));
}

}  // namespace rhizome::scenarios
