#pragma once
// Tokens: credentials of clients, if a database is served to other processes. A token has a name, a
// role and the namespaces that it may use. The database stores only the SHA-256 of its secret,
// which is shown once.
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

/// What a caller may do; each role includes the roles before it.
enum class Role : std::uint8_t {
  read = 1,  ///< run statements that change nothing
  write,     ///< create and change records
  forget,    ///< delete records
  admin,     ///< indexes, namespaces, rules, backups, files, registered procedures
};

/// Returns "read", "write", "forget" or "admin". Lifetime: as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(Role role) noexcept;
/// Finds a role by its name. Errors: invalid_argument with the four names.
[[nodiscard]] CAIRN_EXPORT Result<Role> parse_role(std::string_view name);

/// A token to create.
struct NewToken {
  std::string name;  ///< unique in the database, 1 to 256 bytes
  Role role = Role::read;
  /// Namespace of statements that name none; empty is the default one.
  std::string home = {};
  /// Other namespaces that the token may use, by name; "*" means all.
  std::vector<std::string> name_spaces = {};
  /// Namespaces that statements with the token also read but may not change.
  std::vector<std::string> also_read = {};
};

/// A token as stored in the database, without its secret.
struct Token {
  std::string name;
  Role role = Role::read;
  std::string home;
  std::vector<std::string> name_spaces;
  std::int64_t created_at = 0;  ///< microseconds since 1970 UTC
  std::vector<std::string> also_read = {};

  /// True if it may run statements in the namespace.
  [[nodiscard]] CAIRN_EXPORT bool may_use(std::string_view name_space) const;
};

/// Creates a token and returns its secret: "cairn_" and 43 characters for 256 random bits. The
/// secret cannot be read again. Backups contain tokens, exports do not. Errors: already_exists;
/// invalid_argument for a name that is empty, too long or not valid UTF-8, or has control
/// characters; unsupported if the database is read-only; conflict in mode bulk_load; io_error.
/// Cost: a write that waits for the disk. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::string> create_token(Database& database,
                                                            const NewToken& token);
/// Returns all tokens, by name. Errors: corruption, io_error. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Token>> list_tokens(const Database& database);
/// Revokes a token; its connections end within two seconds. Returns false if it does not exist.
/// Errors: unsupported, conflict and io_error, like create_token(). Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<bool> revoke_token(Database& database, std::string_view name);
/// Finds the token of a secret, comparing in constant time; nullopt if none matches. Errors:
/// corruption, io_error. Cost: one hash, and for each token a read and a comparison. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Token>> find_token(const Database& database,
                                                                   std::string_view secret);

}  // namespace cairn
