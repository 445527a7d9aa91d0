#include "tools/embed/database_embedder.hpp"

#include "tools/embedders/spec_from_anywhere.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/make_embedder.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::string_view memory_index = "memory_embedding";

/// What the index of memories says about its model.
struct KnownModel {
  std::string name;
  std::size_t dimension = 0;
};

/// Nullopt if there is no index, or if it names no model.
Result<std::optional<KnownModel>> known_model(const Database& database) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  const auto name = index_model(snapshot, memory_index);
  if (!name || name->empty()) return std::optional<KnownModel>();
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  const auto index = std::ranges::find(indexes, memory_index, &IndexDescription::name);
  if (index == indexes.end()) return std::optional<KnownModel>();
  const auto option = index->options.find("vector.dimensions");
  const auto* const dimension =
      option == index->options.end() ? nullptr : option->second.get_if<std::int64_t>();
  if (dimension == nullptr) return std::optional<KnownModel>();
  return std::optional(KnownModel{*name, static_cast<std::size_t>(*dimension)});
}

/// Limits the waits for an unavailable service, because statements wait for the embedder, and some hold the writer lock
/// meanwhile.
EmbedderOptions impatient(const std::string& spec) {
  EmbedderOptions options;
  options.patience = std::chrono::milliseconds(2'000);
  if (spec.starts_with("http")) options.timeout = std::chrono::milliseconds(15'000);
  return options;
}

/// The embedder of statements. If the model was unavailable at the start, makes the underlying
/// embedder when a call needs it. After a failure, calls return the same error at once for five
/// seconds; then a call tries again.
class StatementEmbedder final : public Embedder {
 public:
  StatementEmbedder(std::string spec, KnownModel known, std::shared_ptr<const Embedder> made)
      : spec_(std::move(spec)), known_(std::move(known)), made_(std::move(made)) {}

  [[nodiscard]] std::string model() const override { return known_.name; }
  [[nodiscard]] std::size_t dimension() const override { return known_.dimension; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return ask([&](const Embedder& made) { return made.embed(texts); });
  }
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override {
    return ask([&](const Embedder& made) { return made.embed_documents(texts); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class Ask>
  Result<std::vector<Vector>> ask(const Ask& ask_made) const {
    CAIRN_ASSIGN(const auto made, made_embedder());
    auto vectors = ask_made(*made);
    if (!vectors && vectors.error().code == ErrorCode::busy) {
      const std::lock_guard lock(mutex_);
      note_away(vectors.error());
    }
    return vectors;
  }

  /// Returns the underlying embedder, and makes it if there is none yet. For five seconds after a failure, returns
  /// the error of that failure.
  Result<std::shared_ptr<const Embedder>> made_embedder() const {
    const std::lock_guard lock(mutex_);
    if (away_ && Clock::now() < ask_again_) return *away_;
    if (made_ != nullptr) return made_;
    auto made = make_embedder(spec_, impatient(spec_));
    if (!made) {
      note_away(made.error());
      return made.error();
    }
    if ((*made)->model() != known_.name || (*made)->dimension() != known_.dimension)
      return Error{ErrorCode::invalid_argument,
                   "the database has vectors of the model \"" + known_.name +
                       "\", and the embedder makes those of \"" + (*made)->model() + "\"",
                   std::nullopt};
    made_ = *std::move(made);
    return made_;
  }

  /// The caller holds the mutex.
  void note_away(const Error& error) const {
    away_ = error;
    ask_again_ = Clock::now() + std::chrono::seconds(5);
  }

  const std::string spec_;
  const KnownModel known_;
  mutable std::mutex mutex_;  // guards the following members
  mutable std::shared_ptr<const Embedder> made_;
  mutable std::optional<Error> away_;
  mutable Clock::time_point ask_again_;
};

/// Makes an embedder, or uses that of the host.
Result<std::shared_ptr<const Embedder>> share(const Database& database, const std::string& spec,
                                              const EmbedderOptions& options) {
  return share_embedder(database, storable_spec(spec),
                        [spec, options]() -> Result<std::shared_ptr<const Embedder>> {
                          CAIRN_ASSIGN(auto made, make_embedder(spec, options));
                          return std::shared_ptr<const Embedder>(std::move(made));
                        });
}

}  // namespace

std::string storable_spec(const std::string& spec) {
  const bool is_address = spec.starts_with("http:") || spec.starts_with("https:");
  return is_address && spec.find('?') != std::string::npos ? "" : spec_from_anywhere(spec);
}

Result<std::shared_ptr<const Embedder>> make_shared_embedder(const Database& database,
                                                             const std::string& spec) {
  return share(database, spec, {});
}

Result<std::shared_ptr<const Embedder>> make_database_embedder(const Database& database,
                                                               const std::string& spec,
                                                               std::ostream& remarks) {
  using Pointer = std::shared_ptr<const Embedder>;
  auto made = share(database, spec, impatient(spec));
  if (made) {
    KnownModel model{(*made)->model(), (*made)->dimension()};
    return Pointer(
        std::make_shared<const StatementEmbedder>(spec, std::move(model), *std::move(made)));
  }
  const ErrorCode code = made.error().code;
  if (code != ErrorCode::busy && code != ErrorCode::io_error) return made.error();
  CAIRN_ASSIGN(auto known, known_model(database));
  if (!known) return made.error();
  remarks << "warning: " << made.error().message
          << "; until it answers, vectors are pending and questions are answered by words\n";
  return Pointer(std::make_shared<const StatementEmbedder>(spec, *std::move(known), nullptr));
}

Status use_embedder(Database& database, const std::string& spec, std::ostream& remarks) {
  if (spec.empty()) return {};
  CAIRN_ASSIGN(auto embedder, make_database_embedder(database, spec, remarks));
  CAIRN_TRY(set_embedder(database, std::move(embedder), storable_spec(spec)));
  CAIRN_ASSIGN(const DatabaseRole role, database.role());
  if (!role.is_host)
    remarks << "warning: process " << role.host
            << " has the database open and answers statements with its own embedder\n";
  return {};
}

}  // namespace cairn::tools
