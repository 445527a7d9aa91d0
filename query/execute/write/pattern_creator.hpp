#pragma once
// PatternCreator: makes the nodes and relationships of a pattern that a row does not have yet, for
// CREATE and MERGE.

#include "query/bind/bound_query.hpp"
#include "query/execute/write/graph_editor.hpp"

#include <functional>
#include <optional>

namespace cairn::query {

class PatternCreator {
 public:
  /// What the node or relationship at a position of the path is made with.
  struct Properties {
    std::function<Result<MadeRecord>(std::size_t position, Row row)> of_node;
    std::function<Result<MadeRecord>(std::size_t position, Row row)> of_relationship;
  };

  PatternCreator(GraphEditor& editor, const PathPattern& path, Properties properties)
      : editor_(editor), path_(path), properties_(std::move(properties)) {}

  /// Fill the slots of the pattern, its path variable included.
  [[nodiscard]] Status create(Row row);

 private:
  [[nodiscard]] Status create_node(std::size_t position, Row row);
  [[nodiscard]] Status create_relationship(std::size_t position, Row row);
  void bind_path(Row row) const;

  GraphEditor& editor_;
  const PathPattern& path_;
  Properties properties_;
};

}  // namespace cairn::query
