// Imports a file line by line, with one commit for each batch of lines.
//
// The table of the file's ids stays in memory until the end, because relationships refer to nodes by these ids; a node
// must come before its relationships. Runs of lines of one kind are created together, which is faster; if one line of a
// run is refused, the run is repeated line by line to find it. A refused line ends the import with all previous batches
// stored, or is skipped and reported (ImportOptions::skip_errors).
//
// In an attached process the lines of the open batch are kept until its commit. If the host ends, they are stored again.

#include "engine/database/access.hpp"
#include "engine/database/record_batch.hpp"
#include "query/transfer/apoc_line.hpp"
#include "query/transfer/earlier_records.hpp"
#include "query/transfer/index_statements.hpp"
#include "query/transfer/line_feed.hpp"
#include "query/transfer/open_batch.hpp"

#include <cairn/transfer.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace cairn {

namespace query {
namespace {

// A file may have millions of bad lines: only the first ones are reported.
constexpr std::size_t kept_problems = 100;

/// One import: the table of the file's ids, the open batch and the report.
class Import {
 public:
  /// `bytes`: the size of the file for the progress; 0 if unknown.
  Import(Database& database, const ImportOptions& options, std::uint64_t bytes)
      : database_(database), options_(options), progress_({.total = bytes}) {}

  Result<ImportReport> run(LineFeed& feed) {
    CAIRN_TRY(learn_constraints());
    for (std::vector<NumberedLine> lines = feed.next(); !lines.empty(); lines = feed.next())
      CAIRN_TRY(take(std::move(lines)));
    CAIRN_TRY(finish());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    report_.seconds = taken.count();
    return std::move(report_);
  }

 private:
  /// Stores the next lines of the file.
  Status take(std::vector<NumberedLine> lines) {
    for (NumberedLine& line : lines) place(line);
    lines_.add(std::move(lines));
    CAIRN_TRY(store_lines());
    lines_.forget(may_be_lost_);
    return {};
  }

  /// Stores the lines that are not stored yet. If the host ends, those of the open batch are among them.
  Status store_lines() {
    while (!lines_.rest().empty())
      if (const Status stored = store_run(); !stored) CAIRN_TRY(take_batch_back(stored.error()));
    return {};
  }

  /// Commits the last batch.
  Status finish() {
    for (Status done = commit(); !done; done = commit()) {
      CAIRN_TRY(take_batch_back(done.error()));
      CAIRN_TRY(store_lines());
    }
    return {};
  }

  /// Stores successive records of one kind together, up to the end of the batch. If one of them is refused, they are
  /// stored one by one, so that the error names the line.
  Status store_run() {
    CAIRN_TRY(begin());
    const std::size_t room = std::max<std::size_t>(options_.batch, 1) - in_batch_;
    const std::span rest = lines_.rest();
    const auto lines = rest.first(run_of(rest.first(std::min(rest.size(), room))));
    CAIRN_ASSIGN(const bool is_done, create_together(lines));
    for (NumberedLine& line : lines) {
      if (!is_done) CAIRN_TRY(take_alone(line));
      if (is_done) count_made(line);
    }
    lines_.note_stored(lines.size());
    if (in_batch_ < options_.batch) return {};
    return options_.cancel.stop_requested() ? stop() : commit();
  }

  /// Undoes what the lines of the open batch have changed here, if their transaction was lost with the host: then nothing
  /// of them is stored. Errors: any other failure of the batch; a loss that the batch itself may have caused.
  Status take_batch_back(const Error& failure) {
    constexpr int most_hosts = 8;
    if (!is_lost_ || ++lost_hosts_ == most_hosts) return failure;
    is_lost_ = false;
    in_batch_ = 0;
    lines_.note_lost();
    for (const std::string& id : batch_ids_) ids_.erase(id);
    batch_ids_.clear();
    earlier_.take_batch_back();
    kept_.restore(report_);
    return {};
  }

  /// Lines without a member `system` go to the namespace of the options.
  void place(NumberedLine& line) const {
    if (!line.line || options_.name_space.empty()) return;
    std::visit(
        [this](auto& content) {
          if (!content.system) content.system = SystemFields{.name_space = options_.name_space};
        },
        *line.line);
  }

  /// Begins a transaction for the first line of a batch. Errors: cancelled.
  Status begin() {
    if (options_.cancel.stop_requested()) return stop();
    if (transaction_) return {};
    may_be_lost_ = Access::forwarding(database_) != nullptr;
    CAIRN_ASSIGN(transaction_, database_.begin());
    return {};
  }

  /// The number of lines at the front that can be created together; 1 for a line that must be stored alone.
  [[nodiscard]] std::size_t run_of(std::span<const NumberedLine> lines) const {
    const auto goes_on = [&](const NumberedLine& line) {
      return may_go_together(line) && line.line->index() == lines.front().line->index();
    };
    if (!may_go_together(lines.front())) return 1;
    return static_cast<std::size_t>(std::ranges::find_if_not(lines, goes_on) - lines.begin());
  }

  /// False for an invalid line, and for a line that may match a record of an earlier import.
  [[nodiscard]] bool may_go_together(const NumberedLine& line) const {
    if (!line.line) return false;
    if (!options_.skip_errors) return true;
    const auto* const node = std::get_if<NodeLine>(&*line.line);
    return node != nullptr ? external_id(*node).empty() : earlier_.is_empty();
  }

  /// Creates the records of a run. Returns false, with nothing of the run stored, if a record is refused. Errors: those
  /// that no line caused.
  Result<bool> create_together(std::span<NumberedLine> lines) {
    if (lines.size() < 2) return false;
    const bool are_nodes = std::holds_alternative<NodeLine>(*lines.front().line);
    return are_nodes ? create_nodes(lines) : create_relationships(lines);
  }

  /// Takes the file's ids first: a repeated id must not be created.
  Result<bool> create_nodes(std::span<NumberedLine> lines) {
    const std::size_t named = name_nodes(lines);
    if (named == lines.size()) {
      std::vector<engine::BatchNode> nodes = take_nodes(lines);
      const auto made =
          engine::create_all(*transaction_, std::span(std::as_const(nodes)), constraint_check());
      if (made) {
        for (std::size_t i = 0; i < lines.size(); ++i)
          ids_[std::get<NodeLine>(*lines[i].line).id] = (*made)[i];
        if (may_be_lost_) give_back(nodes, lines);
        return true;
      }
      give_back(nodes, lines);
      CAIRN_TRY(check_fault(lines, made.error()));
    }
    for (const NumberedLine& line : lines.first(named))
      ids_.erase(std::get<NodeLine>(*line.line).id);
    return false;
  }

  /// Moves the lines into records, without a copy of their properties; give_back() reverts it.
  [[nodiscard]] std::vector<engine::BatchNode> take_nodes(std::span<NumberedLine> lines) const {
    std::vector<engine::BatchNode> nodes;
    nodes.reserve(lines.size());
    for (NumberedLine& numbered : lines) {
      auto& line = std::get<NodeLine>(*numbered.line);
      std::string name = external_id(line);
      nodes.push_back(
          {{std::move(line.labels), std::move(line.properties), std::move(name)}, line.system});
    }
    return nodes;
  }

  /// Moves the content of records back into their lines.
  static void give_back(std::span<engine::BatchNode> nodes, std::span<NumberedLine> lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      auto& line = std::get<NodeLine>(*lines[i].line);
      line.labels = std::move(nodes[i].record.labels);
      line.properties = std::move(nodes[i].record.properties);
    }
  }

  /// Reserves the file's ids of nodes, up to the first one that is in use. Returns how many were free.
  std::size_t name_nodes(std::span<const NumberedLine> lines) {
    const auto is_taken = [this](const NumberedLine& line) {
      return !name(std::get<NodeLine>(*line.line).id, {});
    };
    return static_cast<std::size_t>(std::ranges::find_if(lines, is_taken) - lines.begin());
  }

  /// Sets the new id of a node of the file. Returns false if the file's id is in use.
  bool name(const std::string& id, NodeId node) {
    const bool is_new = ids_.emplace(id, node).second;
    if (is_new && may_be_lost_) batch_ids_.push_back(id);
    return is_new;
  }

  /// A line whose ends are unknown makes the run fail, so that the line is stored alone and gets its error.
  Result<bool> create_relationships(std::span<const NumberedLine> lines) {
    std::vector<engine::BatchRelationship> relationships;
    relationships.reserve(lines.size());
    for (const NumberedLine& numbered : lines) {
      const auto& line = std::get<RelationshipLine>(*numbered.line);
      const auto start = ids_.find(line.start);
      const auto end = ids_.find(line.end);
      if (start == ids_.end() || end == ids_.end()) return false;
      relationships.push_back(
          {{start->second, line.type, end->second, line.properties}, line.system});
    }
    const auto made = engine::create_all(*transaction_, std::span(std::as_const(relationships)),
                                         constraint_check());
    if (!made) {
      CAIRN_TRY(check_fault(lines, made.error()));
      return false;
    }
    if (options_.skip_errors)
      for (const RelationshipId id : *made) earlier_.note_made(id);
    return true;
  }

  /// Returns success if a line can have caused the error. Any other error, such as a full disk, ends the import; the
  /// transaction has failed with it.
  Status check_fault(std::span<const NumberedLine> lines, const Error& error) {
    if (is_lines_fault(error.code)) return {};
    drop_transaction();
    return Error{error.code,
                 "lines " + std::to_string(lines.front().number) + " to " +
                     std::to_string(lines.back().number) + ": " + error.message +
                     "; nothing of their batch was stored",
                 std::nullopt};
  }

  /// Constraints are checked at once, so that an error names its line. If the database had no constraints at the start,
  /// commit() checks them.
  [[nodiscard]] engine::ConstraintCheck constraint_check() const {
    return has_constraints_ ? engine::ConstraintCheck::at_once
                            : engine::ConstraintCheck::with_commit;
  }

  /// Stores one line alone. A refused line counts as a line of the batch.
  Status take_alone(NumberedLine& line) {
    CAIRN_TRY(begin());
    const Status status = line.line ? store(*line.line) : Status(line.line.error());
    if (!status) CAIRN_TRY(refuse(line.number, status.error()));
    count(line);
    return {};
  }

  /// Counts a line of a run whose record was created.
  void count_made(const NumberedLine& line) {
    ++(std::holds_alternative<NodeLine>(*line.line) ? report_.nodes : report_.relationships);
    count(line);
  }

  /// Counts a line of the batch, and reports the progress unless the line was stored before.
  void count(const NumberedLine& line) {
    ++in_batch_;
    if (line.number <= reported_) return;
    reported_ = line.number;
    progress_.records = report_.nodes + report_.relationships;
    progress_.part = line.end;
    if (options_.progress) options_.progress(progress_);
  }

  /// True if the data of a line can cause the error; any other error ends the import.
  static bool is_lines_fault(ErrorCode code) {
    return code == ErrorCode::invalid_argument || code == ErrorCode::type_error ||
           code == ErrorCode::not_found || code == ErrorCode::already_exists;
  }

  /// Skips a refused line, or ends the import. A failed call leaves its transaction unchanged, so skipping a line
  /// preserves the rest of its batch.
  Status refuse(std::uint64_t number, const Error& error) {
    if (!options_.skip_errors || !is_lines_fault(error.code)) {
      drop_transaction();
      return Error{error.code,
                   "line " + std::to_string(number) + ": " + error.message +
                       "; nothing of its batch was stored" +
                       (is_lines_fault(error.code) ? " (--skip-errors leaves such lines out)" : ""),
                   std::nullopt};
    }
    ++report_.skipped;
    if (report_.problems.size() < kept_problems)
      report_.problems.push_back({number, error.message});
    return {};
  }

  /// Commits the open batch, if there is one.
  Status commit() {
    in_batch_ = 0;
    if (!transaction_) return {};
    if (const Status done = transaction_->commit(); !done) {
      drop_transaction();
      return done;
    }
    transaction_.reset();
    kept_ = ReportCounts(report_);
    lines_.note_committed();
    batch_ids_.clear();
    earlier_.keep_batch();
    lost_hosts_ = 0;
    return {};
  }

  /// Ends a transaction that failed.
  void drop_transaction() {
    is_lost_ = Access::is_lost(*transaction_);
    transaction_.reset();
  }

  /// Ends the import by the caller's wish: committed batches stay, the open batch is rolled back.
  Status stop() {
    transaction_.reset();
    return Error{ErrorCode::cancelled,
                 "the import was stopped: it committed " + std::to_string(kept_.nodes) +
                     " nodes and " + std::to_string(kept_.relationships) + " relationships",
                 std::nullopt};
  }

  Status store(const ApocLine& line) {
    return std::visit([this](const auto& content) { return store(content); }, line);
  }

  // Checking constraints for each line is only necessary if there are any.
  Status learn_constraints() {
    return database_.read([this](const Snapshot& snapshot) -> Status {
      CAIRN_ASSIGN(const std::string constraints, constraint_statements(snapshot));
      has_constraints_ = !constraints.empty();
      return {};
    });
  }

  /// Checks constraints at once, so that an error names its line. If the database had no constraints at the start,
  /// commit() checks them.
  Status check_constraints() {
    return has_constraints_ ? Access::check_constraints(*transaction_) : Status();
  }

  /// Stores one node. The file's ids are names within the file only; the table that maps them to new ids is held until
  /// the end.
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
    name(line.id, *id);
    if (options_.skip_errors && !node.external_id.empty()) earlier_.note_made(*id);
    ++report_.nodes;
    return {};
  }

  // True if the line's node expires and an earlier import stored it. Creating it again would take over the external id of
  // an expired node instead of failing, so the node must be looked up first.
  Result<bool> is_expired_earlier(const NodeLine& line, const NewNode& node) const {
    if (!options_.skip_errors || node.external_id.empty() || !line.system ||
        !line.system->expires_at)
      return false;
    CAIRN_ASSIGN(const auto found,
                 find_node(*transaction_, line.system->name_space, node.external_id));
    return found.has_value();
  }

  // Uses the node of an earlier, unfinished import, so that later lines can refer to it.
  Status join_earlier(const NodeLine& line, const NewNode& wanted) {
    CAIRN_ASSIGN(const Node node, earlier_.find(*transaction_, wanted, line.system));
    name(line.id, node.id());
    CAIRN_ASSIGN(const bool is_equal,
                 EarlierRecords::is_equal(*transaction_, node, wanted, line.system));
    if (is_equal) {
      ++report_.earlier;
      return {};
    }
    return Error{
        ErrorCode::already_exists,
        "a node with the external id \"" + wanted.external_id +
            "\" already exists with other labels, properties or system fields; it was not changed",
        std::nullopt};
  }

  /// Stores one relationship, or recognises it as stored by an earlier import.
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

  /// The id of the node that an earlier line created or matched.
  Result<NodeId> resolve(const std::string& id) const {
    const auto found = ids_.find(id);
    if (found != ids_.end()) return found->second;
    return Error{
        ErrorCode::not_found,
        "no earlier line has the node \"" + id + "\": nodes must come before their relationships",
        std::nullopt};
  }

  /// The external id of a node line:
  ///    --id-property p   the value of p as a text; none if the node has no p
  ///    --id-prefix x     x followed by the file's id
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
  ReportCounts kept_;  // of the committed batches
  OpenLines lines_;
  std::uint64_t reported_ = 0;  // the last line whose progress was reported
  std::optional<Transaction> transaction_;
  bool may_be_lost_ = false;                     // the transaction is open in another process
  bool is_lost_ = false;                         // the last transaction was lost, with the host
  int lost_hosts_ = 0;                           // since the last commit
  std::size_t in_batch_ = 0;                     // lines in the open batch
  bool has_constraints_ = false;                 // at the start of the import
  std::unordered_map<std::string, NodeId> ids_;  // new ids by the file's ids
  std::vector<std::string> batch_ids_;  // ids of ids_ from the open batch, if it may be lost
  EarlierRecords earlier_;
};

}  // namespace
}  // namespace query

Result<ImportReport> import_jsonl(Database& database, const std::filesystem::path& file,
                                  const ImportOptions& options) {
  CAIRN_ASSIGN(const std::unique_ptr<query::LineFeed> feed,
               query::LineFeed::open(file, options.max_line_bytes));
  std::error_code problem;
  const auto bytes = std::filesystem::file_size(file, problem);  // a pipe has no size
  return query::Import(database, options, problem ? 0 : bytes).run(*feed);
}

}  // namespace cairn
