#include "query/bolt/bookmark.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace cairn::query::bolt {
namespace {

constexpr std::string_view bookmark_prefix = "cairn:";

std::optional<std::uint64_t> commit_of(std::string_view bookmark) {
  if (!bookmark.starts_with(bookmark_prefix)) return std::nullopt;
  bookmark.remove_prefix(bookmark_prefix.size());
  std::uint64_t commit = 0;
  const char* const end = bookmark.data() + bookmark.size();
  const auto [read, error] = std::from_chars(bookmark.data(), end, commit);
  if (error != std::errc() || read != end) return std::nullopt;
  return commit;
}

Failure no_bookmark(const std::string& bookmark) {
  return {code::invalid_bookmark, "\"" + bookmark.substr(0, 100) +
                                      "\" is not a bookmark of this database; those begin with "
                                      "cairn: and a commit number follows"};
}

Failure is_ahead(std::uint64_t commit, std::uint64_t newest) {
  return {code::invalid_bookmark,
          "the bookmark cairn:" + std::to_string(commit) +
              " is of a commit that this database has not: its newest is " +
              std::to_string(newest) +
              "; the bookmark is of another database, or commits were lost"};
}

}  // namespace

std::string bookmark_of(std::uint64_t commit) {
  return std::string(bookmark_prefix) + std::to_string(commit);
}

std::optional<Failure> check_bookmarks(const std::vector<std::string>& bookmarks,
                                       const Database& database) {
  std::uint64_t last = 0;
  for (const std::string& bookmark : bookmarks) {
    const auto commit = commit_of(bookmark);
    if (!commit) return no_bookmark(bookmark);
    last = std::max(last, *commit);
  }
  if (last == 0) return std::nullopt;
  const auto snapshot = database.snapshot();
  if (!snapshot) return failure_of(snapshot.error(), Operation::transaction);
  if (last <= snapshot->commit_number()) return std::nullopt;
  return is_ahead(last, snapshot->commit_number());
}

}  // namespace cairn::query::bolt
