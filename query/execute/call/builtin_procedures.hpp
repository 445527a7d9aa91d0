#pragma once
// The procedures of the language by subject. procedure_table.cpp has their names, roles and columns.

#include "query/execute/call/memory_calls.hpp"
#include "query/execute/call/procedures.hpp"

namespace cairn::query {

// What the language has by name: the catalog of a graph, and the calls themselves.

/// The names that some visible record carries, in the order of their bytes.
[[nodiscard]] Result<Procedure::Rows> list_labels(ExecutionContext& context,
                                                  std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_relationship_types(ExecutionContext& context,
                                                              std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_property_keys(ExecutionContext& context,
                                                         std::span<const Value> arguments);
/// Argument: a type of index, which may be left out. A row an index.
[[nodiscard]] Result<Procedure::Rows> list_indexes(ExecutionContext& context,
                                                   std::span<const Value> arguments);
/// The procedures and functions of the language and of the program, by name.
[[nodiscard]] Result<Procedure::Rows> list_procedures(ExecutionContext& context,
                                                      std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_functions(ExecutionContext& context,
                                                     std::span<const Value> arguments);

// db.expire

/// Argument: how many records to erase at most. One row: how many were erased.
[[nodiscard]] Result<Procedure::Rows> erase_expired(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// db.facets

/// Arguments: a filter, and a field or a list of fields. A row a value of a field, most frequent first.
[[nodiscard]] Result<Procedure::Rows> count_facets(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// The calls of APOC by which frameworks ask what a graph is made of: apoc.meta.* and apoc.schema.properties.distinct.

/// A row a property of a label or type, and a row a type of relationships at a label.
[[nodiscard]] Result<Procedure::Rows> describe_data(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// One row: a map by label and type.
[[nodiscard]] Result<Procedure::Rows> describe_schema(ExecutionContext& context,
                                                      std::span<const Value> arguments);
/// One row: the picture of visualize_schema(), its nodes with {name, count} and its relationships with {type, count}.
[[nodiscard]] Result<Procedure::Rows> describe_graph(ExecutionContext& context,
                                                     std::span<const Value> arguments);
/// Arguments: a label and a property. One row: the list of its different values.
[[nodiscard]] Result<Procedure::Rows> distinct_values(ExecutionContext& context,
                                                      std::span<const Value> arguments);

// db.backup, which BACKUP TO is short for, and db.backups, which SHOW BACKUPS lists.

/// Argument: a path beneath Options::file_root. One row, what the backup holds and cost. Errors: those of
/// Database::backup(); unsupported where the statement may have no files, in a transaction and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> back_up(ExecutionContext& context,
                                              std::span<const Value> arguments);
/// The newest backup in each directory, newest first.
[[nodiscard]] Result<Procedure::Rows> list_backups(ExecutionContext& context,
                                                   std::span<const Value> arguments);

/// The receipt of the scrub that the statement made before its run. Errors: unsupported for a CALL that does not stand
/// alone, in a transaction and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> give_receipt(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// What is packed in memory.

/// A row a segment. Errors: unsupported in a transaction and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> list_segments(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// The same, after the lists of relationships were built and columns of the named properties. Argument: one of them or a
/// list, which may be left out. Errors: also not_found for a property that no record has.
[[nodiscard]] Result<Procedure::Rows> warm_segments(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// db.grammar

/// The grammar of the language in each format, or in the one that is named.
[[nodiscard]] Result<Procedure::Rows> give_grammar(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// db.csv.load, which LOAD CSV is a short form of.

/// The records of a file as rows, read as they are asked for.
[[nodiscard]] Result<std::unique_ptr<RowSource>> load_csv(ExecutionContext& context,
                                                          std::span<const Value> arguments);

// The calls of APOC that make records with labels and types from values: apoc.merge.* and apoc.create.addLabels.

/// Arguments: labels, properties that identify a node, properties of a new one, properties of one that is there. Rows:
/// the nodes that are there, or the one that was made. Errors: invalid_argument for a null that identifies.
[[nodiscard]] Result<Procedure::Rows> merge_node(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// Arguments: start, type, properties that identify, properties of a new one, end, properties of one that is there.
[[nodiscard]] Result<Procedure::Rows> merge_relationship(ExecutionContext& context,
                                                         std::span<const Value> arguments);
/// Arguments: a node or a list of nodes, and labels. Rows: the nodes.
[[nodiscard]] Result<Procedure::Rows> add_labels(ExecutionContext& context,
                                                 std::span<const Value> arguments);

// db.recall(question, options): the recall call of the public face, within a statement.

/// node, score, breakdown; best first. Options are those of RecallOptions and RecallFeatures by their names.
[[nodiscard]] Result<Procedure::Rows> recall_nodes(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// The typed memory calls: memory.*. Each takes one map, as the request of the call in cairn/memory has it; add() takes a
// record or a list of them, and options. procedure_table.cpp has the columns of their rows.

[[nodiscard]] Result<Procedure::Rows> call_memory(ExecutionContext& context,
                                                  std::span<const Value> arguments,
                                                  MemoryProcedure procedure);
template <MemoryProcedure procedure>
[[nodiscard]] Result<Procedure::Rows> call_memory(ExecutionContext& context,
                                                  std::span<const Value> arguments) {
  return call_memory(context, arguments, procedure);
}

// Tagging rules in the language: db.rules.*. Records are nodes with the label Memory.

/// Rows: name, pattern, tags, fields, kinds.
[[nodiscard]] Result<Procedure::Rows> list_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// Arguments: name, pattern, tags, and a map with `fields` and `kinds`, which may be left out.
[[nodiscard]] Result<Procedure::Rows> put_rule(ExecutionContext& context,
                                               std::span<const Value> arguments);
/// Argument: name. Errors: not_found for an unknown rule.
[[nodiscard]] Result<Procedure::Rows> drop_rule(ExecutionContext& context,
                                                std::span<const Value> arguments);

/// Each takes a filter of the records, or none. Rows of `preview`: node and the tags it would get.
[[nodiscard]] Result<Procedure::Rows> preview_rules(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// Rows: rule, matched, newlyTagged, and of the whole run: records, recordsMatched, recordsChanged, run.
[[nodiscard]] Result<Procedure::Rows> count_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> apply_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
/// Argument: the run. Row: records.
[[nodiscard]] Result<Procedure::Rows> undo_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);

// Neo4j's calls that describe a graph: db.schema.*.

/// A row a label and property: nodeType, nodeLabels, propertyName, propertyTypes, mandatory.
[[nodiscard]] Result<Procedure::Rows> node_type_properties(ExecutionContext& context,
                                                           std::span<const Value> arguments);
/// A row a type and property: relType, propertyName, propertyTypes, mandatory.
[[nodiscard]] Result<Procedure::Rows> relationship_type_properties(
    ExecutionContext& context, std::span<const Value> arguments);
/// One row: a node for each label and a relationship for each connection, none of which is in the database.
[[nodiscard]] Result<Procedure::Rows> visualize_schema(ExecutionContext& context,
                                                       std::span<const Value> arguments);

// Neo4j's calls by which clients ask what they are connected to.

/// One row, as a server of Neo4j 5.26 gives it, which clients look for, and one of this library.
[[nodiscard]] Result<Procedure::Rows> list_components(ExecutionContext& context,
                                                      std::span<const Value> arguments);
/// A row a namespace, as a server of Neo4j lists its databases. The default namespace is "neo4j".
[[nodiscard]] Result<Procedure::Rows> list_databases(ExecutionContext& context,
                                                     std::span<const Value> arguments);
/// A row a constraint, in the columns of Neo4j; `createStatement` makes it again.
[[nodiscard]] Result<Procedure::Rows> list_constraints(ExecutionContext& context,
                                                       std::span<const Value> arguments);
/// One row: true.
[[nodiscard]] Result<Procedure::Rows> ping(ExecutionContext& context,
                                           std::span<const Value> arguments);
/// No rows: an index is filled when its statement has ended.
[[nodiscard]] Result<Procedure::Rows> await_indexes(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// Neo4j's calls of full-text search: db.index.fulltext.queryNodes and queryRelationships.

/// Arguments: the index, the question, and a map with `skip` and `limit`, which may be left out. Rows:
/// entity and score, best first. Errors: not_found, type_error, invalid_argument.
[[nodiscard]] Result<Procedure::Rows> query_nodes_by_text(ExecutionContext& context,
                                                          std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> query_relationships_by_text(ExecutionContext& context,
                                                                  std::span<const Value> arguments);

// Neo4j's calls for vectors: db.index.vector.* and db.create.*. A statement that filters writes SEARCH instead.

/// Arguments: the index, how many, and a vector. Rows: entity and score, best first, of those that the statement may
/// see. Errors: not_found, type_error, invalid_argument.
[[nodiscard]] Result<Procedure::Rows> query_nodes_by_vector(ExecutionContext& context,
                                                            std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> query_relationships_by_vector(
    ExecutionContext& context, std::span<const Value> arguments);

/// Arguments: name, label or type, property, dimension, and "cosine" or "euclidean". Errors: as CREATE VECTOR INDEX.
[[nodiscard]] Result<Procedure::Rows> create_node_vector_index(ExecutionContext& context,
                                                               std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> create_relationship_vector_index(
    ExecutionContext& context, std::span<const Value> arguments);

/// Arguments: an entity, a property, and numbers that are stored as a vector. No rows, or the node in one.
[[nodiscard]] Result<Procedure::Rows> set_vector(ExecutionContext& context,
                                                 std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> set_vector_of_node(ExecutionContext& context,
                                                         std::span<const Value> arguments);

}  // namespace cairn::query
