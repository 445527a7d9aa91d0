// Lines in order, a commit for each batch. The file's ids are kept in memory, for relationships
// name them; nodes stand before their relationships. A broken line ends the import, with the
// batches before it kept, or is left out and reported.
#include "engine/database/access.hpp"
#include "query/transfer/earlier_records.hpp"
#include "query/transfer/index_statements.hpp"
#include "query/transfer/line_feed.hpp"

#include <cairn/transfer.hpp>

#include <chrono>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>

namespace cairn {
namespace query {
namespace {

constexpr std::size_t kept_problems = 100;

/// One import: the file's ids, the open batch, the report.
class Import {
 public:
  /// `bytes`: of the file, 0 where nobody knows.
  Import(Database& database, const ImportOptions& options, std::uint64_t bytes)
      : database_(database), options_(options), progress_({.total = bytes}) {}

  Result<ImportReport> run(LineFeed& feed) {
    CAIRN_ASSIGN(has_constraints_, has_constraints());
    for (std::vector<NumberedLine> lines = feed.next(); !lines.empty(); lines = feed.next())
      for (NumberedLine& line : lines) CAIRN_TRY(take(line));
    CAIRN_TRY(commit());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    report_.seconds = taken.count();
    return std::move(report_);
  }

 private:
  /// A transaction is begun with the first line of a batch. A line that was refused counts as one.
  Status take(NumberedLine& line) {
    if (options_.cancel.stop_requested()) return stop();
    if (!transaction_) {
      CAIRN_ASSIGN(transaction_, database_.begin());
    }
    const Status status = line.line ? store(*line.line) : Status(line.line.error());
    if (!status) CAIRN_TRY(refuse(line.number, status.error()));
    progress_.records = report_.nodes + report_.relationships;
    progress_.part = line.end;
    if (options_.progress) options_.progress(progress_);
    return ++in_batch_ >= options_.batch ? commit() : Status();
  }

  /// What the data cannot do is the line's fault; anything else ends the import.
  static bool is_lines_fault(ErrorCode code) {
    return code == ErrorCode::invalid_argument || code == ErrorCode::type_error ||
           code == ErrorCode::not_found || code == ErrorCode::already_exists;
  }

  /// A failed call leaves the transaction as it was, so that skipping a line keeps the rest of its
  /// batch.
  Status refuse(std::uint64_t number, const Error& error) {
    if (!options_.skip_errors || !is_lines_fault(error.code)) {
      transaction_.reset();
      return Error{error.code,
                   "line " + std::to_string(number) + ": " + error.message +
                       "; nothing of its batch was kept" +
                       (is_lines_fault(error.code) ? " (--skip-errors leaves such lines out)" : ""),
                   std::nullopt};
    }
    ++report_.skipped;
    if (report_.problems.size() < kept_problems)
      report_.problems.push_back({number, error.message});
    return {};
  }

  Status commit() {
    in_batch_ = 0;
    if (!transaction_) return {};
    Transaction ending = std::move(*transaction_);
    transaction_.reset();
    CAIRN_TRY(ending.commit());
    kept_nodes_ = report_.nodes;
    kept_relationships_ = report_.relationships;
    return {};
  }

  /// What was committed stays, and the open batch goes.
  Status stop() {
    transaction_.reset();
    return Error{ErrorCode::cancelled,
                 "the import was stopped: " + std::to_string(kept_nodes_) + " nodes and " +
                     std::to_string(kept_relationships_) + " relationships are kept",
                 std::nullopt};
  }

  Status store(ApocLine& line) {
    return std::visit(
        [this](auto& content) {
          if (!content.system && !options_.name_space.empty())
            content.system = SystemFields{.name_space = options_.name_space};
          return store(content);
        },
        line);
  }

  Result<bool> has_constraints() {
    CAIRN_ASSIGN(const Snapshot snapshot, database_.snapshot());
    CAIRN_ASSIGN(const std::string constraints, constraint_statements(snapshot));
    return !constraints.empty();
  }

  /// Asked at once, so that an error has its line. Where there were none when the import began, commit() asks.
  Status check_constraints() {
    return has_constraints_ ? Access::check_constraints(*transaction_) : Status();
  }

  /// The file's ids are only names within it; the table from them to the new ids is held until the
  /// end.
  Status store(const NodeLine& line) {
    if (ids_.contains(line.id))
      return Error{ErrorCode::already_exists,
                   "node id \"" + line.id + "\" was used by an earlier line", std::nullopt};
    NewNode node{line.labels, line.properties, external_id(line)};
    CAIRN_ASSIGN(const bool is_earlier, is_expired_earlier(line, node));
    if (is_earlier) return join_earlier(line, node);
    const auto id = line.system ? restore_node(*transaction_, node, *line.system)
                                : transaction_->create_node(node);
    if (!id && id.error().code == ErrorCode::already_exists && options_.skip_errors)
      return join_earlier(line, node);
    if (!id) return id.error();
    if (const Status kept = check_constraints(); !kept) {
      CAIRN_TRY(transaction_->erase_node(*id));
      return kept.error();
    }
    ids_.emplace(line.id, *id);
    if (options_.skip_errors && !node.external_id.empty()) earlier_.note_made(*id);
    ++report_.nodes;
    return {};
  }

  // An expired node gives its external id to a new one instead of refusing it, so that it is looked for first.
  Result<bool> is_expired_earlier(const NodeLine& line, const NewNode& node) const {
    if (!options_.skip_errors || node.external_id.empty() || !line.system ||
        !line.system->expires_at)
      return false;
    CAIRN_ASSIGN(const auto found,
                 find_node(*transaction_, line.system->name_space, node.external_id));
    return found.has_value();
  }

  // Of an import before this one, which did not come to its end: what follows joins to it.
  Status join_earlier(const NodeLine& line, const NewNode& wanted) {
    CAIRN_ASSIGN(const Node node, earlier_.find(*transaction_, wanted, line.system));
    ids_.emplace(line.id, node.id());
    CAIRN_ASSIGN(const bool is_equal,
                 EarlierRecords::is_equal(*transaction_, node, wanted, line.system));
    if (is_equal) {
      ++report_.earlier;
      return {};
    }
    return Error{ErrorCode::already_exists,
                 "a node with the external id \"" + wanted.external_id +
                     "\" is there already with other labels, properties or system fields, and "
                     "stays as it is",
                 std::nullopt};
  }

  Status store(const RelationshipLine& line) {
    CAIRN_ASSIGN(const NodeId start, resolve(line.start));
    CAIRN_ASSIGN(const NodeId end, resolve(line.end));
    const NewRelationship wanted{start, line.type, end, line.properties};
    CAIRN_ASSIGN(const bool is_earlier, earlier_.take(*transaction_, wanted, line.system));
    if (is_earlier) {
      ++report_.earlier;
      return {};
    }
    CAIRN_ASSIGN(const RelationshipId made,
                 line.system ? restore_relationship(*transaction_, wanted, *line.system)
                             : transaction_->create_relationship(wanted));
    if (const Status kept = check_constraints(); !kept) {
      CAIRN_TRY(transaction_->erase_relationship(made));
      return kept.error();
    }
    if (options_.skip_errors) earlier_.note_made(made);
    ++report_.relationships;
    return {};
  }

  Result<NodeId> resolve(const std::string& id) const {
    const auto found = ids_.find(id);
    if (found != ids_.end()) return found->second;
    return Error{
        ErrorCode::not_found,
        "no earlier line has the node \"" + id + "\": nodes stand before their relationships",
        std::nullopt};
  }

  ///    --id-property p   the value of p, as a text; none where a node has no p
  ///    --id-prefix x     x and the file's id
  ///    neither           the line's own externalId
  [[nodiscard]] std::string external_id(const NodeLine& line) const {
    if (!options_.id_property.empty()) {
      const auto property = line.properties.find(options_.id_property);
      if (property == line.properties.end() || property->second.is_null()) return {};
      const std::string* text = property->second.string();
      return text != nullptr ? *text : property->second.to_text();
    }
    return options_.id_prefix.empty() ? line.external_id : options_.id_prefix + line.id;
  }

  Database& database_;
  const ImportOptions& options_;
  TransferProgress progress_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  ImportReport report_;
  std::uint64_t kept_nodes_ = 0;  // of the batches before the open one
  std::uint64_t kept_relationships_ = 0;
  std::optional<Transaction> transaction_;
  std::size_t in_batch_ = 0;
  bool has_constraints_ = false;
  std::unordered_map<std::string, NodeId> ids_;
  EarlierRecords earlier_;
};

}  // namespace
}  // namespace query

Result<ImportReport> import_jsonl(Database& database, const std::filesystem::path& file,
                                  const ImportOptions& options) {
  CAIRN_ASSIGN(const std::unique_ptr<query::LineFeed> feed,
               query::LineFeed::open(file, options.max_line_bytes));
  std::error_code problem;
  const auto bytes = std::filesystem::file_size(file, problem);  // a pipe has none
  return query::Import(database, options, problem ? 0 : bytes).run(*feed);
}

}  // namespace cairn
