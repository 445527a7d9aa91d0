#pragma once
// CrashHistory: the operations of one writer of a crash test, and the data that they must have left.
//
// An operation depends only on the seed, the writer and its number. So the process that is killed and the process that
// checks the database generate the same operations. The number of operations in the database determines all data that
// the writer must have left. Each writer has its own nodes, relationships and indexes. The node "writer-N" counts the
// operations in the same transactions.

#include "tests/model/random.hpp"

#include <cairn/graph.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cairn::test {

inline constexpr std::size_t crash_writers = 4;
/// The number of the thread that imports, after those of the writers.
inline constexpr std::size_t crash_importer = crash_writers;
/// The number with which completed scrubs are reported.
inline constexpr std::size_t crash_scrubber = crash_importer + 1;

/// One change within an operation. A node is identified by its external id, and a relationship by its property "key",
/// which is unique for each writer.
struct CrashChange {
  enum class Kind : std::uint8_t {
    create_node,   ///< node, labels, properties
    erase_node,    ///< node, and its relationships with it
    set_property,  ///< node, name, value
    add_label,     ///< node, name
    remove_label,  ///< node, name
    relate,        ///< node, other, key
    unrelate,      ///< node, key
    create_index,  ///< name: the kind of index with the writer's number behind it
    drop_index,    ///< name
  };
  Kind kind;
  std::string node{};
  std::string other{};
  std::string name{};
  std::int64_t key = 0;
  Value value{};
  std::vector<std::string> labels{};
  Properties properties{};
};

using CrashOperation = std::vector<CrashChange>;

class CrashHistory {
 public:
  CrashHistory(std::uint64_t seed, std::size_t writer);

  /// The next operation, which is part of what is left from now on.
  CrashOperation next();
  /// How many operations there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// What must be there: nodes, relationships and indexes, each in a line.
  void describe(std::set<std::string>& lines) const;
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

  [[nodiscard]] static std::string counter_of(std::size_t writer);
  [[nodiscard]] static std::string label_of(std::size_t writer);
  [[nodiscard]] static std::string describe_node(const std::string& external_id,
                                                 const std::vector<std::string>& labels,
                                                 const Properties& properties);
  [[nodiscard]] static std::string describe_relationship(const std::string& source,
                                                         const std::string& target,
                                                         std::int64_t key);

 private:
  struct StoredNode {
    std::set<std::string> labels;
    Properties properties;
  };
  struct StoredRelationship {
    std::string source;
    std::string target;
  };

  void load(CrashOperation& operation, std::size_t count);
  void forget(CrashOperation& operation, std::size_t count);
  void update(CrashOperation& operation);
  void change_label(CrashOperation& operation);
  void change_relationship(CrashOperation& operation);
  void change_index(CrashOperation& operation);
  void put(CrashOperation& operation, CrashChange change);
  void apply(const CrashChange& change);

  [[nodiscard]] const std::string& pick_node();
  [[nodiscard]] Value draw_text();
  [[nodiscard]] Value draw_vector();

  Random random_;
  std::size_t writer_;
  std::uint64_t count_ = 0;
  std::int64_t last_key_ = 0;  // of nodes and relationships
  std::map<std::string, StoredNode> nodes_;
  std::map<std::int64_t, StoredRelationship> relationships_;
  std::set<std::string> indexes_;
};

}  // namespace cairn::test
