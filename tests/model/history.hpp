#pragma once
// History: a sequence of changes, transactions and reopenings that is decoded from bytes and
// applied to a database and to the model. Random tests generate the bytes, and the fuzzer provides
// its own. A failing history is shortened by leaving out steps.

#include "tests/model/graph_comparison.hpp"
#include "tests/model/model_graph.hpp"
#include "tests/model/random.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::test {

/// One operation: which, and what all its draws come from.
struct Step {
  std::uint8_t operation = 0;
  std::uint8_t target = 0;
  std::uint16_t seed = 0;
};
using Steps = std::vector<Step>;

/// Four bytes a step; what is left over is dropped.
[[nodiscard]] Steps decode_steps(std::span<const std::uint8_t> bytes);
[[nodiscard]] Steps random_steps(Random& random, std::size_t count);

/// How a history is played.
struct HistoryOptions {
  std::size_t compare_every = 50;  ///< steps; and at the end
  bool reopens = true;             ///< otherwise steps that reopen or checkpoint are passed over
  Durability durability = Durability::async;
};

class History {
 public:
  /// The database in `directory`, made there if need be; what it holds is erased by play().
  History(std::filesystem::path directory, HistoryOptions options);

  /// Play the steps from an empty database on. Gives the first disagreement.
  [[nodiscard]] Difference play(std::span<const Step> steps);
  /// What the last play() did, one line an operation.
  [[nodiscard]] const Lines& log() const { return log_; }

 private:
  struct Held {
    Snapshot snapshot;
    ModelGraph model;
  };
  struct Operation {
    int weight;
    bool in_transaction;
    void (History::*run)(NodeId, Random&);
  };
  static std::span<const Operation> operations();
  static const Operation& operation(std::uint8_t choice);

  void run(const Step& step);
  void create_node(NodeId, Random& random);
  void create_node_by_text(NodeId, Random& random);
  void create_relationship(NodeId source, Random& random);
  void create_relationship_by_text(NodeId source, Random& random);
  void set_property(NodeId node, Random& random);
  void set_property_by_text(NodeId node, Random& random);
  void set_vector(NodeId node, Random& random);
  void set_relationship_property(NodeId, Random& random);
  void replace_properties(NodeId node, Random& random);
  void add_label(NodeId node, Random& random);
  void remove_label(NodeId node, Random& random);
  void erase_node(NodeId node, Random& random);
  void erase_node_and_relationships(NodeId node, Random& random);
  void erase_relationship(NodeId, Random& random);
  void set_where(NodeId, Random& random);
  void erase_where(NodeId, Random& random);
  void commit(NodeId, Random& random);
  void roll_back(NodeId, Random& random);
  void reopen(NodeId, Random& random);
  void checkpoint(NodeId, Random& random);
  void hold_snapshot(NodeId, Random& random);
  void toggle_vector_index(NodeId, Random& random);

  void open();
  void erase_everything();
  void create_vector_index(const std::string& name);
  void drop_vector_index(const std::string& name);
  void begin();
  void end_transaction(bool keep);
  void compare();
  void compare_held();

  [[nodiscard]] NodeId pick_node(std::size_t choice) const;
  [[nodiscard]] RelationshipId pick_relationship(Random& random) const;
  void note(std::string line) { log_.push_back(std::move(line)); }
  void fail(const std::string& what);
  /// Fails where the database did something else than the model.
  void expect(const std::string& what, std::optional<ErrorCode> found,
              ModelGraph::Failure expected);
  /// Runs a writing statement in the transaction; its rows, or a failed history.
  std::vector<std::vector<Value>> write(const std::string& text, const Parameters& parameters);
  void define(const std::string& text);

  std::filesystem::path directory_;
  HistoryOptions options_;
  std::optional<Database> database_;
  std::optional<Transaction> transaction_;
  std::vector<Held> held_;
  ModelGraph committed_;
  ModelGraph working_;  // What the open transaction sees.
  Difference difference_;
  Lines log_;
  Random comparisons_{0};
};

/// Shortens a failing history: runs shorter histories without some steps, as long as one still
/// fails and `attempts` are left. `fails` runs a history from the beginning.
[[nodiscard]] Steps shorten(Steps steps, const std::function<bool(const Steps&)>& fails,
                            int attempts);

}  // namespace cairn::test
