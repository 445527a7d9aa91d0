// Imports a CSV file as nodes: recognises the type of each field by its shape, and commits the
// nodes in batches.
#include "tools/transfer/csv_import.hpp"

#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/csv.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cairn::tools {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for "12", but not for "012" and "".
bool is_plain_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  return std::ranges::all_of(text, is_digit);
}

std::optional<Value> integer(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = is_plain_number(digits) && error == std::errc() && text != "-0";
  return is_whole && end == text.data() + text.size() ? std::optional(Value(number)) : std::nullopt;
}

/// True for numbers like -12[.5][e+3], with a point or an exponent.
std::optional<Value> floating(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  const std::size_t end_of_whole = rest.find_first_of(".eE");
  if (end_of_whole == rest.npos || !is_plain_number(rest.substr(0, end_of_whole))) return {};
  if (rest.find_first_not_of("0123456789", end_of_whole + 1) == rest.npos &&
      end_of_whole + 1 == rest.size())
    return {};  // "1." and "1e"
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return Value(number);
}

std::optional<Value> boolean(std::string_view text) {
  const auto is = [&](std::string_view word) {
    return std::ranges::equal(text, word,
                              [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  if (is("true")) return Value(true);
  if (is("false")) return Value(false);
  return std::nullopt;
}

/// In a pattern, 9 means any digit.
bool has_shape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(text, shape,
                            [](char a, char b) { return b == '9' ? is_digit(a) : a == b; });
}

bool is_offset(std::string_view text) {
  return text == "Z" || has_shape(text, "+99:99") || has_shape(text, "-99:99");
}

/// True for 10:00, 10:00:00 and 10:00:00.5.
bool is_time(std::string_view text) {
  if (text.size() <= 8) return has_shape(text, "99:99") || has_shape(text, "99:99:99");
  const std::string_view fraction = text.substr(9);
  return has_shape(text.substr(0, 8), "99:99:99") && text[8] == '.' && !fraction.empty() &&
         fraction.size() <= 9 && std::ranges::all_of(fraction, is_digit);
}

/// Returns the function of the language that parses such a text; empty for any other text.
std::string_view temporal_function(std::string_view text) {
  constexpr std::size_t date_size = 10;
  if (!has_shape(text.substr(0, date_size), "9999-99-99")) return {};
  if (text.size() == date_size) return "date";
  if (text[date_size] != 'T') return {};
  const std::string_view time = text.substr(date_size + 1);
  const std::size_t offset = time.find_first_of("Z+-");
  if (!is_time(time.substr(0, offset))) return {};
  if (offset == time.npos) return "localdatetime";
  return is_offset(time.substr(offset)) ? "datetime" : std::string_view();
}

/// The 30th of February has the shape of a date but is not one.
std::optional<Value> temporal(std::string_view text) {
  const std::string_view function = temporal_function(text);
  if (function.empty()) return std::nullopt;
  auto value = parse_literal(std::string(function) + "('" + std::string(text) + "')");
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

}  // namespace

Value csv_value(const CsvField& field) {
  if (field.is_missing()) return {};
  const std::string_view text = field.text;
  for (const auto read : {integer, floating, boolean, temporal})
    if (auto value = read(text)) return *std::move(value);
  return Value(field.text);
}

namespace {

namespace fs = std::filesystem;

// Errors that the report lists.
constexpr std::size_t kept_problems = 100;

/// One import: the names of the columns, the open batch, the report.
///
/// An attached process stores the nodes of the open batch in memory until the commit, because
/// Database::write() runs the function of the batch again if the host ends.
class CsvImport {
 public:
  CsvImport(Database& database, CsvReader& reader, std::uint64_t bytes,
            const CsvImportOptions& options)
      : database_(database),
        reader_(reader),
        options_(options),
        progress_("nodes", bytes, options.progress) {}

  Result<ImportReport> run() {
    CAIRN_TRY(read_names());
    warn_of_delimiter();
    CAIRN_TRY(learn_constraints());
    const auto role = database_.role();
    keeps_nodes_ = !role || !role->is_host || (check_ && options_.skip_errors);
    while (true) {
      CAIRN_TRY(advance());
      if (!has_record_) break;
      CAIRN_TRY(store_batch());
    }
    report_.seconds = progress_.seconds();
    return std::move(report_);
  }

 private:
  /// Reads the names of the columns from the first record, and finds the column of the external
  /// ids.
  Status read_names() {
    CAIRN_ASSIGN(const bool is_there, reader_.next(record_));
    if (!is_there)
      return reader_.error(ErrorCode::invalid_argument,
                           "the file is empty; its first line must name the columns");
    std::set<std::string_view> seen;
    for (const CsvField& field : record_) {
      if (field.text.empty())
        return reader_.error(ErrorCode::invalid_argument,
                             "column " + std::to_string(names_.size() + 1) + " has no name");
      if (!seen.insert(field.text).second)
        return reader_.error(ErrorCode::invalid_argument,
                             "two columns are named \"" + field.text + "\"; rename one");
      names_.push_back(field.text);
    }
    const auto found = std::ranges::find(names_, options_.id_column);
    if (!options_.id_column.empty() && found == names_.end())
      return reader_.error(
          ErrorCode::invalid_argument,
          "there is no column \"" + options_.id_column + "\" for the external id (--id)");
    id_ = static_cast<std::size_t>(found - names_.begin());
    return {};
  }

  /// Warns about a file with one column, which usually has another delimiter.
  void warn_of_delimiter() const {
    const char likely = names_.size() == 1 && options_.tell ? likely_delimiter(names_[0]) : '\0';
    if (likely == '\0') return;
    const std::string name = likely == '\t' ? "tab" : "\"" + std::string(1, likely) + "\"";
    options_.tell("all of the first line is one column, " + names_[0] + ": --delimiter " + name +
                  " splits it");
  }

  /// Prepares a statement that checks the constraints after each record, because the commit of a
  /// batch would report a violation without its line.
  Status learn_constraints() {
    CAIRN_ASSIGN(Rows constraints, execute(database_, "SHOW CONSTRAINTS"));
    CAIRN_ASSIGN(const auto first, constraints.next());
    if (!first) return {};
    // The statement writes nothing, but counts as a writing statement, and these check constraints
    // at their end.
    CAIRN_ASSIGN(check_, Statement::parse("FOREACH (nothing IN [] | CREATE ())"));
    return {};
  }

  Status check_constraints(Transaction& transaction) {
    if (!check_) return {};
    CAIRN_ASSIGN(Rows rows, check_->run(transaction));
    CAIRN_TRY(rows.all());
    return {};
  }

  /// The error that ends the import: committed batches stay, the open batch is discarded.
  [[nodiscard]] Error stop() const {
    return {ErrorCode::cancelled,
            "the import was stopped: it committed " + counted(committed_, "node", "nodes"),
            std::nullopt};
  }

  /// Reads the next record.
  Status advance() {
    if (options_.cancel.stop_requested()) return stop();
    CAIRN_ASSIGN(has_record_, reader_.next(record_));
    return {};
  }

  /// Stores the records of the next batch. If a record violates a constraint, the transaction cannot be
  /// used any more. With `skip_errors`, another transaction then stores the records of the batch before
  /// this record, and the batch ends.
  Status store_batch() {
    nodes_.clear();
    in_batch_ = 0;
    is_spoilt_ = false;
    Status done = database_.write([this](Transaction& transaction) { return fill(transaction); });
    if (!done && is_spoilt_)
      done =
          database_.write([this](Transaction& transaction) { return create_again(transaction); });
    if (done) committed_ = report_.nodes;
    return done;
  }

  /// Stores records up to the end of the batch. If an earlier run of this function was lost with
  /// its host, first creates the nodes of that run again.
  Status fill(Transaction& transaction) {
    CAIRN_TRY(create_again(transaction));
    while (has_record_) {
      if (const Status stored = store(transaction); !stored) CAIRN_TRY(refuse(stored.error()));
      has_record_ = false;
      progress_.update(report_.nodes, reader_.bytes());
      if (is_spoilt_) return spoilt();
      if (++in_batch_ < options_.batch) CAIRN_TRY(advance());
    }
    return {};
  }

  /// Creates the nodes of a transaction that cannot be committed.
  Status create_again(Transaction& transaction) {
    for (const NewNode& node : nodes_) CAIRN_TRY(create(transaction, node));
    return {};
  }

  /// True if a record can cause the error; any other error ends the import.
  static bool is_records_fault(ErrorCode code) {
    return code == ErrorCode::invalid_argument || code == ErrorCode::type_error ||
           code == ErrorCode::already_exists;
  }

  /// Leaves a refused record out, or ends the import.
  Status refuse(const Error& error) {
    const bool is_fault = is_records_fault(error.code);
    if (!options_.skip_errors || !is_fault)
      return reader_.error(error.code,
                           error.message + "; nothing of its batch was stored" +
                               (is_fault ? " (--skip-errors leaves such lines out)" : ""));
    ++report_.skipped;
    if (report_.problems.size() < kept_problems)
      report_.problems.push_back({reader_.line(), error.message});
    return {};
  }

  /// The node of the current record. Errors: invalid_argument.
  [[nodiscard]] Result<NewNode> node_of_record() const {
    if (record_.size() > names_.size())
      return Error{ErrorCode::invalid_argument,
                   "the record has " + std::to_string(record_.size()) +
                       " fields, but the header names only " + std::to_string(names_.size()) +
                       " columns",
                   std::nullopt};
    NewNode node{options_.labels, {}, {}};
    for (std::size_t i = 0; i < record_.size(); ++i)
      if (!record_[i].is_missing()) node.properties[names_[i]] = csv_value(record_[i]);
    if (id_ < record_.size() && !record_[id_].text.empty())
      node.external_id = options_.id_prefix + record_[id_].text;
    return node;
  }

  Result<NodeId> create(Transaction& transaction, const NewNode& node) const {
    if (options_.name_space.empty()) return transaction.create_node(node);
    return restore_node(transaction, node, {.name_space = options_.name_space});
  }

  Status store(Transaction& transaction) {
    CAIRN_ASSIGN(NewNode node, node_of_record());
    const auto made = create(transaction, node);
    if (!made && made.error().code == ErrorCode::already_exists && options_.skip_errors)
      return join_earlier(transaction, node);
    if (!made) return made.error();
    if (const Status kept = check_constraints(transaction); !kept) {
      is_spoilt_ = options_.skip_errors && is_records_fault(kept.error().code);
      return kept;
    }
    ++report_.nodes;
    if (options_.skip_errors && !node.external_id.empty()) taken_.insert(node.external_id);
    if (keeps_nodes_) nodes_.push_back(std::move(node));
    return {};
  }

  /// Recognises the node of an earlier import.
  Status join_earlier(const Transaction& transaction, const NewNode& wanted) {
    const std::string name = "external id \"" + wanted.external_id + "\"";
    if (taken_.contains(wanted.external_id))
      return Error{ErrorCode::already_exists, name + " was used by an earlier line", std::nullopt};
    CAIRN_ASSIGN(const auto found, find_node(transaction, options_.name_space, wanted.external_id));
    if (!found || !is_equal(*found, wanted))
      return Error{ErrorCode::already_exists,
                   "a node with the " + name +
                       " already exists with other labels or properties; it was not changed",
                   std::nullopt};
    taken_.insert(wanted.external_id);
    ++report_.earlier;
    return {};
  }

  static bool is_equal(const Node& node, const NewNode& wanted) {
    const std::set<std::string> labels(wanted.labels.begin(), wanted.labels.end());
    return labels == std::set<std::string>(node.labels().begin(), node.labels().end()) &&
           node.properties() == wanted.properties;
  }

  /// The error that ends a transaction whose check of constraints failed.
  static Error spoilt() { return {ErrorCode::invalid_argument, "a record was refused", {}}; }

  Database& database_;
  CsvReader& reader_;
  const CsvImportOptions& options_;
  Progress progress_;
  ImportReport report_;
  std::uint64_t committed_ = 0;  // nodes of committed batches
  std::vector<std::string> names_;
  std::size_t id_ = 0;  // beyond the names if not requested
  std::vector<CsvField> record_;
  bool has_record_ = false;         // record_ is not taken yet
  std::size_t in_batch_ = 0;        // records of the open batch
  bool keeps_nodes_ = false;        // stores the nodes of the open batch
  std::vector<NewNode> nodes_;      // of the open batch, if keeps_nodes_
  bool is_spoilt_ = false;          // the check of constraints failed in the open transaction
  std::optional<Statement> check_;  // only if there are constraints
  std::unordered_set<std::string> taken_;  // external ids of this file, only if errors are skipped
};

CsvSource source_of(std::ifstream& input, const std::string& name) {
  return [&input, name](std::span<char> room) -> Result<std::size_t> {
    input.read(room.data(), static_cast<std::streamsize>(room.size()));
    if (input.bad()) return Error{ErrorCode::io_error, "cannot read " + name, std::nullopt};
    return static_cast<std::size_t>(input.gcount());
  };
}

}  // namespace

char likely_delimiter(std::string_view name) {
  constexpr std::string_view delimiters = ";\t|,";
  const std::size_t at = name.find_first_of(delimiters);
  return at == std::string_view::npos ? '\0' : name[at];
}

Status take_options(const ImportOptions& shared, CsvImportOptions& options) {
  options.batch = shared.batch;
  options.name_space = shared.name_space;
  options.cancel = shared.cancel;
  options.skip_errors = shared.skip_errors;
  options.id_prefix = shared.id_prefix;
  if (options.id_column.empty()) options.id_column = shared.id_property;
  if (!shared.id_property.empty() && options.id_column != shared.id_property)
    return Error{ErrorCode::invalid_argument,
                 "--id and --id-property both name the column of the external ids: leave one out",
                 std::nullopt};
  if (!options.id_prefix.empty() && options.id_column.empty())
    return Error{ErrorCode::invalid_argument,
                 "--id-prefix needs the column of the ids in a CSV file: --id COLUMN",
                 std::nullopt};
  return {};
}

bool is_csv_file(const fs::path& file) {
  return file.extension() == ".csv" || file.extension() == ".tsv";
}

Result<char> parse_delimiter(std::string_view word) {
  if (word == "tab" || word == "\\t") return '\t';
  const bool is_fit = word.size() == 1 && word != "\"" && word != "\r" && word != "\n" &&
                      static_cast<unsigned char>(word.front()) < 0x80;
  if (is_fit) return word.front();
  return Error{ErrorCode::invalid_argument,
               "a delimiter is the word tab, or one ASCII character other than a quote, not \"" +
                   std::string(word) + "\"",
               std::nullopt};
}

Result<ImportReport> import_csv(Database& database, const fs::path& file,
                                const CsvImportOptions& options) {
  if (options.labels.empty())
    return Error{ErrorCode::invalid_argument,
                 "the nodes of " + file.string() + " need a label: --label LABEL", std::nullopt};
  std::error_code problem;
  if (!fs::exists(file, problem))
    return Error{ErrorCode::not_found, "there is no file " + file.string(), std::nullopt};
  std::ifstream input(file, std::ios::binary);
  if (!input || fs::is_directory(file, problem))
    return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  const auto bytes = fs::file_size(file, problem);
  CsvOptions form;
  const char usual = file.extension() == ".tsv" ? '\t' : ',';
  form.delimiter = options.delimiter == '\0' ? usual : options.delimiter;
  CsvReader reader(file.string(), source_of(input, file.string()), form);
  return CsvImport(database, reader, problem ? 0 : bytes, options).run();
}

}  // namespace cairn::tools
