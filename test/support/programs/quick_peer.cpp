// A peer in C++, without a library for JSON, that is as quick as can be: it measures the pipe. It
// gives out unique ids to clients, executes the tasks of jobs where they come, and has a timer
// every so many seconds as its argument says, if there is one.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

// The text or the number behind the first "key": of a line, as it stands there.
std::string_view field(std::string_view line, std::string_view key) {
  const std::size_t at = line.find("\"" + std::string(key) + "\":");
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + key.size() + 3);
  const bool text = rest.starts_with('"');
  if (text) rest.remove_prefix(1);
  return rest.substr(0, rest.find_first_of(text ? "\"" : ",}"));
}

class Peers {
 public:
  explicit Peers(std::string_view pause) : pause_(pause) {}

  void hear(std::string_view line) {
    const std::string_view body = line.substr(line.find("\"body\":"));
    self_ = field(line, "dest");
    const std::string_view type = field(body, "type");
    if (type == "time") return;
    if (type == "init") {
      say(field(line, "src"), R"("type":"init_ok","rhizome":1,"in_reply_to":)",
          field(body, "msg_id"));
      arm();
    } else if (type == "timer") {
      arm();
    } else if (type == "generate") {
      say(field(line, "src"),
          R"("type":"generate_ok","id":")" + std::string(self_) + "-" + std::to_string(++ids_) +
              R"(","in_reply_to":)",
          field(body, "msg_id"));
    } else if (type == "job") {
      work_on(body);
    } else if (type == "work_done") {
      say("env", R"("type":"finished","task":")", std::string(field(body, "task")) + "\"");
    }
    say("env", R"("type":"idle")", "");
    std::cout.write(said_.data(), static_cast<std::streamsize>(said_.size())).flush();
    said_.clear();
  }

 private:
  void arm() {
    if (!pause_.empty()) say("env", R"("type":"timer","name":"again","after":)", pause_);
  }
  void work_on(std::string_view body) {
    constexpr std::string_view id = "\"id\":\"";
    for (std::size_t at = body.find(id); at != std::string_view::npos; at = body.find(id, at + 1)) {
      const std::string task(field(body.substr(at), "id"));
      say("env", R"("type":"work","id":"w","task":")", task + "\"");
    }
  }
  void say(std::string_view to, std::string_view body, std::string_view last) {
    said_.append(R"({"src":")").append(self_).append(R"(","dest":")").append(to);
    said_.append(R"(","body":{)").append(body).append(last).append("}}\n");
  }

  std::string_view pause_;
  std::string_view self_{};
  std::string said_;
  std::uint64_t ids_ = 0;
};

}  // namespace

int main(int count, char** words) {
  std::ios::sync_with_stdio(false);
  Peers peers(count > 1 ? words[1] : "");
  for (std::string line; std::getline(std::cin, line);) peers.hear(line);
}
