// Requests vectors from a program. Each request is a line of JSON, and so is each answer:
//
//    {"id": 0, "request": "describe"}
//    {"id": 0, "model": "mini-3", "dimension": 384}
//    {"id": 1, "input": "query", "request": "embed", "texts": ["a text", "another"]}
//    {"id": 1, "vectors": [[0.1, ...], [0.2, ...]]}
//    {"id": 2, "error": "the text is too long"}
#include "tools/embedders/child_program.hpp"
#include "tools/embedders/json_member.hpp"
#include "tools/embedders/local_embedders.hpp"
#include "tools/embedders/text_batches.hpp"
#include "tools/embedders/vector_lists.hpp"
#include "tools/text/shown_text.hpp"

#include <cairn/json.hpp>
#include <cairn/value.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

constexpr BatchLimits batch_limits{64, std::size_t{1} << 20};

class CommandEmbedder final : public Embedder {
 public:
  CommandEmbedder(std::vector<std::string> words, std::chrono::milliseconds timeout)
      : words_(std::move(words)), timeout_(timeout), owner_(::getpid()) {}

  [[nodiscard]] Status start() {
    const std::lock_guard lock(mutex_);
    return start_program();
  }

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return embed(texts, "query");
  }
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override {
    return embed(texts, "document");
  }

 private:
  [[nodiscard]] Error named(const Error& error) const {
    return {error.code, "the embedder " + words_.front() + " " + error.message, {}};
  }

  [[nodiscard]] Result<std::vector<Vector>> embed(std::span<const std::string_view> texts,
                                                  const char* input) const {
    if (::getpid() != owner_)
      return named({ErrorCode::unsupported,
                    "was started by another process; make an embedder in this one",
                    {}});
    const std::lock_guard lock(mutex_);
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    while (vectors.size() < texts.size()) {
      const auto batch = next_batch(texts.subspan(vectors.size()), batch_limits);
      auto made = embed_batch(batch, input);
      if (!made) return named(made.error());
      vectors.insert(vectors.end(), std::make_move_iterator(made->begin()),
                     std::make_move_iterator(made->end()));
    }
    return vectors;
  }

  /// Sends one batch. Ends the program if its answer does not have a vector for each text.
  Result<std::vector<Vector>> embed_batch(std::span<const std::string_view> texts,
                                          const char* input) const {
    const Map request{
        {"request", "embed"}, {"input", input}, {"texts", List(texts.begin(), texts.end())}};
    CAIRN_ASSIGN(const Map answer, ask_again(request, texts.size()));
    auto vectors = vectors_of(json_member(answer, "vectors"), texts.size(), dimension_);
    if (!vectors) program_.reset();
    return vectors;
  }

  /// Sends a request. If the program has ended, starts it again and sends the request once more.
  Result<Map> ask_again(const Map& request, std::size_t count) const {
    for (bool is_again = false;; is_again = true) {
      if (program_ == nullptr) CAIRN_TRY(start_program());
      auto answer = ask(request, count);
      if (answer || !has_ended_ || is_again) return answer;
    }
  }

  /// Sends one request. Ends the program unless it sends a valid answer, which may be a refusal.
  Result<Map> ask(Map request, std::size_t count) const {
    const std::int64_t id = next_id_++;
    request["id"] = id;
    auto line =
        program_->ask(to_json(Value(std::move(request))), timeout_, most_answer_bytes(count));
    has_ended_ = !line && line.error().code == ErrorCode::io_error;
    auto answer = line ? read_answer(*line, id) : Result<Map>(line.error());
    if (!answer) program_.reset();
    if (answer && answer->contains("error"))
      return Error{ErrorCode::io_error, "refuses: " + shown(json_member(*answer, "error")), {}};
    return answer;
  }

  static std::string shown(const Value& value) {
    return shown_text(value.string() == nullptr ? to_json(value) : *value.string());
  }

  /// Reads a line of the program. Errors: io_error if the line is not a JSON object, or not the
  /// answer to request `id`.
  static Result<Map> read_answer(const std::string& line, std::int64_t id) {
    const auto value = parse_json(line);
    const Map* const answer = value ? value->map() : nullptr;
    if (answer == nullptr)
      return Error{
          ErrorCode::io_error, "sent a line that is not a JSON object: " + shown_text(line), {}};
    if (json_member(*answer, "id") == Value(id)) return *answer;
    return Error{
        ErrorCode::io_error,
        "sent an answer whose \"id\" is not " + std::to_string(id) + ": " + shown_text(line),
        {}};
  }

  /// Starts the program and checks its model. A program that fails the check is ended.
  Status start_program() const {
    CAIRN_ASSIGN(program_, ChildProgram::start(words_));
    const auto answer = ask({{"request", "describe"}}, 0);
    const Status checked = answer ? check_description(*answer) : Status(answer.error());
    if (!checked) program_.reset();
    return checked;
  }

  /// Stores model and dimension at the first start, and compares them at later starts.
  Status check_description(const Map& answer) const {
    const Value given_model = json_member(answer, "model");
    const Value given_dimension = json_member(answer, "dimension");
    const auto* const model = given_model.string();
    const auto* const dimension = given_dimension.get_if<std::int64_t>();
    if (model == nullptr || model->empty() || dimension == nullptr || *dimension < 1 ||
        *dimension > static_cast<std::int64_t>(most_dimensions))
      return Error{ErrorCode::io_error,
                   "must answer the request \"describe\" with a model and a dimension of 1 to " +
                       std::to_string(most_dimensions),
                   {}};
    if (model_.empty()) {
      model_ = *model;
      dimension_ = static_cast<std::size_t>(*dimension);
    }
    if (model_ == *model && dimension_ == static_cast<std::size_t>(*dimension)) return {};
    return Error{ErrorCode::io_error,
                 "had the model " + model_ + " of dimension " + std::to_string(dimension_) +
                     ", and has " + shown_text(*model) + " of dimension " +
                     std::to_string(*dimension) + " after a new start",
                 {}};
  }

  const std::vector<std::string> words_;
  const std::chrono::milliseconds timeout_;
  const pid_t owner_;  // a fork would mix its requests with those of this process
  // Set once, before the embedder is handed out.
  mutable std::string model_;
  mutable std::size_t dimension_ = 0;
  mutable std::mutex mutex_;                       // guards all below
  mutable std::unique_ptr<ChildProgram> program_;  // none before the next start
  mutable std::int64_t next_id_ = 0;
  mutable bool has_ended_ =
      false;  // true if the last program ended by itself, and was not ended here
};

}  // namespace

Result<std::unique_ptr<Embedder>> make_command_embedder(std::vector<std::string> words,
                                                        std::chrono::milliseconds timeout) {
  const std::string name = words.front();
  auto embedder = std::make_unique<CommandEmbedder>(std::move(words), timeout);
  const Status started = embedder->start();
  if (started) return std::unique_ptr<Embedder>(std::move(embedder));
  return Error{started.error().code, "the embedder " + name + " " + started.error().message, {}};
}

}  // namespace cairn::tools
