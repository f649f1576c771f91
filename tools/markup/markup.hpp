// HTML and SVG as documents: elements, attributes and texts are put together, and what needs an
// escape gets it when they are written. Only the readers of GraphML and DAX use pugixml beside it.
#pragma once

#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace rhizome::tools {

// A program or a style as Markup writes it within an element of that name.
[[nodiscard]] std::string within_element(std::string_view text, const std::string& name);

struct Attribute {
  const char* name;
  std::string value;
};

// A place in a document, which outlives it; cheap to copy.
class Element {
 public:
  explicit Element(pugi::xml_node node) : node_(node) {}

  // A new last child.
  Element add(const char* name, std::initializer_list<Attribute> attributes = {});
  // Appends text; gives this element back.
  Element text(std::string_view text);
  // For whoever reads the source: a line ends here.
  void end_line() { text("\n"); }
  // Appends a document that was written before. Throws std::invalid_argument if it is none.
  void insert(const std::string& document);

 private:
  pugi::xml_node node_;
};

class Markup {
 public:
  explicit Markup(const char* root, std::initializer_list<Attribute> attributes = {});

  [[nodiscard]] Element root() const { return Element(document_.document_element()); }
  // With a line's end. Within script and style text stays as it is, as HTML wants it, save for what
  // would end the element.
  [[nodiscard]] std::string text() const;

 private:
  pugi::xml_document document_;
};

}  // namespace rhizome::tools
