// Dot commands that load and write data. They use transactions of their own, so they are refused
// while a transaction is open.
#include "tools/shell/transfer_commands.hpp"

#include "tools/text/cell_text.hpp"
#include "tools/transfer/backup.hpp"
#include "tools/transfer/csv_import.hpp"
#include "tools/transfer/export_files.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>

namespace cairn::tools {
namespace {

Status check_no_transaction(const Session& session) {
  if (!session.in_transaction()) return {};
  return Error{ErrorCode::conflict, "a transaction is open: COMMIT or ROLLBACK it first",
               std::nullopt};
}

/// The arguments of `.import`.
struct ImportPlan {
  std::string file;
  ImportOptions lines;   ///< for JSON Lines
  CsvImportOptions csv;  ///< for a CSV file
};

/// An option of `.import`, with the name that `cairn import` uses.
struct ImportFlag {
  std::string_view name;
  bool takes_word;
  Status (*set)(ImportPlan& plan, const std::string& word);
};

Status set_batch(ImportPlan& plan, const std::string& word) {
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), plan.lines.batch);
  if (error != std::errc() || end != word.data() + word.size() || plan.lines.batch == 0)
    return Error{ErrorCode::invalid_argument,
                 "--batch: expected a whole number of at least 1, got " + word, std::nullopt};
  return {};
}

constexpr ImportFlag import_flags[] = {
    {"--label", true,
     [](ImportPlan& plan, const std::string& word) {
       plan.csv.labels.push_back(word);
       return Status();
     }},
    {"--id", true,
     [](ImportPlan& plan, const std::string& word) {
       plan.csv.id_column = word;
       return Status();
     }},
    {"--delimiter", true,
     [](ImportPlan& plan, const std::string& word) -> Status {
       CAIRN_ASSIGN(plan.csv.delimiter, parse_delimiter(word));
       return {};
     }},
    {"--batch", true, set_batch},
    {"--skip-errors", false,
     [](ImportPlan& plan, const std::string&) {
       plan.lines.skip_errors = true;
       return Status();
     }},
    {"--id-property", true,
     [](ImportPlan& plan, const std::string& word) {
       plan.lines.id_property = word;
       return Status();
     }},
    {"--id-prefix", true,
     [](ImportPlan& plan, const std::string& word) {
       plan.lines.id_prefix = word;
       return Status();
     }},
};

Error wrong_import_flag(const std::string& word) {
  std::string names;
  for (const ImportFlag& flag : import_flags)
    names.append(names.empty() ? "" : ", ").append(flag.name);
  return {ErrorCode::invalid_argument,
          word + " is not an option of .import, or its value is missing; the options are " + names,
          std::nullopt};
}

/// Parses the file and the options.
Result<ImportPlan> import_plan(const Arguments& words) {
  ImportPlan plan;
  std::size_t at = 0;
  for (; at < words.size() && !words[at].starts_with("--"); ++at)
    plan.file += (at == 0 ? "" : " ") + words[at];
  plan.file = user_path(plan.file);
  for (; at < words.size(); ++at) {
    const auto* flag = std::ranges::find(import_flags, words[at], &ImportFlag::name);
    const bool is_known = flag != std::end(import_flags);
    if (!is_known || (flag->takes_word && at + 1 == words.size()))
      return wrong_import_flag(words[at]);
    const std::string& word = flag->takes_word ? words[++at] : words[at];
    CAIRN_TRY(flag->set(plan, word));
  }
  return plan;
}

Status import_lines(Session& session, const ImportPlan& plan) {
  CAIRN_ASSIGN(const ImportReport report, import_shown(session.database(), plan.file, plan.lines,
                                                       session.options().is_terminal));
  session.out() << to_text(report);
  const std::filesystem::path beside = index_file(plan.file);
  CAIRN_ASSIGN(const MadeSchema made, run_index_file(session.database(), beside, session.stop()));
  session.out() << to_text(made, beside);
  return {};
}

}  // namespace

Status import_file(Session& session, const Arguments& arguments) {
  CAIRN_TRY(check_no_transaction(session));
  CAIRN_ASSIGN(ImportPlan plan, import_plan(arguments));
  plan.lines.cancel = session.stop();
  plan.lines.name_space = session.options().limits.name_space;
  if (!is_csv_file(plan.file) && plan.csv.labels.empty()) return import_lines(session, plan);
  CAIRN_TRY(take_options(plan.lines, plan.csv));
  plan.csv.progress = session.options().is_terminal;
  plan.csv.tell = [&](const std::string& remark) { session.tell("warning: " + remark); };
  CAIRN_ASSIGN(const ImportReport report, import_csv(session.database(), plan.file, plan.csv));
  session.out() << to_text(report);
  return {};
}

// To a file, also writes its indexes next to it; to the usual output, only the records.
Status dump(Session& session, const Arguments& arguments) {
  CAIRN_TRY(check_no_transaction(session));
  ExportOptions options;
  options.cancel = session.stop();
  if (arguments.empty()) {
    CAIRN_TRY(export_jsonl(session.database(), session.out(), options));
    return {};
  }
  const std::string file = path_in(arguments);
  CAIRN_ASSIGN(const ExportedFiles files,
               export_to_files(session.database(), file, options, session.options().is_terminal));
  session.out() << to_text(files, file);
  return {};
}

Status back_up(Session& session, const Arguments& arguments) {
  CAIRN_TRY(check_no_transaction(session));
  return print_backup(session.database(), path_in(arguments), session.out(), session.stop());
}

Status open_database(Session& session, const Arguments& arguments) {
  const std::string path = path_in(arguments);
  CAIRN_TRY(session.open(path));
  session.out() << "Cairn on " << make_visible(path) << "\n";
  return {};
}

bool is_vacant(const std::filesystem::path& directory) {
  std::error_code problem;
  return !std::filesystem::exists(directory, problem) ||
         std::filesystem::is_empty(directory, problem);
}

std::string make_question(const std::string& path) {
  std::error_code problem;
  const bool exists = std::filesystem::exists(path, problem);
  return make_visible(path) + (exists ? " is empty" : " does not exist") +
         ". Make a new database? [y/N] ";
}

Error no_database(const std::string& path, bool is_refused) {
  const std::string way_out =
      is_refused ? ", and none was made"
                 : "; a statement that writes makes one, and so does cairn DB --create";
  return {ErrorCode::not_found, "there is no database " + make_visible(path) + way_out,
          std::nullopt};
}

}  // namespace cairn::tools
