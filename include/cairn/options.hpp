#pragma once
// Options for opening a database and for running a statement. The defaults suit most programs. If a
// limit causes an error, the message names the limit.
//
//     Options options;
//     options.durability = Durability::async;        // no wait for the disk at each commit
//     options.memory_bytes = std::size_t{64} << 20;  // a small device
//     auto database = Database::open("my.cairn", options);
//
// Limits protect the embedding program: memory, time and sizes are bounded whatever data and
// statements are. Options are not stored with the database, so each open may use others.

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

/// When a commit is durable. In both modes a commit is atomic, and if a commit is present, so are
/// all earlier ones. Everything is on disk after Database::checkpoint(). `sync` waits for the disk
/// at each commit, 0.2 ms or more, so put many changes into one transaction.
enum class Durability : std::uint8_t {
  // The default, because callers rely on a successful commit.
  sync,   ///< on disk when commit returns: survives a power loss
  async,  ///< logged: survives the process; a power loss may lose the newest commits
};

/// How a database is opened. Only one process or handle can write at a time, unless processes share
/// the database (Share). Any number can read while nobody writes.
enum class OpenMode : std::uint8_t {
  /// The default: reads and writes.
  read_write,
  /// Writes nothing, so the directory may be read-only. If another process has the database open
  /// for writing, attaches to it (Share) and sees what it writes. Fails with unsupported if an
  /// index has an older layout.
  read_only,
  /// Exclusive loading without a log. Nothing is durable before checkpoint() or close(). Until
  /// close() succeeds, a mark in the directory shows that a load is running; a database with that
  /// mark cannot be opened.
  bulk_load,
};

/// Whether several processes can use one database at a time. bulk_load and repair need exclusive
/// access, and their error names the processes to end. A process with read_only never becomes the
/// host: without a host it opens the database by itself, with other readers, and writers get busy.
enum class Share : std::uint8_t {
  /// The default. The first process is the host and serves later processes of the same user, which
  /// are attached to it and have the same calls. If the host ends, an attached process takes over.
  /// Nothing listens on the network.
  automatic,
  exclusive,    ///< other processes get busy
  attach_only,  ///< never becomes the host; busy without a host
};

/// Which of several processes that share a database becomes its host.
enum class HostPreference : std::uint8_t {
  /// For programs that make one call and end, so that the host does not change with each. If the
  /// host has just ended and left attached processes, open() waits up to 300 ms for one of them to
  /// take over.
  low,
  normal,  ///< the default: after the host has ended, takes over at the next call
  high,    ///< for long-running programs: takes over immediately, by a waiting thread
};

/// Whether values and relationships that are read often are also cached in packed form in memory
/// (segments).
enum class Segments : std::uint8_t {
  /// The default: builds a segment when reads without it have cost as much as building it.
  automatic,
  never,
  always,  ///< builds each segment at its first use
};

/// Options for opening a database. Sizes are in bytes.
///
/// Limits are checked when values are written, and named in the message. Data written with larger
/// limits can always be read.
struct Options {
  /// Creates the directory and an empty database if none exists. If false, open() then fails with
  /// not_found. A directory with other files is refused (invalid_argument). Ignored if read_only.
  bool create_if_missing = true;
  OpenMode mode = OpenMode::read_write;
  /// Applies to read_write and read_only without repair. A second handle in the process of the host
  /// is busy: share the first one.
  Share share = Share::automatic;
  /// How long open() waits for a host that is starting or ending, before it fails with busy and the
  /// process id. While the host changes, calls on an attached handle wait up to the same time.
  std::chrono::milliseconds attach_timeout{5'000};
  HostPreference host_preference = HostPreference::normal;  ///< of Share::automatic
  /// A group of the operating system, by name or number. Users of the group can attach to a host of
  /// the directory's owner, with all of the owner's rights in the database, but no access to files.
  /// The host and the attaching process must both set this option, and only processes of the owner
  /// become the host. The directory is made accessible to the group (mode 0750). Empty, the
  /// default: only the owner.
  std::string share_group = {};
  /// Applies to every commit of this open; ignored by bulk_load.
  Durability durability = Durability::sync;
  /// Repairs while opening: drops the commits after damage of the log instead of failing, and
  /// rebuilds all derived data from the records. Database::warnings() says what was lost.
  bool repair = false;
  /// A budget, not a reservation. An eighth is for decoded postings, another eighth for texts if
  /// there is a full-text index. Vector indexes take their memory from the block cache, of which at
  /// least a quarter remains.
  std::size_t memory_bytes = std::size_t{512} << 20;  ///< caches, write buffers, vector indexes
  /// Segments use at most an eighth of `memory_bytes`, taken from the block cache.
  Segments segments = Segments::automatic;  ///< packed property columns and relationship lists
  /// Full-precision vectors are half of a vector index, and are also in its file. Above this limit
  /// they are read from the mapped file. Results are the same, and as fast if the system caches the
  /// file. Graphs, codes and unsaved vectors are always in memory. `vector.storage` of CREATE
  /// VECTOR INDEX chooses for a single index.
  std::size_t vector_memory_bytes =
      std::numeric_limits<std::size_t>::max();  ///< limit for all vector indexes together
  /// A transaction is held in memory until its commit; above this limit it fails with
  /// resource_limit.
  std::size_t transaction_bytes = std::size_t{256} << 20;  ///< of changes
  /// After this time Database::begin() fails with busy. Very large values mean forever.
  std::chrono::milliseconds writer_timeout{5'000};  ///< wait for the writer lock
  /// An idle writer is evicted only if another writer waits; calls of the evicted transaction fail
  /// with busy. An attached process also loses a snapshot or reading transaction that was unused
  /// for this long: its calls fail with conflict.
  std::chrono::milliseconds writer_idle_limit{60'000};  ///< idle time before eviction
  /// Threads for compactions and for building vector segments. With one thread, equal data give
  /// equal vector graphs.
  std::uint32_t background_threads = 1;
  /// Property paths beyond this number are stored without an automatic index and searched by scans.
  /// CREATE INDEX still works for them.
  std::size_t max_paths = 10'000;  ///< for the whole database
  /// Statements only read and write files below this directory, and follow no link inside it or out
  /// of it. Empty, the default: statements cannot access files.
  std::filesystem::path file_root = {};
  /// The object store that holds the database, if the directory is only a local copy: `dir:PATH` or
  /// `s3://BUCKET/PREFIX`. The store must support conditional writes. Empty, the default: the
  /// directory holds the database. Opening takes the home over from its owner, whose next commit
  /// then fails with busy. A commit is in the store before it is visible. The directory may be
  /// empty or lost, and is restored. To move an existing database into a home, import its export.
  /// Only with read_write, without repair, and Share::exclusive; unsupported otherwise.
  std::string home = {};
  /// How long the home keeps older states for restore_home(): every state that was the newest one
  /// within this time, and the commits after the oldest of these states. Zero: only the state
  /// before the newest one. Nullopt: the value that a process set last; zero for a new home. If
  /// there are more than 64 states, those close to others are dropped. A change takes effect at the
  /// next checkpoint. At most 100 years.
  std::optional<std::chrono::seconds> home_history = {};
  /// How often expired records are erased in the background, in bounded steps. Zero: only by
  /// Database::erase_expired() and CALL db.expire(). Expired records are invisible in any case.
  std::chrono::milliseconds expiry_interval{60'000};
  LogSink log = {};  ///< receives messages of the database, if set
  /// Receives statements that ran longer than `slow_statement_after`, if set.
  SlowStatementHook slow_statement = {};
  std::chrono::milliseconds slow_statement_after{1'000};
  // The defaults below are the limits of the file format. They can be lowered; open() refuses
  // larger values.
  std::size_t max_key_bytes = 1'024;  ///< a property name, label, type or external id
  /// Counts the bytes of strings, plus nine for each value; a list or map includes everything
  /// inside.
  std::size_t max_value_bytes = std::size_t{16} << 20;  ///< one property value
  /// Items of one list, or entries of one map.
  std::size_t max_list_items = 65'536;
  /// Nesting of lists and maps: [[1]] has two levels.
  std::uint32_t max_nesting_levels = 128;
};

/// Options for running one statement. If it needs more time, memory or rows than allowed, it ends
/// with resource_limit, and a writing statement changes nothing.
///
///     StatementOptions options;
///     options.timeout = std::chrono::seconds{2};
///     options.cancel = source.get_token();   // of a std::stop_source
///
/// Calls that run statements internally have the same options: select_nodes(), faceted_search(),
/// recall(), search_vectors().
struct StatementOptions {
  /// Time inside of run() and Rows::next(); the time between two rows does not count. Checked every
  /// 256 small steps, so it may be exceeded by milliseconds.
  std::chrono::milliseconds timeout{30'000};
  /// Memory for rows, sorting, grouping and lists at any moment; for a writing statement also its
  /// changes and its result.
  std::size_t memory_bytes = std::size_t{256} << 20;
  /// Counts returned rows, not rows that were examined.
  std::size_t max_rows = 10'000'000;
  /// The clock reading for the whole statement, in microseconds since 1970 UTC; nullopt: the system
  /// clock. It makes timestamps of one statement equal, and lets tests choose the date.
  std::optional<std::int64_t> now = std::nullopt;
  std::stop_token cancel = {};  ///< requests the end of the statement, with `cancelled`
  /// If the namespace does not exist, a reading statement finds nothing, and a writing statement
  /// creates it. Records of other namespaces are hidden from statements and searches, but not from
  /// find_node().
  std::string name_space =
      {};  ///< the tenant whose records are seen and created; empty is the default one
  /// Namespaces whose records are seen together with those of `name_space`. New records go to
  /// `name_space`, and relationships between the two are possible. Changing or deleting a record of
  /// these namespaces is `unsupported`.
  std::vector<std::string> also_read = {};
  /// Recorded as `@author` of the records that a writing statement creates; empty: no author.
  std::string author = {};
  /// The namespaces that the caller may use; nullopt: all. Other namespaces are neither listed nor
  /// dropped. Numbers that would reveal them are omitted: estimates of plans, entries of indexes,
  /// similar names.
  std::optional<std::vector<std::string>> listed_name_spaces = std::nullopt;
  /// Whether the statement may read and write files below Options::file_root. Set it to false for a
  /// client on another machine.
  bool use_files = true;
  /// How many threads may compute the statement together; 0, the default: as many as the machine
  /// has cores, at most 4. Rows and errors are the same with any number. Several threads are used
  /// only to group, count or sort the rows of a snapshot or to remove duplicates, if half a
  /// millisecond of work is expected and no function of the program is called. EXPLAIN shows the
  /// number of threads.
  std::uint32_t threads = 0;
  /// Names of optimizer rules to disable, for tests and to find out what a rule does.
  std::string disabled_rules = {};
  /// Who runs the statement, such as the name of a token, for the receipt of CALL db.scrub().
  std::string caller = {};
};

}  // namespace cairn
