// A scrub of the tables: RocksStore::scrub_tables(). What was erased or replaced lies below what erased or replaced it,
// until a compaction brings both together on the last level. RocksDB's compaction of a range would do that with all tables
// that overlap the range of a flushed table, which is nearly everything. So the entries on the upper levels are first cut
// to the tables below:
//
//   level 0    one table  [k3 ......................... k900]
//   cut        pieces     [k3] [k70 k71]                [k900]      each within one table below, or in a gap
//   join       each piece that covers anything is joined with the one table below it; the others stay
//   level 6    tables     [k1..k50] [k60..k99] [k100..k400] [k500..k999]
//                          written   written    stays as it is   written
//
// Level by level from the top. A table tells in its properties whether it covers or is stale (table_marks.hpp), so that
// nothing is read to find that out. At the end the stale tables of the last level are rewritten where they are: postings
// that became empty when they were joined go by then.
//
// RocksDB's own compactions of the family rest meanwhile, so that tables stay where they were found. Flushes go on: what
// they bring to level 0 was written after the call. Reads see the same before and after each step.
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

/// As RocksDB makes them by default.
constexpr std::uint64_t table_bytes = std::uint64_t{64} << 20;

struct Table {
  std::string name;
  TableRange range;
  TableMarks marks;
};
using Level = std::vector<Table>;

bool overlap(const TableRange& a, const TableRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Those of a level below 0, whose tables ascend, that a range meets.
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

/// RocksDB's own compactions of a family rest while this lives.
class RestingCompactions {
 public:
  RestingCompactions(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& family)
      : database_(database), family_(family) {}
  RestingCompactions(const RestingCompactions&) = delete;
  RestingCompactions& operator=(const RestingCompactions&) = delete;
  ~RestingCompactions() { static_cast<void>(set("false")); }

  /// Those that run are waited for.
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

  /// All tables as they are now. Where a compaction took one of them before its properties were read, they are listed
  /// again: what the compaction wrote in its place may have work of its own.
  [[nodiscard]] Status load() {
    while (true) {
      CAIRN_ASSIGN(const bool is_complete, list_tables());
      if (is_complete) return {};
    }
  }

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

  /// Nothing for a table that is gone. Properties are read once for all tables, as RocksDB gives them, whenever an
  /// unknown table appears.
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

  /// The first level below this one that has tables; 0 where none has.
  [[nodiscard]] std::size_t next_below(std::size_t level) const {
    for (std::size_t below = level + 1; below < levels_.size(); ++below)
      if (!levels_[below].empty()) return below;
    return 0;
  }

  [[nodiscard]] bool is_over_others(const Table& table, std::size_t level) const {
    for (std::size_t below = level + 1; below < levels_.size(); ++below)
      if (!met_by(table.range, levels_[below]).empty()) return true;
    return level == 0 && std::ranges::any_of(levels_[0], [&](const Table& other) {
             return other.name != table.name && overlap(other.range, table.range);
           });
  }

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

  /// Tables of level 0 overlap each other, so that all go together: to a level that is empty, as pieces, or to the
  /// last one where there is nothing below.
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

  /// Whether it reaches into two tables, or beyond one.
  [[nodiscard]] static bool is_wide(const Table& table, const Level& below) {
    const auto met = met_by(table.range, below);
    if (met.empty()) return false;
    const TableRange& only = met.front().range;
    return met.size() > 1 || table.range.first < only.first || only.last < table.range.last;
  }

  /// What is compacted together: tables that meet the same ones below, and these.
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

  /// Twice, as a posting that a join left empty is dropped when it is read again. What is stale then is what a snapshot
  /// sees that was made after the scrub began.
  [[nodiscard]] Status rewrite_stale(std::size_t level) {
    for (int i = 0; i < 2; ++i) {
      for (const Table& table : levels_[level])
        if (table.marks.stale > 0) CAIRN_TRY(compact({table.name}, level, {}));
      CAIRN_TRY(load());
    }
    return {};
  }

  [[nodiscard]] Status compact(std::vector<std::string> names, std::size_t level,
                               std::vector<TableRange> cuts) {
    CAIRN_TRY(step_(done_));
    rocksdb::CompactionOptions options;
    options.compression = rocksdb::kDisableCompressionOption;  // as the family has it
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
  std::map<std::string, TableMarks> marks_;
  std::set<std::string> pieces_;  // tables that this has written
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
