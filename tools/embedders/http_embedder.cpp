// Requests vectors from a service in batches. A batch is halved if the service refuses its size. A
// request is sent again later if the service is away or asks to wait, and at most twice after
// status 500.
#include "tools/embedders/http_embedder.hpp"

#include "tools/embedders/http_settings.hpp"
#include "tools/embedders/http_transport.hpp"
#include "tools/embedders/text_batches.hpp"
#include "tools/embedders/vector_lists.hpp"
#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t most_batch_bytes = std::size_t{256} << 10;
constexpr milliseconds longest_wait{15'000};
constexpr int most_faults = 3;  // of a request

/// True for texts that services refuse, because there is nothing to make a vector of.
bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

/// Decides whether to try again, and waits.
class Patience {
 public:
  explicit Patience(const HttpSettings& settings)
      : patience_(settings.patience), next_(settings.first_wait), random_(std::random_device()()) {}

  /// Waits before the next try, a little longer than `asked`, the wait that the service asks for.
  /// If `asked` is negative, the service asks for none: then waits are random, and their limit
  /// doubles with each wait. Returns false if the wait would exceed the remaining patience.
  bool wait(milliseconds asked) {
    // Random, so that clients that the service has refused do not all return at the same moment.
    std::uniform_real_distribution<double> part(0.5, 1);
    const double drawn = part(random_) * static_cast<double>(next_.count());
    const auto usual = milliseconds(static_cast<milliseconds::rep>(drawn));
    const milliseconds wait = asked.count() < 0 ? usual : asked + usual / 4;
    next_ = std::min(next_ * 2, longest_wait);
    const auto now = Clock::now();
    if (end_ == Clock::time_point::max()) end_ = now + patience_;
    if (now + wait > end_) return false;
    std::this_thread::sleep_for(wait);
    return true;
  }

 private:
  milliseconds patience_;
  Clock::time_point end_ = Clock::time_point::max();  // of the patience; set by the first wait
  milliseconds next_;
  std::minstd_rand random_;
};

/// True for a service that is away or has too much to do.
bool is_away(long status) {
  return status == 408 || status == 429 || status == 502 || status == 503 || status == 504;
}

/// An embedder over one address. All calls share one batch size, see BatchSize. Threads: any number
/// at once.
class HttpEmbedder final : public Embedder {
 public:
  explicit HttpEmbedder(HttpSettings settings)
      : settings_(std::move(settings)),
        transport_(settings_.address, settings_.key, settings_.timeout),
        model_(model_of(settings_)),
        dimension_(settings_.dimension),
        batch_(settings_.batch) {}

  /// Asks for the dimension unless it is given.
  [[nodiscard]] Status ask_dimension() {
    if (dimension_ != 0) return {};
    const std::string_view word = "dimension";
    CAIRN_ASSIGN(const auto vectors, embed({&word, 1}));
    dimension_ = vectors.front().dimension();
    return {};
  }

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return embed(texts, settings_.query);
  }
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override {
    return embed(texts, settings_.document);
  }

 private:
  /// Prefixes and types change vectors, so that they belong to the name.
  static std::string model_of(const HttpSettings& settings) {
    std::string name = settings.model;
    const auto add = [&](const char* what, const std::string& value) {
      if (!value.empty()) name += std::string(" ") + what + "=" + Value(value).to_text();
    };
    add("query_prefix", settings.query.prefix);
    add("query_type", settings.query.type);
    add("document_prefix", settings.document.prefix);
    add("document_type", settings.document.type);
    return name;
  }

  /// Puts the name of the embedder in front of a message such as `refuses the key`.
  [[nodiscard]] Error named(const Error& error) const {
    return {error.code, "the embedder " + settings_.address.shown + " " + error.message, {}};
  }

  /// Blank texts are not sent; their vector is zero.
  [[nodiscard]] Result<std::vector<Vector>> embed(std::span<const std::string_view> texts,
                                                  const HttpInput& input) const {
    std::vector<std::string> prefixed;
    std::vector<std::string_view> sent;
    prefixed.reserve(texts.size());  // views of its texts stay valid
    for (const std::string_view text : texts) {
      if (is_blank(text)) continue;
      if (!input.prefix.empty()) prefixed.push_back(input.prefix + std::string(text));
      sent.push_back(input.prefix.empty() ? text : std::string_view(prefixed.back()));
    }
    auto made = embed_sent(sent, input);
    if (!made) return named(made.error());
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    auto next = made->begin();
    for (const std::string_view text : texts)
      vectors.push_back(is_blank(text) ? Vector(std::vector<float>(dimension_))
                                       : std::move(*next++));
    return vectors;
  }

  /// Sends texts in batches. A batch that the service refuses for its size is halved and sent
  /// again.
  Result<std::vector<Vector>> embed_sent(std::span<const std::string_view> texts,
                                         const HttpInput& input) const {
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    batch_.begin_call();
    while (vectors.size() < texts.size()) {
      const auto batch =
          next_batch(texts.subspan(vectors.size()), {batch_.get(), most_batch_bytes});
      auto made = embed_batch(batch, input);
      // The size may have been halved because of one text.
      if (!made) batch_.reset();
      if (!made) return made.error();
      if (!*made) {
        batch_.refuse(batch.size());
        continue;
      }
      for (Vector& vector : **made) vectors.push_back(std::move(vector));
    }
    return vectors;
  }

  /// Returns nullopt if the service refuses so many texts at once.
  Result<std::optional<std::vector<Vector>>> embed_batch(std::span<const std::string_view> texts,
                                                         const HttpInput& input) const {
    CAIRN_ASSIGN(const HttpReply reply, ask(http_request(settings_, input, texts), texts.size()));
    if (reply.status == 413 && texts.size() > 1) return std::optional<std::vector<Vector>>();
    if (reply.status != 200) return refusal_of(reply);
    CAIRN_ASSIGN(auto vectors, http_vectors(settings_.kind, reply.body, texts.size(), dimension_));
    return std::optional(std::move(vectors));
  }

  /// Sends a request, again and again while the service is away, and returns the last reply.
  Result<HttpReply> ask(const std::string& body, std::size_t count) const {
    Patience patience(settings_);
    for (int faults = 0;;) {
      auto reply = transport_.post(body, most_answer_bytes(count));
      if (reply && reply->status == 500) ++faults;
      const bool may_try_again =
          reply ? is_away(reply->status) || (reply->status == 500 && faults < most_faults)
                : reply.error().code == ErrorCode::busy;
      if (!may_try_again) return reply;
      const milliseconds asked = reply ? retry_delay(reply->retry_after) : milliseconds(-1);
      if (!patience.wait(asked)) return reply;
    }
  }

  /// Makes an error of a reply. The error shows no text of a service that refuses the key, because
  /// the text may contain a part of the key.
  [[nodiscard]] Error refusal_of(const HttpReply& reply) const {
    const std::string status = std::to_string(reply.status);
    if (reply.status == 401 || reply.status == 403)
      return {ErrorCode::io_error,
              (settings_.key.empty() ? "requires a key; set CAIRN_EMBEDDER_KEY or key_file (status "
                                     : "refuses the key (status ") +
                  status + ")",
              {}};
    std::string message = "answers with status " + status;
    if (reply.status == 413) message += ", as a text is too long";
    if (!reply.retry_after.empty())
      message +=
          " and asks to wait (Retry-After: " + shown_text(without_key(reply.retry_after)) + ")";
    const std::string text = shown_text(without_key(http_error_text(reply.body)));
    if (!text.empty()) message += ": " + text;
    return {is_away(reply.status) ? ErrorCode::busy : ErrorCode::io_error, message, {}};
  }

  /// Replaces the key in a text of the service, so that no message and no log shows it.
  [[nodiscard]] std::string without_key(std::string text) const {
    if (settings_.key.empty()) return text;
    for (std::size_t at = text.find(settings_.key); at != std::string::npos;
         at = text.find(settings_.key, at))
      text.replace(at, settings_.key.size(), "...");
    return text;
  }

  const HttpSettings settings_;
  const HttpTransport transport_;
  const std::string model_;
  std::size_t dimension_;    // set once, before the embedder is handed out
  mutable BatchSize batch_;  // texts of a request
};

}  // namespace

Result<std::unique_ptr<Embedder>> make_http_embedder(HttpSettings settings) {
  auto embedder = std::make_unique<HttpEmbedder>(std::move(settings));
  CAIRN_TRY(embedder->ask_dimension());
  return std::unique_ptr<Embedder>(std::move(embedder));
}

Result<std::unique_ptr<Embedder>> make_http_embedder(const std::vector<std::string>& words,
                                                     const EmbedderOptions& options) {
  CAIRN_ASSIGN(HttpSettings settings, read_http_settings(words, options));
  return make_http_embedder(std::move(settings));
}

}  // namespace cairn::tools
