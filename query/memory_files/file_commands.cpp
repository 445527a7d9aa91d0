// Runs the file commands of a model's memory tool. Answers and errors have the wording of the memory tool of
// `@anthropic-ai/sdk`, because models know that wording.
//
// Each command reads what it needs, checks the request, then changes records. The steps are separate transactions.

#include "query/memory_files/file_commands.hpp"

#include "query/memory_files/file_path.hpp"
#include "query/memory_files/file_records.hpp"

#include <cairn/memory/output.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {

// Directory listing: the contents of a directory of memory files, two levels deep, with sizes.

namespace {

constexpr int listed_levels = 2;

/// One line of a listing: a directory with its entries, or a file.
struct ListedEntry {
  std::uint64_t bytes = 0;  ///< of a directory: the sum over all files in it
  bool is_directory = false;
  std::map<std::string, ListedEntry> entries;
};

/// Adds the file or directory at the relative path `rest` and its size. Only the levels that are listed get entries,
/// however deep the path is.
ListedEntry& add_entry(ListedEntry& directory, std::string_view rest, std::uint64_t bytes,
                       int level = 0) {
  directory.bytes += bytes;
  directory.is_directory = true;
  if (level > listed_levels) return directory;
  const std::string name(rest.substr(0, rest.find('/')));
  ListedEntry& entry = directory.entries[name];
  if (name.size() < rest.size())
    return add_entry(entry, rest.substr(name.size() + 1), bytes, level + 1);
  entry.bytes += bytes;
  return entry;
}

/// The lines of a listing within a token budget. Once a line does not fit, this line and all later ones are only counted.
struct Listing {
  std::string text;
  std::size_t tokens_left;
  std::size_t left_out = 0;

  void add(const std::string& line) {
    const std::size_t tokens = memory::estimate_tokens(line) + 1;
    if (left_out > 0 || tokens > tokens_left) {
      ++left_out;
      return;
    }
    tokens_left -= tokens;
    text += "\n" + line;
  }
};

/// Adds the entries of a directory depth first, in the order of their names.
void list_entries(const ListedEntry& directory, const std::string& path, int level,
                  Listing& listing) {
  for (const auto& [name, entry] : directory.entries) {
    if (name.starts_with('.') || name == "node_modules") continue;
    const std::string below = path + "/" + name;
    listing.add(file_size_text(entry.bytes) + "\t" + below + (entry.is_directory ? "/" : ""));
    if (level < listed_levels) list_entries(entry, below, level + 1, listing);
  }
}

/// Lists the entries below a directory. `shown` is the path as the caller wrote it. Names that begin with a dot and
/// node_modules are left out; lines beyond `max_tokens` are only counted.
std::string directory_listing(const std::string& path, const std::string& shown,
                              const std::vector<SizedFile>& files,
                              const std::vector<std::string>& directories, std::size_t max_tokens) {
  ListedEntry root;
  const auto beneath = [&path](const std::string& one) {
    return std::string_view(one).substr(path.size() + 1);
  };
  for (const SizedFile& file : files) add_entry(root, beneath(file.path), file.bytes);
  for (const std::string& one : directories) add_entry(root, beneath(one), 0).is_directory = true;
  // Tokens reserved for the heading, which has the path twice, and the final hint.
  const std::size_t of_the_frame = 80 + memory::estimate_tokens(shown);
  Listing listing{"Here're the files and directories up to 2 levels deep in " + shown +
                      ", excluding hidden items and node_modules:\n" + file_size_text(root.bytes) +
                      "\t" + shown,
                  max_tokens - std::min(max_tokens, of_the_frame)};
  list_entries(root, shown, 1, listing);
  if (listing.left_out > 0)
    listing.text += "\n(" + std::to_string(listing.left_out) +
                    " more entries: view a directory of them, or give a larger max_tokens)";
  return std::move(listing.text);
}

}  // namespace

namespace {

Error file_error(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

/// What a view says of the older files with the path that it does not show. Those of another namespace may only be read.
std::string note_on_older(const FilesOfPath& found) {
  if (found.ids.size() < 2) return {};
  const std::size_t older = found.ids.size() - 1;
  const std::string it = older == 1 ? "it" : "them";
  return "\n(" + std::to_string(older) + (older == 1 ? " older file has" : " older files have") +
         " this path too: searches find " + it +
         (found.are_own ? ", and delete and rename take " + it + " along)" : ")");
}

/// Shows a file with line numbers, or lists a directory.
Result<std::string> view(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const std::string path, memory_path(*request.path));
  CAIRN_ASSIGN(const auto file, records.find(path));
  CAIRN_ASSIGN(const auto found, records.find_all(path));
  const std::string note = note_on_older(found);
  // Tokens reserved for the heading line.
  constexpr std::size_t of_the_frame = 20;
  const std::size_t frame =
      memory::estimate_tokens(*request.path) + memory::estimate_tokens(note) + of_the_frame;
  const std::size_t tokens = request.max_tokens - std::min(request.max_tokens, frame);
  if (file)
    return "Here's the content of " + *request.path + " with line numbers:\n" +
           numbered_lines(file->text, request.view_range, tokens) + note;
  CAIRN_ASSIGN(const bool is_directory, records.has_directory(path));
  if (!is_directory)
    return file_error("The path " + *request.path +
                      " does not exist. Please provide a valid path.");
  CAIRN_ASSIGN(const auto files, records.sizes(path));
  CAIRN_ASSIGN(const auto directories, records.directories(path));
  return directory_listing(path, *request.path, files, directories, tokens);
}

/// Fails if a parent of the path is a file: a file has no entries.
Status check_parents(const FileRecords& records, std::string_view path) {
  for (std::string_view parent = parent_of(path); parent.size() > memory_root.size();
       parent = parent_of(parent)) {
    CAIRN_ASSIGN(const auto files, records.find_all(std::string(parent)));
    if (!files.ids.empty())
      return file_error("The path " + std::string(parent) + " is not a directory");
  }
  return {};
}

/// Whether a file or directory has the path.
Result<bool> is_taken(const FileRecords& records, const std::string& path) {
  CAIRN_ASSIGN(const auto files, records.find_all(path));
  if (!files.ids.empty()) return true;
  return records.has_directory(path);
}

/// Creates a file and its parent directories.
Result<std::string> create(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const std::string path, memory_path(*request.path));
  CAIRN_ASSIGN(const bool exists, is_taken(records, path));
  if (exists) return file_error("File " + *request.path + " already exists");
  CAIRN_TRY(check_parents(records, path));
  CAIRN_TRY(records.add(path, *request.file_text));
  return "File created successfully at: " + *request.path;
}

/// The file that an editing command names. Errors: the path does not exist, or is a directory.
Result<MemoryFile> edited_file(const FileRequest& request, const FileRecords& records) {
  CAIRN_ASSIGN(const std::string path, memory_path(*request.path));
  CAIRN_ASSIGN(auto file, records.find(path));
  if (file) return *std::move(file);
  CAIRN_ASSIGN(const bool is_directory, records.has_directory(path));
  return file_error(
      "The path " + *request.path +
      (is_directory ? " is not a file." : " does not exist. Please provide a valid path."));
}

/// Replaces the only occurrence of a text.
Result<std::string> replace_text(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const MemoryFile file, edited_file(request, records));
  CAIRN_ASSIGN(const ReplacedText replaced, replace_in(file.text, *request.old_str, request.new_str,
                                                       *request.path, request.max_tokens));
  CAIRN_TRY(records.set_text(file.id, replaced.text));
  return "The memory file has been edited. Here is the snippet showing the change (with line "
         "numbers):\n" +
         replaced.snippet;
}

Result<std::string> insert_text(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const MemoryFile file, edited_file(request, records));
  CAIRN_ASSIGN(const std::string text,
               insert_in(file.text, *request.insert_line, *request.insert_text));
  CAIRN_TRY(records.set_text(file.id, text));
  return "The file " + *request.path + " has been edited.";
}

/// The file at a path with the older ones, or all files below a directory; empty if the path does not exist.
Result<std::vector<ListedFile>> files_at(const FileRecords& records, const std::string& path) {
  CAIRN_ASSIGN(const auto found, records.find_all(path));
  if (found.ids.empty()) return records.list(path);
  std::vector<ListedFile> files;
  for (const std::int64_t id : found.ids) files.push_back({id, path});
  return files;
}

/// Names the older files among those of files_at(), for the answer of a command that took them along.
std::string and_older(const std::vector<ListedFile>& files, const std::string& path) {
  if (files.size() < 2 || files.front().path != path) return {};
  return ", and " + std::to_string(files.size() - 1) +
         (files.size() == 2 ? " older file" : " older files") + " of this path";
}

/// Hides a file or all files below a directory. The parent directories become records of their own first, so that they
/// still exist when their last file is hidden.
Result<std::string> remove(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const std::string path, memory_path(*request.path));
  if (path == memory_root) return file_error("Cannot delete the /memories directory itself");
  CAIRN_ASSIGN(const bool exists, is_taken(records, path));
  if (!exists) return file_error("The path " + *request.path + " does not exist");
  CAIRN_ASSIGN(const auto files, files_at(records, path));
  for (const ListedFile& file : files) {
    CAIRN_TRY(records.make_parents(path));
    CAIRN_TRY(records.hide(file.id));
  }
  CAIRN_TRY(records.remove_directories(path));
  return "Successfully deleted " + *request.path + and_older(files, path);
}

/// Moves a file or a whole directory to a new path.
Result<std::string> rename(const FileRequest& request, FileRecords& records) {
  CAIRN_ASSIGN(const std::string from, memory_path(*request.old_path));
  CAIRN_ASSIGN(const std::string to, memory_path(*request.new_path));
  if (from == memory_root) return file_error("Cannot rename the /memories directory itself");
  CAIRN_ASSIGN(const bool is_there, is_taken(records, to));
  if (is_there) return file_error("The destination " + *request.new_path + " already exists");
  CAIRN_ASSIGN(const bool exists, is_taken(records, from));
  if (!exists) return file_error("The path " + *request.old_path + " does not exist");
  if (is_within(to, from)) return file_error("Cannot rename " + *request.old_path + " into itself");
  CAIRN_TRY(check_parents(records, to));
  CAIRN_ASSIGN(const auto files, files_at(records, from));
  CAIRN_TRY(records.make_parents(from));
  CAIRN_TRY(records.make_parents(to));
  for (const ListedFile& file : files)
    CAIRN_TRY(records.move(file, to + file.path.substr(from.size())));
  CAIRN_TRY(records.move_directories(from, to));
  return "Successfully renamed " + *request.old_path + " to " + *request.new_path +
         and_older(files, from);
}

struct NamedCommand {
  std::string_view name;
  Result<std::string> (*run)(const FileRequest& request, FileRecords& records);
};

constexpr std::array<NamedCommand, 6> commands = {{{"view", view},
                                                   {"create", create},
                                                   {"str_replace", replace_text},
                                                   {"insert", insert_text},
                                                   {"delete", remove},
                                                   {"rename", rename}}};

/// Reports the first argument that the command requires and the request lacks.
Status check_needs(std::string_view command, const FileRequest& request) {
  const bool renames = command == "rename";
  std::string_view lacking;
  if (!renames && !request.path) lacking = "path";
  if (command == "create" && !request.file_text) lacking = "file_text";
  if (command == "str_replace" && !request.old_str) lacking = "old_str";
  if (command == "insert" && !request.insert_line) lacking = "insert_line";
  if (command == "insert" && !request.insert_text) lacking = "insert_text";
  if (renames && !request.old_path) lacking = "old_path";
  if (renames && !request.new_path) lacking = "new_path";
  if (lacking.empty()) return {};
  return file_error("the command " + std::string(command) + " needs " + std::string(lacking));
}

}  // namespace

Result<std::string> run_file_command(std::string_view name, const FileRequest& request,
                                     FileRecords& records) {
  for (const NamedCommand& command : commands) {
    if (command.name != name) continue;
    CAIRN_TRY(check_needs(command.name, request));
    // Tokens reserved for what a tool puts around the answer. What is left to cut are long paths.
    constexpr std::size_t of_the_frame = 15;
    const std::size_t most = request.max_tokens - std::min(request.max_tokens, of_the_frame);
    auto answer = command.run(request, records);
    if (answer) return within_tokens(*answer, most);
    Error error = std::move(answer).error();
    error.message = within_tokens(error.message, most);
    return error;
  }
  return file_error("command must be view, create, str_replace, insert, delete or rename, got \"" +
                    std::string(name) + "\"");
}

}  // namespace cairn::query
