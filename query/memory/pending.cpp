// Makes the vectors that are pending: reads a batch of texts, embeds them without a transaction, and writes the vectors of
// those texts that have not changed meanwhile.
#include "query/memory/memory_impl.hpp"
#include "query/memory/text_vectors.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::PendingOptions;
using memory::PendingReport;

/// Records whose vectors are in one index.
struct PendingRecords {
  std::string_view index;
  std::string_view pattern;  ///< with a condition
  bool are_documents;        ///< the vectors are those of embed_documents()
};
// The second line is what `cairn ingest` writes. Memories are chunks of their own.
constexpr std::array<PendingRecords, 2> all_records = {
    {{memory::embedding_index, "(m:Memory) WHERE true", false},
     {"chunk_embedding", "(m:Chunk) WHERE NOT m:Memory", true}}};

struct PendingText {
  NodeId id;
  std::string text;
};

using Texts = std::span<const PendingText>;

Result<std::vector<std::vector<Value>>> rows_of(const Snapshot& snapshot, const std::string& text,
                                                const Parameters& parameters,
                                                const std::string& name_space) {
  StatementOptions options;
  options.name_space = name_space;
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot, parameters, options));
  return rows.all();
}

std::string text_or_empty(const Value& value) {
  return value.string() == nullptr ? std::string() : *value.string();
}

/// The number of pending records of a pattern in all namespaces.
Result<std::uint64_t> count_where(const Snapshot& snapshot, const std::string& pattern) {
  const std::string text =
      "MATCH " + pattern + " m." + std::string(memory::pending_name) + " = true RETURN count(*)";
  CAIRN_ASSIGN(const auto names, name_spaces(snapshot));
  std::uint64_t count = 0;
  for (const std::string& name : names) {
    CAIRN_ASSIGN(const auto rows, rows_of(snapshot, text, {}, name));
    count += static_cast<std::uint64_t>(rows.at(0).at(0).as_integer());
  }
  return count;
}

/// Embeds pending records of one index.
class PendingRun {
 public:
  PendingRun(Database& database, const Embedder& embedder, const PendingOptions& options,
             PendingReport& report)
      : database_(database), embedder_(embedder), options_(options), report_(report) {}

  /// False if nothing is pending, or if the index has vectors of another model; then `refused` has the error.
  Result<bool> may_embed(const PendingRecords& records, Status& refused) {
    CAIRN_ASSIGN(const Snapshot snapshot, database_.snapshot());
    CAIRN_ASSIGN(const std::uint64_t pending, count(snapshot, records));
    if (pending == 0) return false;
    const Status fits = check_model(snapshot, records.index, embedder_);
    const bool is_missing = !fits && fits.error().code == ErrorCode::not_found;
    if (is_missing && !records.are_documents) CAIRN_TRY(prepare_indexes());
    if (!fits && !is_missing) refused = fits;
    return fits || is_missing;
  }

  /// Embeds the pending records of all namespaces.
  Status run(const PendingRecords& records) {
    CAIRN_ASSIGN(const Snapshot snapshot, database_.snapshot());
    CAIRN_ASSIGN(const auto names, name_spaces(snapshot));
    for (const std::string& name : names) CAIRN_TRY(run(records, name));
    return {};
  }

  /// The error of the model if it made no vector at all.
  [[nodiscard]] Status failure() const { return report_.embedded == 0 ? failure_ : Status(); }

 private:
  /// Embeds the records of one namespace in the order of their ids.
  Status run(const PendingRecords& records, const std::string& name_space) {
    std::optional<NodeId> last;
    while (!options_.cancel.stop_requested() && made() < options_.limit) {
      CAIRN_ASSIGN(const auto texts, next_texts(records, name_space, last));
      if (texts.empty()) return {};
      CAIRN_TRY(embed(records, texts));
      last = texts.back().id;
      if (options_.progress) options_.progress(report_.embedded);
    }
    return {};
  }

  static Result<std::uint64_t> count(const Snapshot& snapshot, const PendingRecords& records) {
    return count_where(snapshot, std::string(records.pattern) + " AND");
  }

  /// Makes the index of memories, which does not exist yet if the model has been away from the first memory on.
  Status prepare_indexes() {
    memory::MemoryOptions options;
    options.embedder =
        std::shared_ptr<const Embedder>(std::shared_ptr<const Embedder>(), &embedder_);
    memory::Memory::Impl impl(database_, std::move(options));
    return impl.prepare_indexes();
  }

  [[nodiscard]] std::uint64_t made() const { return report_.embedded + report_.changed; }

  /// Returns the next pending texts in the order of their ids, at most a batch and what the limit leaves.
  Result<std::vector<PendingText>> next_texts(const PendingRecords& records,
                                              const std::string& name_space,
                                              std::optional<NodeId> last) const {
    const std::uint64_t batch = std::max<std::size_t>(options_.batch, 1);
    const std::uint64_t most = std::min(batch, options_.limit - made());
    const std::string text = "MATCH " + std::string(records.pattern) + " AND m." +
                             std::string(memory::pending_name) +
                             " = true AND id(m) > $last RETURN id(m) AS id, m.content AS content "
                             "ORDER BY id LIMIT $most";
    const Value after(last ? static_cast<std::int64_t>(last->value) : std::int64_t{-1});
    CAIRN_ASSIGN(const Snapshot snapshot, database_.snapshot());
    CAIRN_ASSIGN(const auto rows,
                 rows_of(snapshot, text,
                         {{"last", after}, {"most", static_cast<std::int64_t>(most)}}, name_space));
    std::vector<PendingText> texts;
    for (const auto& row : rows)
      texts.push_back(
          {NodeId{static_cast<std::uint64_t>(row[0].as_integer())}, text_or_empty(row[1])});
    return texts;
  }

  Result<std::vector<TextVector>> vectors_of(const PendingRecords& records, Texts texts) const {
    std::vector<std::string_view> views;
    for (const PendingText& one : texts) views.emplace_back(one.text);
    return text_vectors(
        records.are_documents ? embedder_.embed_documents(views) : embedder_.embed(views),
        views.size(), embedder_);
  }

  Status embed(const PendingRecords& records, Texts texts) {
    auto vectors = vectors_of(records, texts);
    if (vectors) return write(records, texts, *vectors);
    if (vectors.error().code == ErrorCode::busy) return vectors.error();
    return texts.size() == 1 ? pass_over(texts.front(), vectors.error())
                             : embed_singly(records, texts);
  }

  /// A batch of one text does not show whether the model fails or refuses the text. Several in a row show that it fails.
  Status pass_over(const PendingText& text, const Error& error) {
    constexpr std::size_t most_in_a_row = 8;
    failure_ = error;
    if (++passed_over_ > most_in_a_row) return error;
    report_.warnings.push_back(refusal(text, error));
    return {};
  }

  static std::string refusal(const PendingText& text, const Error& error) {
    return "record " + std::to_string(text.id.value) + " stays pending: " + error.message;
  }

  /// Finds out which texts of a batch the model refuses. If it refuses all, it is the model that fails.
  Status embed_singly(const PendingRecords& records, Texts texts) {
    std::vector<std::string> refused;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto vectors = vectors_of(records, texts.subspan(i, 1));
      if (vectors) {
        CAIRN_TRY(write(records, texts.subspan(i, 1), *vectors));
        continue;
      }
      if (vectors.error().code == ErrorCode::busy || refused.size() + 1 == texts.size())
        return vectors.error();
      refused.push_back(refusal(texts[i], vectors.error()));
    }
    std::ranges::move(refused, std::back_inserter(report_.warnings));
    return {};
  }

  /// Writes a batch in one commit.
  Status write(const PendingRecords& records, Texts texts, const std::vector<TextVector>& vectors) {
    CAIRN_ASSIGN(const std::uint64_t written, memory::again([&]() -> Result<std::uint64_t> {
                   return write_once(records, texts, vectors);
                 }));
    passed_over_ = 0;
    report_.embedded += written;
    report_.changed += texts.size() - written;
    return {};
  }

  Result<std::uint64_t> write_once(const PendingRecords& records, Texts texts,
                                   const std::vector<TextVector>& vectors) {
    CAIRN_ASSIGN(Transaction transaction, database_.begin());
    auto warning = use_model(transaction, records.index, embedder_);
    // Without an index there is no model to compare with.
    if (!warning && warning.error().code != ErrorCode::not_found) return warning.error();
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAIRN_ASSIGN(const bool is_pending, still_pending(transaction, texts[i]));
      if (!is_pending) continue;
      Properties properties;
      vectors[i].store(properties);
      CAIRN_TRY(transaction.set_properties(texts[i].id, properties));
      ++written;
    }
    CAIRN_TRY(transaction.commit());
    if (warning && !warning->empty()) report_.warnings.push_back(*std::move(warning));
    return written;
  }

  /// False if others have erased, hidden or embedded the record meanwhile, or changed its text.
  static Result<bool> still_pending(Transaction& transaction, const PendingText& text) {
    CAIRN_ASSIGN(const auto fields, system_fields(transaction, text.id));
    if (!fields || fields->deleted_at) return false;
    CAIRN_ASSIGN(const auto node, transaction.find_node(text.id));
    return node && node->property(memory::pending_name) == Value(true) &&
           text_or_empty(node->property("content")) == text.text;
  }

  Database& database_;
  const Embedder& embedder_;
  const PendingOptions& options_;
  PendingReport& report_;
  Status failure_;               // of the last text that was passed over
  std::size_t passed_over_ = 0;  // in a row
};

}  // namespace

}  // namespace cairn::query

namespace cairn::memory {

Result<std::uint64_t> count_pending(const Snapshot& snapshot) {
  return query::count_where(snapshot, "(m) WHERE");
}

Result<PendingReport> embed_pending(Database& database, const Embedder& embedder,
                                    const PendingOptions& options) {
  PendingReport report;
  query::PendingRun run(database, embedder, options, report);
  Status refused;
  for (const query::PendingRecords& records : query::all_records) {
    if (!options.index.empty() && options.index != records.index) continue;
    CAIRN_ASSIGN(const bool fits, run.may_embed(records, refused));
    if (fits) CAIRN_TRY(run.run(records));
  }
  CAIRN_TRY(run.failure());
  CAIRN_ASSIGN(const Snapshot after, database.snapshot());
  CAIRN_ASSIGN(report.left, count_pending(after));
  if (!refused && report.embedded == 0) return refused.error();
  if (!refused) report.warnings.push_back(refused.error().message);
  return report;
}

}  // namespace cairn::memory
