#pragma once
// What can be chosen when a database is opened and when a statement runs. Defaults are meant to be
// kept; every limit's name is in the message of the error that it causes.
//
//     Options options;
//     options.durability = Durability::async;        // no wait for the disk at each commit
//     options.memory_bytes = std::size_t{64} << 20;  // a small device
//     auto database = Database::open("my.cairn", options);
//
// A limit protects the program that embeds the engine: memory, time and sizes are bounded whatever the
// data and the statements are. Nothing here is stored with the database, so every open may differ.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace cairn {

/// When a commit is safe. Either way a commit is whole or not there, and those before it are there.
enum class Durability : std::uint8_t {
  sync,   ///< on disk when commit returns: survives power loss
  async,  ///< logged: survives the process; after power loss a prefix of history remains
};

/// How a database is opened. One process at a time has it open, whatever the mode.
enum class OpenMode : std::uint8_t {
  read_write,
  read_only,  ///< writes nothing; refused while another process has the database open
  /// Exclusive loading without a log. Until `close()` succeeds a mark in the directory says that a
  /// load is under way; a database left with that mark is refused.
  bulk_load,
};

/// How to open a database. Sizes are in bytes.
struct Options {
  bool create_if_missing = true;
  OpenMode mode = OpenMode::read_write;
  Durability durability = Durability::sync;
  /// Mend on opening: drop the commits behind damage of the log instead of refusing, and make
  /// everything derived anew from the records. Database::warnings() says what was lost.
  bool repair = false;
  std::size_t memory_bytes = std::size_t{512} << 20;       ///< caches, write buffers, vector states
  std::size_t transaction_bytes = std::size_t{256} << 20;  ///< changes one transaction may hold
  std::chrono::milliseconds writer_timeout{5'000};         ///< how long a writer waits for its turn
  std::chrono::milliseconds writer_idle_limit{60'000};     ///< an idle writer may be evicted after
  std::uint32_t background_threads = 1;
  std::size_t max_paths = 10'000;  ///< property paths indexed by default, over the whole database
  // The format holds no more than these: they can be lowered, and opening refuses larger ones.
  std::size_t max_key_bytes = 1'024;  ///< a property name, label, type or external id
  std::size_t max_value_bytes = std::size_t{16} << 20;  ///< one property value
  std::size_t max_list_items = 65'536;
  std::uint32_t max_nesting_levels = 128;
};

/// How to run one statement. The statement ends with resource_limit, and a writing one changes nothing,
/// where it needs more time, memory or rows than it may have.
struct StatementOptions {
  std::chrono::milliseconds timeout{30'000};
  std::size_t memory_bytes = std::size_t{256} << 20;
  std::size_t max_rows = 10'000'000;
  /// The statement's one clock reading, in microseconds since 1970 UTC; the system clock if absent.
  std::optional<std::int64_t> now = std::nullopt;
  std::stop_token cancel =
      {};  ///< the statement ends with `cancelled` soon after a stop is requested
  std::string name_space =
      {};  ///< the tenant whose records are seen and made; empty is the default one
  /// Rules of the optimizer to leave out by name, for tests and for telling what a rule does.
  std::string disabled_rules = {};
};

}  // namespace cairn
