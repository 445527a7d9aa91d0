#pragma once
// MemoryCaller: the database of the tools, and statements on it within the limits of the server.

#include <cairn/database.hpp>
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
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// Which tools there are.
enum class ToolSet : std::uint8_t {
  memory,  ///< eight tools of memories
  files,   ///< `memory` alone, for files, as the memory tool of Anthropic's API
  graph,   ///< nine of a knowledge graph, as `@modelcontextprotocol/server-memory`
};

struct McpSettings {
  std::string name_space;  ///< of all tools; empty: the default one
  /// The namespaces that are shown; absent: all.
  std::optional<std::vector<std::string>> name_spaces;
  std::vector<std::string> also_read;  ///< the namespaces that tools read besides
  std::string author;                  ///< of what tools store; empty: nobody
  Role role = Role::admin;             ///< statements that need a higher one are refused
  bool allow_writes = false;           ///< of the tool `query`
  ToolSet tools = ToolSet::memory;
  bool all_tools = false;                    ///< those that few need as well, beside the eight
  std::filesystem::path root;                ///< what `ingest` may read; empty: nothing
  bool read_only = false;                    ///< as if the role were `read`
  std::chrono::milliseconds timeout{5'000};  ///< of a statement
  std::string caller = "mcp";                ///< for receipts: the name of the token

  [[nodiscard]] bool may(Role needed) const noexcept {
    return needed <= role && (needed == Role::read || !read_only);
  }
};

/// The names of two lists, each once.
[[nodiscard]] std::vector<std::string> with_others(std::vector<std::string> names,
                                                   const std::vector<std::string>& others);

/// All rows of a statement.
struct CalledRows {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> warnings;
  cairn::Changes changes;
  bool is_cut = false;  ///< there are more rows than were asked for
};

/// Threads: any. Lifetime: of the database.
class MemoryCaller {
 public:
  MemoryCaller(Database& database, McpSettings settings)
      : database_(database), settings_(std::move(settings)) {}

  [[nodiscard]] const McpSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] Database& database() const noexcept { return database_; }
  /// "namespace acme", for the frame of an answer.
  [[nodiscard]] std::string origin() const;
  [[nodiscard]] StatementOptions options(const std::stop_token& stop) const;

  /// Run a statement that a tool is made of. Errors: unsupported, where the role is too low; as of the statement.
  [[nodiscard]] Result<CalledRows> call(std::string_view text, const Parameters& parameters,
                                        const std::stop_token& stop) const;
  /// The same, committed only if `agrees` accepts its rows: others may have written since the user confirmed a count.
  /// Errors: also conflict, where it does not; nothing is written then.
  [[nodiscard]] Result<CalledRows> call_if(
      std::string_view text, const Parameters& parameters, const std::stop_token& stop,
      const std::function<bool(const CalledRows&)>& agrees) const;

  /// The same inside of a transaction of the caller's.
  [[nodiscard]] Result<CalledRows> call_in(Transaction& transaction, std::string_view text,
                                           const Parameters& parameters,
                                           const std::stop_token& stop) const;
  /// Errors: unsupported, where the statement needs more than the role of the server.
  [[nodiscard]] Status check_role(const Statement& statement) const;

 private:
  Database& database_;
  McpSettings settings_;
};

/// The limits of read_rows().
struct MostRows {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< about, of all together
};

/// At most `most` of the rows, behind the first `skip`.
[[nodiscard]] Result<CalledRows> read_rows(Rows rows, std::size_t skip, const MostRows& most = {});

}  // namespace cairn::tools::mcp
