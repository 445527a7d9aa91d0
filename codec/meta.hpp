#pragma once
// Column family `meta`, and the metadata files that hold a commit. Numbers in values are
// little-endian.
//
// format            -> see format_version.hpp
// database_id       -> hex{32}
// commit            -> commit:u64                     the newest commit, written with every batch
// next/  kind:u8    -> id:u64                         first id of the first unassigned block
// block/ kind:u8 name_space:be32 -> next:u64 end:u64  unassigned ids of a namespace's block
// layout/ name      -> version:u32                    of a derived column family or file
// client/ name      -> see ClientEntry
// token/ name       -> see TokenEntry
//
// FORMAT.md lists the other keys.

#include "codec/keys.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

namespace meta_key {
inline constexpr std::string_view format = "format";
inline constexpr std::string_view database_id = "database_id";
inline constexpr std::string_view commit = "commit";
[[nodiscard]] std::string next_id(EntityKind kind);
[[nodiscard]] std::string id_block(EntityKind kind, std::uint32_t name_space);
[[nodiscard]] std::string layout(std::string_view name);
/// All keys of id blocks start with these bytes.
inline constexpr std::string_view id_blocks = "block/";
}  // namespace meta_key

/// Number of ids in a block. Blocks are assigned to namespaces as a whole.
inline constexpr std::uint64_t ids_per_block = 4'096;

/// The unassigned ids of a namespace's block: [next, end).
struct IdBlock {
  std::uint64_t next = 0;
  std::uint64_t end = 0;
  friend bool operator==(const IdBlock&, const IdBlock&) = default;
};
struct IdBlockKey {
  EntityKind kind = EntityKind::node;
  std::uint32_t name_space = 0;
  friend bool operator==(const IdBlockKey&, const IdBlockKey&) = default;
};

[[nodiscard]] std::string encode(const IdBlock& block);
[[nodiscard]] Result<IdBlock> decode_id_block(std::string_view bytes);
[[nodiscard]] Result<IdBlockKey> decode_id_block_key(std::string_view key);

/// Encodes a number of 64 bits (`commit`, `next/`). encode_layout() encodes a number of 32 bits
/// (`layout/`).
[[nodiscard]] std::string encode_number(std::uint64_t number);
[[nodiscard]] Result<std::uint64_t> decode_number(std::string_view bytes);
[[nodiscard]] std::string encode_layout(std::uint32_t version);
[[nodiscard]] Result<std::uint32_t> decode_layout(std::string_view bytes);

/// Length of a database id: lower-case hexadecimal digits, drawn at random when the database is
/// created.
inline constexpr std::size_t database_id_bytes = 32;
[[nodiscard]] std::string database_id(std::uint64_t high, std::uint64_t low);
[[nodiscard]] bool is_database_id(std::string_view text) noexcept;

/// The metadata file COMMIT: a lower bound of the commit counter, which reveals a lost log. The
/// file BULK has the same form. It exists during a bulk load without a log, and holds the newest
/// commit before the load.
///
/// file := "CairnCmt" layout:u32=1 database_id:hex{32} commit:u64 checksum:u64
struct CommitFile {
  std::string database_id;
  std::uint64_t commit = 0;
  friend bool operator==(const CommitFile&, const CommitFile&) = default;
};

[[nodiscard]] std::string encode(const CommitFile& file);
[[nodiscard]] Result<CommitFile> decode_commit_file(std::string_view bytes);

/// The newest commit of a client. A client is a process that is attached to the process that has
/// the database open. The entry is written with that commit, so a client that lost the answer can
/// find out whether it committed.
///
/// In family `meta`: 'client/' name -> layout:u8=1 count:u64 committed-at:u64 result:byte*
/// Layout 2 has is-unfinished:u8=1 in front of the result.
struct ClientEntry {
  std::uint64_t count = 0;        ///< of the client's commits
  std::int64_t committed_at = 0;  ///< microseconds since 1970 UTC
  std::string result;             ///< of the statement, in the form of the protocol
  /// The statement had not ended, and may commit again. The result has counts, but no rows.
  bool is_unfinished = false;
  friend bool operator==(const ClientEntry&, const ClientEntry&) = default;
};

/// All keys of clients start with these bytes.
inline constexpr std::string_view client_entries = "client/";
[[nodiscard]] std::string client_entry_key(std::string_view name);
[[nodiscard]] std::string encode(const ClientEntry& entry);
/// Errors: corruption, if encode() does not produce such bytes.
[[nodiscard]] Result<ClientEntry> decode_client_entry(std::string_view value);

/// An access token: what its holder may do, in which namespaces, and the hash of its secret.
///
/// In family `meta`: 'token/' name -> layout:u8=1 role:u8 created-at:u64 sha256:byte{32} home:text
///                                     namespaces:varint text{namespaces}
/// Layout 2 appends: also-read:varint text{also-read}
struct TokenEntry {
  std::string name;
  std::array<unsigned char, 32> sha256{};  ///< of the secret
  std::uint8_t role = 1;                   ///< 1 to 4: read, write, forget, admin
  std::int64_t created_at = 0;             ///< microseconds since 1970 UTC
  std::string home{};                      ///< empty: the default namespace
  std::vector<std::string> name_spaces{};  ///< besides `home`; "*" means all
  std::vector<std::string> also_read{};    ///< namespaces that may be read but not changed
  friend bool operator==(const TokenEntry&, const TokenEntry&) = default;
};

inline constexpr std::size_t max_token_name_bytes = 256;
inline constexpr std::uint8_t highest_token_role = 4;
/// All keys of tokens start with these bytes.
inline constexpr std::string_view token_entries = "token/";
[[nodiscard]] std::string token_entry_key(std::string_view name);
[[nodiscard]] std::string encode(const TokenEntry& entry);
/// Errors: corruption, if encode() does not produce such a key and value.
[[nodiscard]] Result<TokenEntry> decode_token_entry(std::string_view key, std::string_view value);

}  // namespace cairn::codec
