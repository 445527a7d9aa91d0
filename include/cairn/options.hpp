#pragma once
// What can be chosen when a database is opened and when a statement runs. Defaults suit most
// programs; every limit's name is in the message of the error that it causes.
//
//     Options options;
//     options.durability = Durability::async;        // no wait for the disk at each commit
//     options.memory_bytes = std::size_t{64} << 20;  // a small device
//     auto database = Database::open("my.cairn", options);
//
// A limit protects the program that embeds the engine: memory, time and sizes are bounded whatever the
// data and the statements are. Nothing here is stored with the database, so every open may differ.

#include <cairn/log.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace cairn {

/// When a commit is safe. Either way a commit is whole or not there, and those before it are there.
/// What Database::checkpoint() has returned from is on disk with either. `sync` costs one wait for
/// the disk a commit, 0.2 ms and more: put many changes into one transaction.
enum class Durability : std::uint8_t {
  // The default, because a caller relies on a commit that succeeded.
  sync,   ///< on disk when commit returns: survives power loss
  async,  ///< logged: survives the process; after power loss a prefix of history remains
};

/// How a database is opened. One handle at a time has it open for writing, in this process or
/// another; any number may have it open for reading, as long as none writes.
enum class OpenMode : std::uint8_t {
  /// The default: everything is allowed.
  read_write,
  /// Writes nothing, not even into the directory, which may be read-only itself. Refused (busy)
  /// while somebody has the database open for writing, and (unsupported) where an index has an
  /// older layout.
  read_only,
  /// Exclusive loading without a log. Until `close()` succeeds a mark in the directory says that a
  /// load is under way; a database left with that mark is refused.
  /// Commits are neither logged nor waited for: nothing is durable before checkpoint() or close().
  bulk_load,
};

/// Whether several processes use one database at a time. Only read_write shares: bulk_load and repair need the
/// database alone, and their error names the processes to end; read_only allows others that only read.
enum class Share : std::uint8_t {
  /// The default. The first process that opens it is the host, and serves those of its user that open it later: they are
  /// attached to it and have the same calls. Where the host ends, one of them takes its place. Nothing listens on a network.
  automatic,
  exclusive,    ///< a second process gets busy; for a program whose database is nobody else's
  attach_only,  ///< never the host: busy where nobody is
};

/// Which of several processes that share a database is its host.
enum class HostPreference : std::uint8_t {
  /// For a program of one call, so that the host does not change with each. Where the host has just ended and left others
  /// attached, it waits up to 300 ms for one of them to take its place.
  low,
  normal,  ///< the default: takes the place of a host that has ended with its next call
  high,    ///< for a program that stays: takes it at once, and has a thread that waits for that
};

/// Whether values and relationships that are read often are packed in memory as well (segments).
enum class Segments : std::uint8_t {
  /// The default: each when what was spent on records for want of it has cost as much as making it.
  automatic,
  never,
  always,  ///< each when it is first asked for
};

/// How to open a database. Sizes are in bytes.
///
/// Limits are checked where values are written and named in the message; reading what an earlier
/// open with larger limits has written always works.
struct Options {
  /// Make the directory and an empty database if there is none yet; otherwise not_found. Never of a
  /// directory that holds other files (invalid_argument). Not looked at by read_only.
  bool create_if_missing = true;
  OpenMode mode = OpenMode::read_write;
  /// Looked at by read_write without repair. A second handle in one process is busy in any case: share the first one.
  Share share = Share::automatic;
  /// How long opening waits for a host that is about to come or to go; then busy, with its process id. What an attached
  /// handle is asked while its host changes waits as long.
  std::chrono::milliseconds attach_timeout{5'000};
  HostPreference host_preference = HostPreference::normal;  ///< of Share::automatic
  /// A group of this system, by name or number: its users attach to a host of the directory's owner, with all of the owner's
  /// rights in the database and none to files. Both sides name it, and only the owner's processes become the host. The
  /// directory is opened to the group (mode 0750). Empty, the default: nobody but the owner.
  std::string share_group = {};
  /// Of every commit of this open; bulk_load does not look at it.
  Durability durability = Durability::sync;
  /// Repair on opening: drop the commits behind damage of the log instead of refusing, and make
  /// everything derived again from the records. Database::warnings() says what was lost.
  bool repair = false;
  /// Half a gibibyte, a budget and no reservation: an eighth is for decoded postings, an eighth for
  /// texts once there is a full-text index, and vector states take theirs from the block cache, of
  /// which a quarter stays.
  std::size_t memory_bytes = std::size_t{512} << 20;  ///< caches, write buffers, vector states
  /// Of an eighth of `memory_bytes` at most, which is taken from the block cache.
  Segments segments = Segments::automatic;  ///< columns of properties, lists of relationships
  /// Vectors in full precision take half of what a vector index does, and are in its file as well. Over
  /// this they are read from there, mapped: what is found is the same, and as fast where the system
  /// keeps the file in memory. Graphs, codes and what was not saved yet are held in any case.
  /// `vector.storage` of CREATE VECTOR INDEX chooses for one index.
  std::size_t vector_memory_bytes =
      std::numeric_limits<std::size_t>::max();  ///< what all vector indexes may hold
  /// A transaction lies in memory until its commit; over this it fails with resource_limit.
  std::size_t transaction_bytes = std::size_t{256} << 20;  ///< changes one transaction may hold
  /// After it Database::begin() gives busy. Very large values mean: for ever.
  std::chrono::milliseconds writer_timeout{5'000};  ///< how long a writer waits for its turn
  /// Only when another writer waits; the calls of the evicted transaction then give busy. A snapshot or reading transaction of
  /// an attached process is let go when it was not used for as long: its calls then give conflict.
  std::chrono::milliseconds writer_idle_limit{60'000};  ///< an idle writer may be evicted after
  /// For compactions of the store and for building vector segments. With one, equal data give equal
  /// graphs.
  std::uint32_t background_threads = 1;
  /// A path met after that is stored and found by scanning, not by an index; CREATE INDEX still
  /// makes one.
  std::size_t max_paths = 10'000;  ///< property paths indexed by default, over the whole database
  /// Statements read and write files only beneath this directory, and follow no link out of it or in it.
  /// Empty, the default: no statement touches a file.
  std::filesystem::path file_root = {};
  /// Where the database lives, if its directory is a copy only: `dir:PATH` or `s3://BUCKET/PREFIX`, an object store with
  /// conditional writes. Empty, the default: in its directory. Opening takes the home over from whoever had it, whose next
  /// commit then fails with busy; a commit is in the store before it is visible, and waits for nothing else. The
  /// directory may be empty or lost: it is made again. A database of its own does not move: import its export into a home.
  /// With read_write, without repair and alone (Share::exclusive); unsupported otherwise.
  std::string home = {};
  /// How often expired records are erased in the background, in bounded steps; zero: only by
  /// Database::erase_expired() and CALL db.expire(). They are invisible from their moment on in any case.
  std::chrono::milliseconds expiry_interval{60'000};
  LogSink log = {};  ///< receives messages of the database; without one there are none
  /// Takes the statements that ran longer than `slow_statement_after`.
  SlowStatementHook slow_statement = {};
  std::chrono::milliseconds slow_statement_after{1'000};
  // The format holds no more than these: they can be lowered, and opening refuses larger ones.
  std::size_t max_key_bytes = 1'024;  ///< a property name, label, type or external id
  /// Strings with nine bytes for each value, of lists and maps everything in them.
  std::size_t max_value_bytes = std::size_t{16} << 20;  ///< one property value
  /// Items of one list, or entries of one map.
  std::size_t max_list_items = 65'536;
  /// Lists and maps inside of each other: [[1]] has two.
  std::uint32_t max_nesting_levels = 128;
};

/// How to run one statement. The statement ends with resource_limit, and a writing one changes nothing,
/// where it needs more time, memory or rows than it may have.
///
///     StatementOptions options;
///     options.timeout = std::chrono::seconds{2};
///     options.cancel = source.get_token();   // of a std::stop_source
///
/// The same options bound the calls that run statements below: select_nodes(), faceted_search(),
/// recall(), search_vectors().
struct StatementOptions {
  /// Time inside of the run and of Rows::next(); what the caller does between two rows does not
  /// count. Looked at every 256 small steps, so it may be passed by milliseconds.
  std::chrono::milliseconds timeout{30'000};
  /// What all rows, sorting, grouping and lists hold at once, and in a writing statement its changes and
  /// its result.
  std::size_t memory_bytes = std::size_t{256} << 20;
  /// Rows handed out, not those looked at.
  std::size_t max_rows = 10'000'000;
  /// So that timestamps of one statement agree, and tests can choose their date.
  /// The statement's one clock reading, in microseconds since 1970 UTC; the system clock if absent.
  std::optional<std::int64_t> now = std::nullopt;
  std::stop_token cancel =
      {};  ///< the statement ends with `cancelled` soon after a stop is requested
  /// A name that is not in use yet: a reading statement sees nothing, a writing one makes the
  /// namespace. Records of another namespace are hidden from statements and from searches, not from
  /// find_node().
  std::string name_space =
      {};  ///< the tenant whose records are seen and made; empty is the default one
  /// Namespaces whose records are seen beside those of `name_space`, as one set. What is made goes to `name_space`, a
  /// relationship from or to a record of these too. To change or delete a record of these is `unsupported`.
  std::vector<std::string> also_read = {};
  /// Who makes the records of a writing statement: their `@author`; empty for nobody.
  std::string author = {};
  /// The namespaces that a caller may use; absent: all. Others are neither listed nor dropped, and what counts records of
  /// all is left out: estimates of plans, entries of indexes, near names.
  std::optional<std::vector<std::string>> listed_name_spaces = std::nullopt;
  /// Whether the statement may read and write files beneath Options::file_root. False for a client that is
  /// not on this machine.
  bool use_files = true;
  /// Rules of the optimizer to leave out by name, for tests and for telling what a rule does.
  std::string disabled_rules = {};
  /// Who runs the statement, for the receipt of CALL db.scrub(): the name of a token, say.
  std::string caller = {};
};

}  // namespace cairn
