#include "tools/monitor/web/door/page.hpp"

#include <array>
#include <stdexcept>

#include "tools/carried.hpp"
#include "tools/markup/hash_source.hpp"

namespace rhizome::tools {

namespace {

constexpr std::array<std::string_view, 19> scripts{
    "codec.js",  "state.js",  "story.js",  "overlay.js",  "tree.js", "heat.js",   "charts.js",
    "events.js", "drawer.js", "tape.js",   "recorded.js", "side.js", "stream.js", "slider.js",
    "steer.js",  "fault.js",  "header.js", "listen.js",   "page.js"};

// A function of its own, so that the page has no names but the browser's.
std::string script_text() {
  std::string text = "(() => {\n'use strict';\n";
  for (const std::string_view name : scripts) text += carried_file("web/" + std::string(name));
  return text + "})();\n";
}

void put_within(std::string& html, std::string_view element, const std::string& text) {
  const std::size_t end = html.find("</" + std::string(element) + ">");
  if (end == std::string::npos) throw std::logic_error("the page has no place for its parts");
  html.insert(end, text);
}

// Nothing but what is within, answers of this server, and no other page around it.
std::string policy_for(const std::string& script, const std::string& style) {
  return "default-src 'none'; script-src " + hash_source(script) + "; style-src " +
         hash_source(style) +
         "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
}

WebPage make_page() {
  const std::string script = script_text();
  const std::string style(carried_file("web/page.css"));
  WebPage page{std::string(carried_file("web/page.html")), policy_for(script, style)};
  put_within(page.html, "style", style);
  put_within(page.html, "script", script);
  return page;
}

}  // namespace

const WebPage& web_page() {
  static const WebPage page = make_page();
  return page;
}

}  // namespace rhizome::tools
