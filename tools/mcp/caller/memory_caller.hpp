#pragma once
// MemoryCaller: the database of the tools; runs statements within the limits of the server.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// Which tools a server offers.
enum class ToolSet : std::uint8_t {
  memory,  ///< eight tools for memories
  files,   ///< only `memory`, for files, like the memory tool of Anthropic's API
  graph,   ///< nine tools for a knowledge graph, like `@modelcontextprotocol/server-memory`
};

/// Settings of a server; with tokens, role and namespaces are those of the token.
struct McpSettings {
  std::string name_space;  ///< of all tools; empty: the default one
  /// The namespaces that are listed; absent: all.
  std::optional<std::vector<std::string>> name_spaces;
  std::vector<std::string> also_read;  ///< namespaces that tools also read
  std::string author;                  ///< recorded in what tools store; empty: none
  Role role = Role::admin;             ///< statements that need a higher role are refused
  bool allow_writes = false;           ///< whether the tool `query` may write
  ToolSet tools = ToolSet::memory;
  bool all_tools = false;      ///< also offers the less common tools
  std::filesystem::path root;  ///< directory that `ingest` may read; empty: none
  // Of `ingest`; null: the built-in one. Owners: the settings of all tokens.
  std::shared_ptr<const Embedder> embedder = nullptr;
  bool read_only = false;                    ///< acts as if the role were `read`
  std::chrono::milliseconds timeout{5'000};  ///< for one statement
  std::string caller = "mcp";                ///< name of the token, for receipts

  [[nodiscard]] bool may(Role needed) const noexcept {
    return needed <= role && (needed == Role::read || !read_only);
  }
};

/// Returns the names of both lists, each once.
[[nodiscard]] std::vector<std::string> with_others(std::vector<std::string> names,
                                                   const std::vector<std::string>& others);

/// The rows of a statement.
struct CalledRows {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> warnings;
  cairn::Changes changes;
  bool is_cut = false;  ///< there are more rows than requested
};

/// Runs statements for the tools. Threads: any. Lifetime: the database must outlive it.
class MemoryCaller {
 public:
  MemoryCaller(Database& database, McpSettings settings)
      : database_(database), settings_(std::move(settings)) {}

  [[nodiscard]] const McpSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] Database& database() const noexcept { return database_; }
  /// Describes where data comes from, for the frame of an answer: "namespace acme".
  [[nodiscard]] std::string origin() const;
  [[nodiscard]] StatementOptions options(const std::stop_token& stop) const;

  /// Runs a statement of a tool. Errors: unsupported if the role is too low; those of the
  /// statement.
  [[nodiscard]] Result<CalledRows> call(std::string_view text, const Parameters& parameters,
                                        const std::stop_token& stop) const;
  /// Runs a statement and commits only if `agrees` accepts its rows, because others may have
  /// written since the user confirmed a number. Errors: also conflict if it does not accept them;
  /// nothing is written then.
  [[nodiscard]] Result<CalledRows> call_if(
      std::string_view text, const Parameters& parameters, const std::stop_token& stop,
      const std::function<bool(const CalledRows&)>& agrees) const;

  /// Runs a statement and takes back what it wrote. Errors: as call().
  [[nodiscard]] Result<CalledRows> try_call(std::string_view text, const Parameters& parameters,
                                            const std::stop_token& stop) const;

  /// Runs a statement in a transaction of the caller.
  [[nodiscard]] Result<CalledRows> call_in(Transaction& transaction, std::string_view text,
                                           const Parameters& parameters,
                                           const std::stop_token& stop) const;
  /// Errors: unsupported if the statement needs a higher role than the server has.
  [[nodiscard]] Status check_role(const Statement& statement) const;

 private:
  Database& database_;
  McpSettings settings_;
};

/// The limits of read_rows().
struct MostRows {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< estimated, of all rows together
};

/// Returns at most `most` rows, after skipping `skip`.
[[nodiscard]] Result<CalledRows> read_rows(Rows rows, std::size_t skip, const MostRows& most = {});

}  // namespace cairn::tools::mcp
