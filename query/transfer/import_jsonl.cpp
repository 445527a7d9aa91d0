// Lines in order, a commit for each batch. The file's ids stay in memory, for relationships
// name them; nodes stand before their relationships. A broken line ends the import, with the
// batches before it stored, or is left out and reported.

#include "engine/database/access.hpp"
#include "query/transfer/apoc_line.hpp"
#include "query/transfer/earlier_records.hpp"
#include "query/transfer/index_statements.hpp"

#include <cairn/transfer.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query {
namespace {

// Lines of a file, read and parsed on a thread of their own, so that parsing one batch and writing
// the one before go on side by side.
//
// Parsing is most of an import's work beside the store's; a thread reads and parses ahead, 16
// pieces of 512 lines or a mebibyte at most, so that memory is bounded, as a line is. The order stays.

struct NumberedLine {
  std::uint64_t number = 0;  ///< from 1
  Result<ApocLine> line;
  std::uint64_t end = 0;  ///< byte of the file behind it
};

/// Threads: next() from one thread.
class LineFeed {
 public:
  /// A longer line is given as an error in its place. Errors: not_found; io_error; resource_limit, where no
  /// thread can be had.
  [[nodiscard]] static Result<std::unique_ptr<LineFeed>> open(const std::filesystem::path& file,
                                                              std::size_t max_line_bytes);
  LineFeed(const LineFeed&) = delete;
  LineFeed& operator=(const LineFeed&) = delete;
  ~LineFeed();

  /// The next parsed lines in order, empty at the end. Blank lines are left out.
  [[nodiscard]] std::vector<NumberedLine> next();

 private:
  struct Piece {
    std::vector<NumberedLine> lines;
    std::size_t bytes = 0;  // of their texts
  };
  LineFeed(std::ifstream input, std::size_t max_line_bytes);
  void run(const std::stop_token& stop);
  /// False at the end of the file.
  [[nodiscard]] bool read_line(std::string& text, bool& is_long);
  [[nodiscard]] bool put(Piece piece, const std::stop_token& stop);

  const std::size_t max_line_bytes_;
  std::ifstream input_;
  std::uint64_t bytes_read_ = 0;
  std::vector<char> buffer_ = std::vector<char>(64 * 1024);
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::deque<Piece> ready_;
  std::size_t bytes_ready_ = 0;
  bool ended_ = false;
  std::jthread reader_;  // last: it uses all of the above
};

constexpr std::size_t lines_a_piece = 512;

constexpr std::size_t bytes_a_piece = std::size_t{1} << 20;

constexpr std::size_t pieces_ahead = 16;

constexpr std::size_t bytes_ahead = 16 * bytes_a_piece;

Error too_long(std::size_t limit) {
  return Error{ErrorCode::invalid_argument,
               "it has more than " + std::to_string(limit) +
                   " bytes (ImportOptions::max_line_bytes, --max-line-mib); split the record, or "
                   "import with a larger limit",
               std::nullopt};
}

Result<std::unique_ptr<LineFeed>> LineFeed::open(const std::filesystem::path& file,
                                                 std::size_t max_line_bytes) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem))
    return Error{ErrorCode::not_found, "there is no file " + file.string(), std::nullopt};
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file, problem))
    return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  std::unique_ptr<LineFeed> feed(new LineFeed(std::move(input), max_line_bytes));
  try {
    feed->reader_ =
        std::jthread([one = feed.get()](const std::stop_token& stop) { one->run(stop); });
  } catch (const std::system_error& none) {
    return Error{ErrorCode::resource_limit,
                 "cannot start a thread to read " + file.string() + " (" + none.what() +
                     "); end other threads or raise the limit of threads (ulimit -u, pids.max)",
                 std::nullopt};
  }
  return feed;
}

LineFeed::LineFeed(std::ifstream input, std::size_t max_line_bytes)
    : max_line_bytes_(max_line_bytes), input_(std::move(input)) {}

LineFeed::~LineFeed() = default;

// Waits for the reading thread. Nothing left is the end; the thread that waits for room is woken.
std::vector<NumberedLine> LineFeed::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !ready_.empty(); });
  if (ready_.empty()) return {};
  Piece piece = std::move(ready_.front());
  ready_.pop_front();
  bytes_ready_ -= piece.bytes;
  changed_.notify_all();
  return std::move(piece.lines);
}

// Lines are numbered from 1, blank ones counted.
void LineFeed::run(const std::stop_token& stop) {
  Piece piece;
  std::string text;
  bool is_long = false;
  for (std::uint64_t number = 1; !stop.stop_requested() && read_line(text, is_long); ++number) {
    if (!is_long && text.find_first_not_of(" \t\r") == std::string::npos) continue;
    piece.lines.push_back(
        {number, is_long ? Result<ApocLine>(too_long(max_line_bytes_)) : parse_apoc_line(text),
         bytes_read_});
    piece.bytes += text.size();
    const bool is_full = piece.lines.size() >= lines_a_piece || piece.bytes >= bytes_a_piece;
    if (is_full && !put(std::exchange(piece, {}), stop)) return;
  }
  if (!piece.lines.empty() && !put(std::move(piece), stop)) return;
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// The rest of a line that is too long is passed over, so that the next one can be read.
bool LineFeed::read_line(std::string& text, bool& is_long) {
  text.clear();
  is_long = false;
  while (true) {
    input_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const bool is_cut = input_.fail();  // by the end of the buffer, or nothing was left
    std::size_t size = static_cast<std::size_t>(input_.gcount());
    bytes_read_ += size;
    if (is_cut && input_.eof()) return is_long || !text.empty();
    if (is_cut && size + 1 < buffer_.size()) return false;  // the disk failed
    if (!is_cut && !input_.eof()) --size;                   // the end of the line was counted
    is_long = is_long || size > max_line_bytes_ - text.size();
    if (is_long)
      text.clear();
    else
      text.append(buffer_.data(), size);
    if (!is_cut) return true;
    input_.clear();
  }
}

/// One piece may pass the bound for the bytes of all.
bool LineFeed::put(Piece piece, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has_room = [this] {
    return ready_.empty() || (ready_.size() < pieces_ahead && bytes_ready_ < bytes_ahead);
  };
  if (!changed_.wait(lock, stop, has_room)) return false;
  bytes_ready_ += piece.bytes;
  ready_.push_back(std::move(piece));
  changed_.notify_all();
  return true;
}

}  // namespace

}  // namespace cairn::query

namespace cairn {

namespace query {
namespace {

constexpr std::size_t kept_problems = 100;

/// One import: the file's ids, the open batch, the report.
class Import {
 public:
  /// `bytes`: the file's size, 0 if unknown.
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

  /// An error of the data is the line's; any other error ends the import.
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

  /// Checks constraints at once, so that an error has its line. If there were none at the start, commit() checks them.
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

  // Uses the node of an earlier, unfinished import: later lines refer to that node.
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
