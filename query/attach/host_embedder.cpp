// set_embedder() and share_embedder(): the embedder of the process that has the database open, and its use by processes that
// are attached to it.
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/store/notes.hpp"
#include "query/memory_calls/install.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/memory/pending.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::attach {
namespace {

/// Sends texts to the host, so that this process need not load the model as well. Makes an embedder in this process
/// once the host has another embedder, or once this process is the host.
class SharedEmbedder final : public Embedder {
 public:
  SharedEmbedder(const Database& database, std::string spec, std::string model,
                 std::size_t dimension, MakeEmbedder make)
      : database_(database),
        spec_(std::move(spec)),
        model_(std::move(model)),
        dimension_(dimension),
        make_(std::move(make)) {}

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return embed(texts, false);
  }
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override {
    return embed(texts, true);
  }

 private:
  [[nodiscard]] Result<std::vector<Vector>> embed(std::span<const std::string_view> texts,
                                                  bool are_documents) const {
    const auto open = database_.lock();
    engine::Forwarding* const host = open ? Access::forwarding(**open) : nullptr;
    if (host != nullptr) {
      auto made = embed_by(*host, texts, are_documents);
      if (made || made.error().code != ErrorCode::unsupported) return made;
    }
    CAIRN_ASSIGN(const auto own, own_embedder());
    return are_documents ? own->embed_documents(texts) : own->embed(texts);
  }

  /// Sends texts in batches, because the size of a message is limited.
  [[nodiscard]] Result<std::vector<Vector>> embed_by(engine::Forwarding& host,
                                                     std::span<const std::string_view> texts,
                                                     bool are_documents) const {
    constexpr std::size_t most_texts = 64;
    constexpr std::size_t most_bytes = std::size_t{1} << 20;
    std::vector<Vector> vectors;
    while (vectors.size() < texts.size()) {
      List part;
      for (std::size_t bytes = 0; vectors.size() + part.size() < texts.size();) {
        const std::string_view text = texts[vectors.size() + part.size()];
        bytes += text.size();
        if (!part.empty() && (bytes > most_bytes || part.size() == most_texts)) break;
        part.emplace_back(text);
      }
      CAIRN_TRY(embed_part(host, std::move(part), are_documents, vectors));
    }
    return vectors;
  }

  Status embed_part(engine::Forwarding& host, List texts, bool are_documents,
                    std::vector<Vector>& vectors) const {
    StatementOptions options;
    options.timeout = std::chrono::minutes(10);  // the model has its own
    const std::size_t count = texts.size();
    CAIRN_ASSIGN(
        const Value made,
        host.call("embed",
                  {{"spec", spec_}, {"texts", std::move(texts)}, {"are_documents", are_documents}},
                  options));
    const List* const list = made.list();
    const auto wrong = [] {
      return Error{
          ErrorCode::io_error,
          "the process that has the database open did not return one vector for each text; both "
          "processes should use the same version of Cairn",
          {}};
    };
    if (list == nullptr || list->size() != count) return wrong();
    for (const Value& one : *list) {
      const auto* const vector = one.get_if<Vector>();
      if (vector == nullptr) return wrong();
      vectors.push_back(*vector);
    }
    return {};
  }

  [[nodiscard]] Result<std::shared_ptr<const Embedder>> own_embedder() const {
    const std::lock_guard lock(mutex_);
    if (own_ != nullptr) return own_;
    CAIRN_ASSIGN(auto made, make_());
    if (made->model() != model_ || made->dimension() != dimension_)
      return Error{ErrorCode::invalid_argument,
                   "the embedder of the host was the model \"" + model_ + "\" with " +
                       std::to_string(dimension_) + " dimensions, that of this process is \"" +
                       made->model() + "\" with " + std::to_string(made->dimension()) +
                       "; use the same embedder in both",
                   {}};
    own_ = std::move(made);
    return own_;
  }

  const DatabaseReference database_;
  const std::string spec_;
  const std::string model_;
  const std::size_t dimension_;
  const MakeEmbedder make_;
  mutable std::mutex mutex_;  // guards own_
  mutable std::shared_ptr<const Embedder> own_;
};

Status check_embedder(const Database& database, const Embedder& embedder) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  const Status status = check_model(snapshot, memory::embedding_index, embedder);
  return !status && status.error().code == ErrorCode::not_found ? Status() : status;
}

}  // namespace
}  // namespace cairn::query::attach

namespace cairn {
namespace {

std::string note_key(std::string_view model) { return "embedder/" + std::string(model); }

/// Stores the spec. A database that cannot store it (`unsupported`) is not an error.
Status note_if_possible(Database& database, const Embedder& embedder, const std::string& spec) {
  const Status noted = note_embedder(database, embedder.model(), spec);
  return !noted && noted.error().code == ErrorCode::unsupported ? Status() : noted;
}

}  // namespace

Status note_embedder(Database& database, std::string_view model, std::string_view spec) {
  constexpr std::size_t most_bytes = 4'096;
  if (spec.size() > most_bytes)
    return Error{ErrorCode::invalid_argument,
                 "the text of an embedder has " + std::to_string(spec.size()) +
                     " bytes, and at most " + std::to_string(most_bytes) + " are stored",
                 {}};
  CAIRN_ASSIGN(const std::string known, noted_embedder(database, model));
  if (known == spec) return {};
  if (auto* const host = Access::forwarding(database)) {
    CAIRN_TRY(host->call("note_embedder", {{"model", model}, {"spec", spec}}, {}));
    return {};
  }
  const auto core = Access::core(database);
  if (core == nullptr || core->options().mode != OpenMode::read_write)
    return Error{ErrorCode::unsupported,
                 "an embedder can only be stored in a database that is open for writing; open it "
                 "in mode read_write",
                 {}};
  CAIRN_TRY(core->write_note(note_key(model), std::string(spec)));
  return {};
}

Result<std::string> noted_embedder(const Database& database, std::string_view model) {
  if (auto* const host = Access::forwarding(database)) {
    CAIRN_ASSIGN(const Value spec, host->call("noted_embedder", {{"model", model}}, {}));
    return spec.string() == nullptr ? std::string() : *spec.string();
  }
  const auto core = Access::core(database);
  if (core == nullptr) return std::string();
  CAIRN_ASSIGN(const auto notes, core->notes(note_key(model)));
  const bool is_there = !notes.empty() && notes.front().key == note_key(model);
  return is_there ? notes.front().value : std::string();
}

Status set_embedder(Database& database, std::shared_ptr<const Embedder> embedder,
                    std::string spec) {
  if (embedder != nullptr) CAIRN_TRY(query::attach::check_embedder(database, *embedder));
  if (embedder != nullptr && !spec.empty()) CAIRN_TRY(note_if_possible(database, *embedder, spec));
  const auto implementation = Access::implementation(database).lock();
  if (implementation != nullptr && implementation->keep_embedder(embedder, spec)) return {};
  if (Access::core(database) == nullptr)
    return Error{ErrorCode::unsupported,
                 "the server of a remote database embeds its texts: start that server with "
                 "--embedder",
                 {}};
  query::install_memory_calls(database, std::move(embedder), std::move(spec));
  return {};
}

Result<std::shared_ptr<const Embedder>> share_embedder(const Database& database,
                                                       const std::string& spec, MakeEmbedder make) {
  using Pointer = std::shared_ptr<const Embedder>;
  engine::Forwarding* const host = Access::forwarding(database);
  // A host of an earlier version does not know the call.
  const auto found = host == nullptr ? Result<Value>(Value()) : host->call("embedder", {}, {});
  const Value described = found ? *found : Value();
  engine::CallReader reader(described);
  const bool is_same = described.map() != nullptr && reader.text("spec") == spec;
  if (!is_same || spec.empty()) return make();
  std::string model = reader.text("model");
  const auto dimension = static_cast<std::size_t>(reader.number("dimension"));
  CAIRN_TRY(reader.check());
  return Pointer(std::make_shared<const query::attach::SharedEmbedder>(
      database, spec, std::move(model), dimension, std::move(make)));
}

}  // namespace cairn
