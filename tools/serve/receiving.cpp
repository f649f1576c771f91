// The uploads of a server of jobs: a file is received piece by piece, and stored under its hash.
#include <fmt/core.h>

#include <optional>
#include <utility>

#include "scenarios/text/json.hpp"
#include "tools/serve/service.hpp"

namespace rhizome::tools {

using scenarios::Json;

namespace {

Reply file_reply(int status, const std::string& hash, std::uint64_t bytes) {
  const Json json{{"file", Uploads::name_of(hash)}, {"bytes", bytes}};
  return {status, "application/json", scenarios::line_of(json) + "\n"};
}

}  // namespace

class JobService::Upload final : public Receiver {
 public:
  Upload(JobService& service, std::string hash) : service_(service), hash_(std::move(hash)) {
    if (!place_)
      refused_ =
          service_.busy(1, fmt::format("{} files are uploaded, and that is the most at a time",
                                       service_.limits_.most_uploading));
    guarded([this] { incoming_.emplace(service_.uploads_, hash_); });
  }
  bool take(std::string_view piece) override {
    return guarded([&] { incoming_->take(piece); });
  }
  Reply end(BodyEnd how) override {
    const bool known = service_.uploads_.size_of(hash_).has_value();
    bool kept = false;
    if (how == BodyEnd::whole) guarded([&] { kept = incoming_->keep(); });
    if (kept) return file_reply(known ? 200 : 201, hash_, incoming_->size());
    ++service_.refusals_;
    if (refused_) return *refused_;
    switch (how) {
      case BodyEnd::whole:
        return service_.refused(422, "the SHA-256 of the body is not that of the path");
      case BodyEnd::silent:
        return service_.refused(408, "the rest of the body did not come: send the file again");
      case BodyEnd::cut_off:
        break;
    }
    return service_.refused(400, "the body is not whole, or longer than an upload may be");
  }

 private:
  template <class F>
  bool guarded(F f) {
    if (refused_) return false;
    try {
      f();
      return true;
    } catch (const TooLarge& error) {
      refused_ = service_.refused(413, error.what());
    } catch (const StoreFull& error) {
      refused_ = service_.refused(507, std::string("the file is not stored: ") + error.what());
    }
    return false;
  }

  JobService& service_;
  const ConnectionSlots::Place place_ = service_.uploading_.take();
  const std::string hash_;
  std::optional<Uploads::Incoming> incoming_;
  std::optional<Reply> refused_;
};

std::unique_ptr<Receiver> JobService::receive(const Question& question) {
  const Match found = match(question.path);
  for (const Route* route : found.routes)
    if (route->id == RouteId::upload) {
      ++requests_;
      return std::make_unique<Upload>(*this, found.hash);
    }
  return {};
}

Reply JobService::file(const std::string& hash) const {
  const auto bytes = uploads_.size_of(hash);
  return bytes ? file_reply(200, hash, *bytes)
               : refused(404, "no file with that SHA-256 has been uploaded");
}

}  // namespace rhizome::tools
