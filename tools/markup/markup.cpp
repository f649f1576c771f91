#include "tools/markup/markup.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

namespace {

// Elements of HTML that have no end.
constexpr std::array<std::string_view, 4> endless{"br", "hr", "link", "meta"};

std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

void write_escaped(std::string& out, std::string_view given) {
  for (const char c : scenarios::plain_lines(given)) {
    const std::string_view escape = escape_of(c);
    if (escape.empty()) {
      out += c;
    } else {
      out += escape;
    }
  }
}

// A program or a style sheet may have the sign that ends its element within its texts, where a
// slash may have a backslash before it.
void write_raw(std::string& out, std::string_view text, const std::string& name) {
  const std::string end = "</" + name;
  const auto alike = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (auto at = text.begin(); at != text.end();) {
    const auto found = std::search(at, text.end(), end.begin(), end.end(), alike);
    out.append(at, found);
    at = found;
    if (found == text.end()) break;
    out += "<\\/";
    at += 2;
  }
}

// Elements of a drawing are closed by themselves when they are empty; those of HTML must not be.
void write(std::string& out, const pugi::xml_node& node, bool drawing) {
  const std::string name = node.name();
  drawing = drawing || name == "svg";
  out.append("<").append(name);
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    out.append(" ").append(attribute.name()).append("=\"");
    write_escaped(out, attribute.value());
    out += '"';
  }
  const bool empty = node.first_child().empty();
  if (drawing && empty) {
    out += "/>";
    return;
  }
  out += '>';
  if (std::ranges::find(endless, name) != endless.end()) return;
  for (const pugi::xml_node& child : node.children()) {
    if (child.type() == pugi::node_element) {
      write(out, child, drawing);
    } else if (name == "script" || name == "style") {
      write_raw(out, child.value(), name);
    } else {
      write_escaped(out, child.value());
    }
  }
  out.append("</").append(name).append(">");
}

}  // namespace

std::string within_element(std::string_view text, const std::string& name) {
  std::string out;
  write_raw(out, text, name);
  return out;
}

Element Element::add(const char* name, std::initializer_list<Attribute> attributes) {
  pugi::xml_node child = node_.append_child(name);
  for (const Attribute& attribute : attributes)
    child.append_attribute(attribute.name).set_value(attribute.value.c_str());
  return Element(child);
}

Element Element::text(std::string_view text) {
  node_.append_child(pugi::node_pcdata).set_value(std::string(text).c_str());
  return *this;
}

void Element::insert(const std::string& document) {
  constexpr unsigned options = pugi::parse_default | pugi::parse_ws_pcdata;
  const auto parsed = node_.append_buffer(document.data(), document.size(), options);
  if (!parsed) throw std::invalid_argument(parsed.description());
}

Markup::Markup(const char* root, std::initializer_list<Attribute> attributes) {
  Element(document_).add(root, attributes);
}

std::string Markup::text() const {
  std::string out;
  write(out, document_.document_element(), false);
  return out + "\n";
}

}  // namespace rhizome::tools
