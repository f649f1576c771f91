// HTML and SVG documents, built from elements, attributes and texts; characters are escaped when
// the document is written. Besides this file, only the readers of GraphML and DAX use pugixml.
#pragma once

#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace rhizome::tools {

// A script or a style sheet as Markup writes it within an element of that name.
[[nodiscard]] std::string within_element(std::string_view text, const std::string& name);

struct Attribute {
  const char* name;
  std::string value;
};

// An element of a document, which must outlive this handle. Cheap to copy.
class Element {
 public:
  explicit Element(pugi::xml_node node) : node_(node) {}

  // Appends a new child.
  Element add(const char* name, std::initializer_list<Attribute> attributes = {});
  // Appends text; returns this element.
  Element text(std::string_view text);
  // Ends the line in the source text, for its readers.
  void end_line() { text("\n"); }
  // Appends a document given as text. Throws std::invalid_argument if it is not well-formed.
  void insert(const std::string& document);

 private:
  pugi::xml_node node_;
};

class Markup {
 public:
  explicit Markup(const char* root, std::initializer_list<Attribute> attributes = {});

  [[nodiscard]] Element root() const { return Element(document_.document_element()); }
  // The document as text, with a final line break. Text within script and style elements is not
  // escaped, as HTML requires, except where it would end the element.
  [[nodiscard]] std::string text() const;

 private:
  pugi::xml_document document_;
};

}  // namespace rhizome::tools
