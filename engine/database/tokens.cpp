// Tokens are stored as notes in family `meta`, so creating one does not wait for the writer lock, and backups include them.
// Only the hash of a secret is stored. A secret has 256 random bits and cannot be guessed, so one plain SHA-256 is enough. A
// secret is found by comparing its hash with those of all tokens.
#include "codec/limits.hpp"
#include "codec/meta.hpp"
#include "engine/crypto/secrets.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/repeated_call.hpp"
#include "engine/database/token_secret.hpp"
#include "engine/system/clock.hpp"

#include <cairn/tokens.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 4> role_names = {"read", "write", "forget", "admin"};
constexpr std::string_view secret_prefix = "cairn_";
constexpr std::string_view every_name_space = "*";
constexpr std::size_t secret_bytes = 32;

/// True for UTF-8 without control characters, which could manipulate a terminal that shows the list of tokens.
bool is_showable(std::string_view text) {
  const auto* next = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (auto left = static_cast<utf8proc_ssize_t>(text.size()); left > 0;) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(next, left, &code);
    if (length <= 0 || utf8proc_category(code) == UTF8PROC_CATEGORY_CC) return false;
    next += length;
    left -= length;
  }
  return true;
}

Error wrong_token(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), {}};
}

Status check_token_name(std::string_view name) {
  if (name.empty() || name.size() > codec::max_token_name_bytes)
    return wrong_token("the name of a token has 1 to " +
                       std::to_string(codec::max_token_name_bytes) + " bytes, not " +
                       std::to_string(name.size()));
  if (!is_showable(name))
    return wrong_token("the name of a token must be UTF-8 without control characters");
  return {};
}

// Drivers send the database name neo4j or system by default. The server then uses the default namespace, or that of the
// token if the token may not use the default one. So no token may have a namespace with such a name.
Status check_token_name_space(const std::string& name) {
  if (name == "neo4j" || name == "system")
    return wrong_token("drivers call the default namespace " + name +
                       ", so no token can have a namespace of that name");
  if (name.size() > codec::max_name_bytes || !is_showable(name))
    return wrong_token(
        "a namespace of a token is UTF-8 without control characters and has at most " +
        std::to_string(codec::max_name_bytes) + " bytes");
  return {};
}

Status check_token(const NewToken& token) {
  CAIRN_TRY(check_token_name(token.name));
  const auto role = static_cast<std::uint8_t>(token.role);
  if (role < 1 || role > role_names.size())
    return wrong_token("the role of a token is one of read, write, forget, admin");
  if (token.home == every_name_space)
    return wrong_token(
        "the home of a token must be one namespace, not *; list * among its other namespaces");
  CAIRN_TRY(check_token_name_space(token.home));
  for (const std::string& name_space : token.name_spaces)
    CAIRN_TRY(check_token_name_space(name_space));
  for (const std::string& name_space : token.also_read) {
    if (name_space == every_name_space)
      return wrong_token("the namespaces that a token also reads must be listed by name, not by *");
    CAIRN_TRY(check_token_name_space(name_space));
  }
  return {};
}

Result<std::shared_ptr<engine::Core>> core_of(const Database& database) {
  auto core = Access::core(database);
  CAIRN_TRY(core->process().check());
  return core;
}

/// Returns the core of a database in which tokens can be changed. Errors: unsupported, conflict.
Result<std::shared_ptr<engine::Core>> writable_core_of(const Database& database) {
  CAIRN_ASSIGN(auto core, core_of(database));
  if (core->options().mode == OpenMode::read_only)
    return Error{ErrorCode::unsupported,
                 "tokens are made and revoked in a database that is open for writing; this one is "
                 "open for reading only",
                 {}};
  if (core->options().mode == OpenMode::bulk_load)
    return Error{ErrorCode::conflict,
                 "tokens cannot be made or revoked in a bulk load; close the database and open it "
                 "with OpenMode::read_write",
                 {}};
  return core;
}

/// Errors: invalid_argument for a text that draw_token_secret() does not return.
Status check_secret(std::string_view secret) {
  constexpr std::size_t digits = (secret_bytes * 8 + 5) / 6;  // of base64url
  if (secret.starts_with(secret_prefix) && secret.size() == secret_prefix.size() + digits)
    return {};
  return wrong_token("the secret of a token is " + std::string(secret_prefix) + " and " +
                     std::to_string(digits) + " characters");
}

/// True if the token with this key has a secret of this hash.
Result<bool> has_hash(const engine::Core& core, std::string_view key, const engine::Sha256& hash) {
  CAIRN_ASSIGN(const auto stored, core.note(key));
  if (!stored) return false;
  CAIRN_ASSIGN(const codec::TokenEntry entry, codec::decode_token_entry(key, *stored));
  return engine::equal_in_constant_time(entry.sha256, hash);
}

Result<std::vector<codec::TokenEntry>> token_entries_of(const engine::Core& core) {
  CAIRN_ASSIGN(const auto notes, core.notes(codec::token_entries));
  std::vector<codec::TokenEntry> entries;
  for (const engine::Note& note : notes) {
    CAIRN_ASSIGN(auto entry, codec::decode_token_entry(note.key, note.value));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Token token_of(codec::TokenEntry entry) {
  return {std::move(entry.name), static_cast<Role>(entry.role),
          std::move(entry.home), std::move(entry.name_spaces),
          entry.created_at,      std::move(entry.also_read)};
}

}  // namespace

std::string_view to_string(Role role) noexcept {
  return role_names[static_cast<std::size_t>(role) - 1];
}

Result<Role> parse_role(std::string_view name) {
  const auto* const found = std::ranges::find(role_names, name);
  if (found == role_names.end())
    return wrong_token("there is no role \"" + std::string(name) +
                       "\"; a role is one of read, write, forget, admin");
  return static_cast<Role>(found - role_names.begin() + 1);
}

bool Token::may_use(std::string_view name_space) const {
  return name_space == home || std::ranges::any_of(name_spaces, [&](const std::string& allowed) {
           return allowed == every_name_space || allowed == name_space;
         });
}

Result<std::string> engine::draw_token_secret() {
  std::array<unsigned char, secret_bytes> random{};
  CAIRN_TRY(fill_random(random));
  return std::string(secret_prefix) + base64url(random);
}

// Checking the name and writing the entry is atomic: if two threads create a token with the same name, one of them fails.
Status engine::create_token(Database& database, const NewToken& token, std::string_view secret) {
  CAIRN_TRY(check_token(token));
  CAIRN_TRY(check_secret(secret));
  CAIRN_ASSIGN(const auto core, writable_core_of(database));
  CAIRN_ASSIGN(const Sha256 hash, sha256(secret));
  const codec::TokenEntry entry{token.name,     hash,       static_cast<std::uint8_t>(token.role),
                                system_time(),  token.home, token.name_spaces,
                                token.also_read};
  const std::string key = codec::token_entry_key(token.name);
  CAIRN_ASSIGN(const bool is_new, core->write_note(key, codec::encode(entry), NoteBefore::absent));
  if (is_new) return {};
  CAIRN_ASSIGN(const bool is_same, has_hash(*core, key, hash));
  if (is_same) return {};
  return Error{ErrorCode::already_exists,
               "there is a token \"" + token.name + "\" already; revoke it, or take another name",
               {}};
}

// The secret is drawn here and not in the host: if the host ends before it answers, its successor gets the same call. An
// older host draws a secret of its own.
Result<std::string> create_token(Database& database, const NewToken& token) {
  CAIRN_TRY(check_token(token));
  CAIRN_ASSIGN(std::string secret, engine::draw_token_secret());
  if (auto* const way = Access::forwarding(database)) {
    CAIRN_ASSIGN(const Value made, way->call("create_token", {{"token", engine::call_value(token)},
                                                              {"secret", secret}}));
    return made.string() == nullptr ? std::string() : *made.string();
  }
  CAIRN_TRY(engine::create_token(database, token, secret));
  return secret;
}

Result<std::vector<Token>> list_tokens(const Database& database) {
  if (auto* const way = Access::forwarding(database)) {
    CAIRN_ASSIGN(const Value found, way->call("list_tokens", {}));
    return engine::read_items<Token>(found, engine::read_token);
  }
  CAIRN_ASSIGN(const auto core, core_of(database));
  CAIRN_ASSIGN(auto entries, token_entries_of(*core));
  std::vector<Token> tokens;
  for (codec::TokenEntry& entry : entries) tokens.push_back(token_of(std::move(entry)));
  return tokens;
}

// A call that is made again finds no token, whether the first round revoked it or it never existed. So a token that is not
// there is not asked for.
Result<bool> revoke_token(Database& database, std::string_view name) {
  if (auto* const way = Access::forwarding(database)) {
    CAIRN_ASSIGN(const auto tokens, list_tokens(database));
    if (std::ranges::find(tokens, name, &Token::name) == tokens.end()) return false;
    CAIRN_ASSIGN(const Value was_there,
                 way->call("revoke_token", {{"name", name}, {engine::again_entry, false}}));
    return was_there == Value(true);
  }
  CAIRN_ASSIGN(const auto core, writable_core_of(database));
  return core->write_note(codec::token_entry_key(name), std::nullopt, engine::NoteBefore::present);
}

// Compares with every token, each in constant time. So the duration reveals the number of tokens, but nothing about a
// secret.
Result<std::optional<Token>> find_token(const Database& database, std::string_view secret) {
  if (auto* const way = Access::forwarding(database)) {
    CAIRN_ASSIGN(const Value found, way->call("find_token", {{"secret", secret}}));
    if (found.is_null()) return std::optional<Token>();
    CAIRN_ASSIGN(auto token, engine::read_result<Token>(found, engine::read_token));
    return std::optional(std::move(token));
  }
  CAIRN_ASSIGN(const auto core, core_of(database));
  CAIRN_ASSIGN(const engine::Sha256 hash, engine::sha256(secret));
  CAIRN_ASSIGN(auto entries, token_entries_of(*core));
  codec::TokenEntry* found = nullptr;
  for (codec::TokenEntry& entry : entries)
    if (engine::equal_in_constant_time(entry.sha256, hash)) found = &entry;
  if (found == nullptr) return std::optional<Token>();
  return std::optional(token_of(std::move(*found)));
}

}  // namespace cairn
