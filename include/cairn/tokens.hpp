#pragma once
// Tokens: what a driver logs in with where a database is served beyond its own process. A token has a name, a role
// and the namespaces that it may see. The database keeps its SHA-256 alone; the secret is shown once.
//
//     CAIRN_ASSIGN(const std::string secret, create_token(database, {.name = "agent", .role = Role::write}));

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a caller may do; each role may do what those before it may.
enum class Role : std::uint8_t {
  read = 1,  ///< statements that change nothing
  write,     ///< make and change records
  forget,    ///< delete records
  admin,     ///< indexes, namespaces, rules, backups, files, procedures of the program
};

/// "read", "write", "forget" or "admin". Lifetime of the text: the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(Role role) noexcept;
/// The role of a name. Errors: invalid_argument with the four names.
[[nodiscard]] CAIRN_EXPORT Result<Role> parse_role(std::string_view name);

/// A token to make.
struct NewToken {
  std::string name;  ///< unique in the database, 1 to 256 bytes
  Role role = Role::read;
  /// Where its statements run that name no namespace; empty is the default one.
  std::string home = {};
  /// The other namespaces that it may use, by name; "*": all.
  std::vector<std::string> name_spaces = {};
  /// Namespaces that its statements read beside the one that they run in, and may not change.
  std::vector<std::string> also_read = {};
};

/// A token as the database knows it.
struct Token {
  std::string name;
  Role role = Role::read;
  std::string home;
  std::vector<std::string> name_spaces;
  std::int64_t created_at = 0;  ///< microseconds since 1970 UTC
  std::vector<std::string> also_read = {};

  /// Whether it may run statements in a namespace.
  [[nodiscard]] CAIRN_EXPORT bool may_use(std::string_view name_space) const;
};

/// Make a token and give its secret: "cairn_" and 43 characters of 256 random bits. It cannot be had again.
/// Backups and what is restored of them have the token; an export has not.
/// Errors: already_exists; invalid_argument for a name that is empty, too long or no UTF-8, or has control characters;
/// unsupported where the database is read-only; conflict in mode bulk_load; io_error.
/// Cost: a write that waits for the disk. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::string> create_token(Database& database,
                                                            const NewToken& token);
/// All tokens, by name. Errors: corruption, io_error. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Token>> list_tokens(const Database& database);
/// Take a token back: its connections end within a second. False where there was none.
/// Errors: unsupported, conflict and io_error, as of create_token(). Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<bool> revoke_token(Database& database, std::string_view name);
/// The token of a secret, compared in constant time; nothing where there is none.
/// Errors: corruption, io_error. Cost: one hash, and for each token a read and a comparison. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Token>> find_token(const Database& database,
                                                                   std::string_view secret);

}  // namespace cairn
