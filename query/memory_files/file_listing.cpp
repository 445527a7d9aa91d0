#include "query/memory_files/file_listing.hpp"

#include "query/memory_files/file_text.hpp"

#include <cairn/memory/output.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

namespace cairn::query {
namespace {

constexpr int listed_levels = 2;

/// A directory and what is in it, or a file.
struct ListedEntry {
  std::uint64_t bytes = 0;
  bool is_directory = false;
  std::map<std::string, ListedEntry> entries;
};

/// Only as deep as is listed: how deep a path goes is for whoever made its record.
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

/// The lines, within a budget; further ones are counted.
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

void list_entries(const ListedEntry& directory, const std::string& path, int level,
                  Listing& listing) {
  for (const auto& [name, entry] : directory.entries) {
    if (name.starts_with('.') || name == "node_modules") continue;
    const std::string below = path + "/" + name;
    listing.add(file_size_text(entry.bytes) + "\t" + below + (entry.is_directory ? "/" : ""));
    if (level < listed_levels) list_entries(entry, below, level + 1, listing);
  }
}

}  // namespace

std::string directory_listing(const std::string& path, const std::string& shown,
                              const std::vector<ListedFile>& files,
                              const std::vector<std::string>& directories, std::size_t max_tokens) {
  ListedEntry root;
  const auto beneath = [&path](const std::string& one) {
    return std::string_view(one).substr(path.size() + 1);
  };
  for (const ListedFile& file : files) add_entry(root, beneath(file.path), file.bytes);
  for (const std::string& one : directories) add_entry(root, beneath(one), 0).is_directory = true;
  constexpr std::size_t of_the_frame = 80;
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

}  // namespace cairn::query
