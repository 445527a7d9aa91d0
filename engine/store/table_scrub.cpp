// A scrub of the tables: RocksStore::scrub_tables(). Erased or replaced content is below the entries that erased or
// replaced it, until a compaction brings both together on the last level. RocksDB could compact a range of keys, but
// that would rewrite all tables that overlap the range of a flushed table, which is nearly everything. So the tables
// of the upper levels are first cut at the boundaries of the tables below:
//
//   level 0    one table  [k3 ......................... k900]
//   cut        pieces     [k3] [k70 k71]                [k900]      each within one table below, or in a gap
//   join       each piece with covering entries is compacted with the one table below it; the others stay
//   level 6    tables     [k1..k50] [k60..k99] [k100..k400] [k500..k999]
//                          written   written    unchanged    written
//
// This is done level by level from the top. The properties of a table show whether it has covering or stale entries
// (table_marks.hpp), so no table is read to find out. At the end the stale tables of the last level are rewritten in
// place. This removes postings that became empty by a join.
//
// RocksDB's own compactions of the family are paused meanwhile, so that tables stay where they are. Flushes continue:
// they only add tables with entries that were written after the call. Readers see the same content before and after
// each step.
#include "engine/store/rocks_store_impl.hpp"
#include "engine/store/table_cuts.hpp"
#include "engine/store/table_marks.hpp"

#include <rocksdb/listener.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <thread>

namespace cairn::engine {
namespace {

/// The size of tables that RocksDB writes by default.
constexpr std::uint64_t table_bytes = std::uint64_t{64} << 20;

/// A table of the family.
struct Table {
  std::string name;
  TableRange range;
  TableMarks marks;
};
using Level = std::vector<Table>;

bool overlap(const TableRange& a, const TableRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Returns the tables of a level that overlap a range. Not for level 0, because its tables are not sorted.
std::span<const Table> met_by(const TableRange& range, const Level& level) {
  const auto begin = std::ranges::partition_point(
      level, [&](const Table& table) { return table.range.last < range.first; });
  const auto end = std::partition_point(
      begin, level.end(), [&](const Table& table) { return table.range.first <= range.last; });
  return {begin, end};
}

std::vector<TableRange> ranges_of(const Level& level) {
  std::vector<TableRange> ranges;
  for (const Table& table : level) ranges.push_back(table.range);
  return ranges;
}

std::vector<std::string> names_of(std::span<const Table> tables) {
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  return names;
}

/// Pauses RocksDB's own compactions of a family during its lifetime.
class RestingCompactions {
 public:
  RestingCompactions(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& family)
      : database_(database), family_(family) {}
  RestingCompactions(const RestingCompactions&) = delete;
  RestingCompactions& operator=(const RestingCompactions&) = delete;
  ~RestingCompactions() { static_cast<void>(set("false")); }

  /// Pauses compactions, and waits for the running ones.
  [[nodiscard]] rocksdb::Status begin() {
    if (auto status = set("true"); !status.ok()) return status;
    constexpr auto interval = std::chrono::milliseconds(2);
    while (is_compacting()) std::this_thread::sleep_for(interval);
    return rocksdb::Status::OK();
  }

 private:
  [[nodiscard]] rocksdb::Status set(const char* value) {
    return database_.SetOptions(&family_, {{"disable_auto_compactions", value}});
  }
  [[nodiscard]] bool is_compacting() {
    rocksdb::ColumnFamilyMetaData found;
    database_.GetColumnFamilyMetaData(&family_, &found);
    return std::ranges::any_of(found.levels, [](const rocksdb::LevelMetaData& level) {
      return std::ranges::any_of(level.files, &rocksdb::SstFileMetaData::being_compacted);
    });
  }

  rocksdb::DB& database_;
  rocksdb::ColumnFamilyHandle& family_;
};

/// The scrub of one family.
class FamilyScrub {
 public:
  FamilyScrub(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& family, const ScrubStep& step,
              ScrubbedTables& done)
      : database_(database), family_(family), step_(step), done_(done) {
    cuts_ =
        std::static_pointer_cast<TableCuts>(database_.GetOptions(&family_).sst_partitioner_factory);
  }

  [[nodiscard]] Status run() {
    CAIRN_TRY(load());
    if (!has_work()) return {};
    RestingCompactions resting(database_, family_);
    if (const auto status = resting.begin(); !status.ok()) return error_of(status);
    CAIRN_TRY(empty_level_zero());
    for (std::size_t level = 1; level < levels_.size(); ++level) CAIRN_TRY(push_down(level));
    return {};
  }

 private:
  [[nodiscard]] Error error_of(const rocksdb::Status& status) const {
    return to_error(status, "family " + family_.GetName());
  }

  /// Lists all tables with their marks. If a compaction deleted a table before its properties were read, lists them
  /// again, because the output of the compaction may need work too.
  [[nodiscard]] Status load() {
    while (true) {
      CAIRN_ASSIGN(const bool is_complete, list_tables());
      if (is_complete) return {};
    }
  }

  /// Lists the tables once. Returns false if a table disappeared meanwhile.
  [[nodiscard]] Result<bool> list_tables() {
    rocksdb::ColumnFamilyMetaData found;
    database_.GetColumnFamilyMetaData(&family_, &found);
    levels_.assign(found.levels.size(), {});
    for (const rocksdb::LevelMetaData& level : found.levels)
      for (const rocksdb::SstFileMetaData& file : level.files) {
        CAIRN_ASSIGN(const std::optional<TableMarks> marks, marks_of_table(file.relative_filename));
        if (!marks) return false;
        levels_[static_cast<std::size_t>(level.level)].push_back(
            {file.relative_filename, {file.smallestkey, file.largestkey}, *marks});
      }
    return true;
  }

  /// Returns the marks of a table, or nullopt if the table no longer exists. RocksDB can only read the properties of
  /// all tables at once, so they are read when an unknown table appears.
  [[nodiscard]] Result<std::optional<TableMarks>> marks_of_table(const std::string& name) {
    if (const auto known = marks_.find(name); known != marks_.end())
      return std::optional(known->second);
    rocksdb::TablePropertiesCollection all;
    const auto status = database_.GetPropertiesOfAllTables(&family_, &all);
    if (!status.ok()) return error_of(status);
    for (const auto& [path, properties] : all)
      marks_.insert_or_assign(path.substr(path.rfind('/') + 1), engine::marks_of(*properties));
    const auto read = marks_.find(name);
    return read == marks_.end() ? std::optional<TableMarks>() : std::optional(read->second);
  }

  /// Returns the first level below this one that has tables; 0 if all levels below are empty.
  [[nodiscard]] std::size_t next_below(std::size_t level) const {
    for (std::size_t below = level + 1; below < levels_.size(); ++below)
      if (!levels_[below].empty()) return below;
    return 0;
  }

  /// True if a table below, or another one of level 0, may contain older entries of the same keys.
  [[nodiscard]] bool is_over_others(const Table& table, std::size_t level) const {
    for (std::size_t below = level + 1; below < levels_.size(); ++below)
      if (!met_by(table.range, levels_[below]).empty()) return true;
    return level == 0 && std::ranges::any_of(levels_[0], [&](const Table& other) {
             return other.name != table.name && overlap(other.range, table.range);
           });
  }

  /// True if the table must be rewritten: it has stale entries, or covers entries of other tables.
  [[nodiscard]] bool is_due(const Table& table, std::size_t level) const {
    return table.marks.stale > 0 || (table.marks.covering > 0 && is_over_others(table, level));
  }

  [[nodiscard]] Level due_on(std::size_t level) const {
    Level due;
    for (const Table& table : levels_[level])
      if (is_due(table, level)) due.push_back(table);
    return due;
  }

  [[nodiscard]] bool has_work() const {
    for (std::size_t level = 0; level < levels_.size(); ++level)
      if (!due_on(level).empty()) return true;
    return false;
  }

  /// Compacts all tables of level 0 together, because they overlap each other. They go to an empty level as pieces,
  /// or to level 1 with the tables there, or to the last level if nothing is below.
  [[nodiscard]] Status empty_level_zero() {
    CAIRN_TRY(load());
    if (due_on(0).empty()) return {};
    const std::size_t below = next_below(0);
    std::vector<std::string> names = names_of(levels_[0]);
    if (below == 0) return compact(std::move(names), levels_.size() - 1, {});
    if (below > 1) return compact(std::move(names), below - 1, ranges_of(levels_[below]));
    for (const Table& table : levels_[0])
      for (const Table& met : met_by(table.range, levels_[1]))
        if (std::ranges::find(names, met.name) == names.end()) names.push_back(met.name);
    const std::size_t next = next_below(1);
    return compact(std::move(names), 1,
                   next == 0 ? std::vector<TableRange>() : ranges_of(levels_[next]));
  }

  /// Cuts the due tables of a level, and joins the pieces with the tables of the next level. On the last level,
  /// rewrites stale tables.
  [[nodiscard]] Status push_down(std::size_t level) {
    CAIRN_TRY(load());
    const std::size_t below = next_below(level);
    if (below == 0) return rewrite_stale(level);
    for (const Table& table : due_on(level))
      if (is_wide(table, levels_[below]))
        CAIRN_TRY(compact({table.name}, level, ranges_of(levels_[below])));
    CAIRN_TRY(load());
    const std::size_t next = next_below(below);
    const auto cuts = next == 0 ? std::vector<TableRange>() : ranges_of(levels_[next]);
    for (const std::vector<std::string>& names : joined(due_on(level), levels_[below]))
      CAIRN_TRY(compact(names, below, cuts));
    return {};
  }

  /// True if the table overlaps two tables below, or extends beyond the one that it overlaps.
  [[nodiscard]] static bool is_wide(const Table& table, const Level& below) {
    const auto met = met_by(table.range, below);
    if (met.empty()) return false;
    const TableRange& only = met.front().range;
    return met.size() > 1 || table.range.first < only.first || only.last < table.range.last;
  }

  /// Returns the groups of tables to compact together: tables that overlap the same tables below, and these tables.
  [[nodiscard]] static std::vector<std::vector<std::string>> joined(const Level& due,
                                                                    const Level& below) {
    std::vector<std::vector<std::string>> groups;
    std::string last_met;
    for (const Table& table : due) {
      const auto met = met_by(table.range, below);
      const bool goes_on = !met.empty() && met.front().name == last_met;
      if (!goes_on) groups.emplace_back();
      groups.back().push_back(table.name);
      for (const Table& other : met)
        if (other.name != last_met) groups.back().push_back(other.name);
      last_met = met.empty() ? std::string() : met.back().name;
    }
    return groups;
  }

  /// Rewrites the stale tables of the last level, twice: a posting that became empty by a join is dropped only when
  /// it is read again. Entries that are stale afterwards are visible to a snapshot that was made after the scrub
  /// began.
  [[nodiscard]] Status rewrite_stale(std::size_t level) {
    for (int i = 0; i < 2; ++i) {
      for (const Table& table : levels_[level])
        if (table.marks.stale > 0) CAIRN_TRY(compact({table.name}, level, {}));
      CAIRN_TRY(load());
    }
    return {};
  }

  /// Compacts these tables into `level`, with the output cut at `cuts`. Does not count tables that this scrub wrote.
  [[nodiscard]] Status compact(std::vector<std::string> names, std::size_t level,
                               std::vector<TableRange> cuts) {
    CAIRN_TRY(step_(done_));
    rocksdb::CompactionOptions options;
    options.compression = rocksdb::kDisableCompressionOption;  // the setting of the family applies
    options.output_file_size_limit = table_bytes;
    cuts_->set(std::move(cuts));
    rocksdb::CompactionJobInfo info;
    std::vector<std::string> written;
    const auto status = database_.CompactFiles(options, &family_, names, static_cast<int>(level),
                                               -1, &written, &info);
    cuts_->clear();
    if (!status.ok()) return error_of(status);
    for (const std::string& path : info.input_files) {
      if (pieces_.contains(path.substr(path.rfind('/') + 1))) continue;
      ++done_.tables;
    }
    done_.bytes += info.stats.total_input_bytes;
    for (const std::string& path : written) pieces_.insert(path.substr(path.rfind('/') + 1));
    return {};
  }

  rocksdb::DB& database_;
  rocksdb::ColumnFamilyHandle& family_;
  const ScrubStep& step_;
  ScrubbedTables& done_;
  std::shared_ptr<TableCuts> cuts_;  // owners: RocksDB and this
  std::vector<Level> levels_;
  std::map<std::string, TableMarks> marks_;  // by name of the table
  std::set<std::string> pieces_;             // tables that this scrub has written
};

}  // namespace

Status RocksStore::Impl::scrub(Family family, const ScrubStep& step, ScrubbedTables& done) {
  return FamilyScrub(*database, *handle(family), step, done).run();
}

Result<ScrubbedTables> RocksStore::scrub_tables(const ScrubStep& step) {
  CAIRN_TRY(flush());
  ScrubbedTables done;
  for (const Family family : all_families) CAIRN_TRY(impl_->scrub(family, step, done));
  return done;
}

}  // namespace cairn::engine
