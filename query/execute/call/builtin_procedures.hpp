#pragma once
// Declares the procedures of the query language by subject. procedure_table.cpp lists their names,
// roles and columns.

#include "query/execute/call/memory_calls.hpp"
#include "query/execute/call/procedures.hpp"

namespace cairn::query {

// Lists of names: the catalog of a graph, and the procedures and functions of the language.

/// Names that at least one visible record uses, sorted by bytes.
[[nodiscard]] Result<Procedure::Rows> list_labels(ExecutionContext& context,
                                                  std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_relationship_types(ExecutionContext& context,
                                                              std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_property_keys(ExecutionContext& context,
                                                         std::span<const Value> arguments);
/// Argument: a type of index, optional. Rows: one per index.
[[nodiscard]] Result<Procedure::Rows> list_indexes(ExecutionContext& context,
                                                   std::span<const Value> arguments);
/// The procedures and functions of the language and of the program, sorted by name.
[[nodiscard]] Result<Procedure::Rows> list_procedures(ExecutionContext& context,
                                                      std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_functions(ExecutionContext& context,
                                                     std::span<const Value> arguments);

// db.expire

/// Argument: the largest number of records to erase, optional. One row: the number of erased
/// records.
[[nodiscard]] Result<Procedure::Rows> erase_expired(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// db.facets

/// Arguments: a filter, and a field or a list of fields. Rows: one per value of a field, most
/// frequent first.
[[nodiscard]] Result<Procedure::Rows> count_facets(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// Procedures of APOC with which frameworks learn the schema of a graph: apoc.meta.* and
// apoc.schema.properties.distinct.

/// Checks the options of apoc.meta.data(), apoc.meta.schema() and apoc.meta.graph(). Warns of options without effect.
/// Errors: type_error; invalid_argument for an option that would change the result.
[[nodiscard]] Status check_meta_options(ExecutionContext& context, std::string_view procedure,
                                        std::span<const Value> arguments);

/// Rows: one per property of a label or type, and one per relationship type at a label.
[[nodiscard]] Result<Procedure::Rows> describe_data(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// One row: a map with an entry per label and type.
[[nodiscard]] Result<Procedure::Rows> describe_schema(ExecutionContext& context,
                                                      std::span<const Value> arguments);
/// One row like that of visualize_schema(). Nodes have {name, count} and relationships have {type,
/// count}.
[[nodiscard]] Result<Procedure::Rows> describe_graph(ExecutionContext& context,
                                                     std::span<const Value> arguments);
/// Rows: one per index and constraint of labels.
[[nodiscard]] Result<Procedure::Rows> list_node_rules(ExecutionContext& context,
                                                      std::span<const Value> arguments);
/// Arguments: a label and a property. One row: the list of its distinct values.
[[nodiscard]] Result<Procedure::Rows> distinct_values(ExecutionContext& context,
                                                      std::span<const Value> arguments);

// db.backup, which BACKUP TO calls, and db.backups, which SHOW BACKUPS calls.

/// Argument: a path below Options::file_root. One row: the size and cost of the backup.
/// Errors: those of Database::backup(). unsupported if the statement may not use files, in a
/// transaction, and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> back_up(ExecutionContext& context,
                                              std::span<const Value> arguments);
/// Rows: the newest backup in each directory, newest first.
[[nodiscard]] Result<Procedure::Rows> list_backups(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// db.transactions, which SHOW TRANSACTIONS calls, and db.transactions.terminate.

/// Rows: the running statements that the caller may see, oldest first.
[[nodiscard]] Result<Procedure::Rows> list_transactions(ExecutionContext& context,
                                                        std::span<const Value> arguments);
/// Argument: an id of db.transactions, or a list of ids. Rows: one per id.
[[nodiscard]] Result<Procedure::Rows> terminate_transactions(ExecutionContext& context,
                                                             std::span<const Value> arguments);

/// One row: the receipt of the scrub, which ran before the statement.
/// Errors: unsupported if the CALL is not the whole statement, in a transaction, and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> give_receipt(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// Segments: property columns and adjacency lists that are packed in memory.

/// Rows: one per segment.
/// Errors: unsupported in a transaction and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> list_segments(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// Builds the adjacency lists and the columns of the named properties, and then returns the rows of
/// list_segments(). Argument: a property or a list of properties, optional.
/// Errors: unsupported as above; not_found for a property that no record has.
[[nodiscard]] Result<Procedure::Rows> warm_segments(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// db.grammar

/// Rows: the grammar of the language in the named format, or in every format.
[[nodiscard]] Result<Procedure::Rows> give_grammar(ExecutionContext& context,
                                                   std::span<const Value> arguments);

// db.csv.load, which LOAD CSV calls.

/// Rows: the records of a file, which are read on demand.
[[nodiscard]] Result<std::unique_ptr<RowSource>> load_csv(ExecutionContext& context,
                                                          std::span<const Value> arguments);

// Procedures of APOC that create records whose labels and types are values: apoc.merge.* and
// apoc.create.addLabels.

/// Arguments: labels, identifying properties, properties of a new node, properties of an existing
/// node. Rows: the existing nodes that match, or the new node.
/// Errors: invalid_argument if an identifying property is null.
[[nodiscard]] Result<Procedure::Rows> merge_node(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// Arguments: start, type, identifying properties, properties of a new relationship, end,
/// properties of an existing one.
[[nodiscard]] Result<Procedure::Rows> merge_relationship(ExecutionContext& context,
                                                         std::span<const Value> arguments);
/// Arguments: a node or a list of nodes, and labels. Rows: the nodes.
[[nodiscard]] Result<Procedure::Rows> add_labels(ExecutionContext& context,
                                                 std::span<const Value> arguments);

// db.recall(question, options): the recall() of the public headers, within a statement.

/// Rows: node, score, breakdown, passage and left_out, best first. The options have the names of the members
/// of RecallOptions and RecallFeatures.
[[nodiscard]] Result<Procedure::Rows> recall_nodes(ExecutionContext& context,
                                                   std::span<const Value> arguments);
/// Arguments: options. Rows: the parts that recall works with, and the properties that play them.
[[nodiscard]] Result<Procedure::Rows> describe_recall(ExecutionContext& context,
                                                      std::span<const Value> arguments);

// The typed memory procedures memory.*. Each takes one map with the members of the request in
// cairn/memory. Only add() takes a record or a list of records, and options. procedure_table.cpp
// lists the columns of their rows.

[[nodiscard]] Result<Procedure::Rows> call_memory(ExecutionContext& context,
                                                  std::span<const Value> arguments,
                                                  MemoryProcedure procedure);
template <MemoryProcedure procedure>
[[nodiscard]] Result<Procedure::Rows> call_memory(ExecutionContext& context,
                                                  std::span<const Value> arguments) {
  return call_memory(context, arguments, procedure);
}

// Tagging rules: db.rules.*. Rules apply to nodes with the label Memory.

/// Rows: name, pattern, tags, fields, kinds.
[[nodiscard]] Result<Procedure::Rows> list_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// Arguments: name, pattern, tags, and an optional map with `fields` and `kinds`.
[[nodiscard]] Result<Procedure::Rows> put_rule(ExecutionContext& context,
                                               std::span<const Value> arguments);
/// Argument: name.
/// Errors: not_found for an unknown rule.
[[nodiscard]] Result<Procedure::Rows> drop_rule(ExecutionContext& context,
                                                std::span<const Value> arguments);

/// preview_rules(), count_rules() and apply_rules() take an optional filter of records. Rows: each
/// node with the tags that it would get.
[[nodiscard]] Result<Procedure::Rows> preview_rules(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// Rows: rule, matched, newlyTagged, and for the whole run: records, recordsMatched,
/// recordsChanged, run.
[[nodiscard]] Result<Procedure::Rows> count_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> apply_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
/// Argument: the number of a run. One row: the number of records that lost tags of the run.
[[nodiscard]] Result<Procedure::Rows> undo_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);

// Procedures of Neo4j that describe a graph: db.schema.*.

/// Rows: one per label and property, with nodeType, nodeLabels, propertyName, propertyTypes and
/// mandatory.
[[nodiscard]] Result<Procedure::Rows> node_type_properties(ExecutionContext& context,
                                                           std::span<const Value> arguments);
/// Rows: one per type and property, with relType, propertyName, propertyTypes and mandatory.
[[nodiscard]] Result<Procedure::Rows> relationship_type_properties(
    ExecutionContext& context, std::span<const Value> arguments);
/// One row: a node for each label and a relationship for each connection. These entities are not in
/// the database.
[[nodiscard]] Result<Procedure::Rows> visualize_schema(ExecutionContext& context,
                                                       std::span<const Value> arguments);

// Procedures of Neo4j with which clients inspect the server.

/// Rows: one that a Neo4j 5.26 server would return, which clients look for, and one for this
/// library.
[[nodiscard]] Result<Procedure::Rows> list_components(ExecutionContext& context,
                                                      std::span<const Value> arguments);
/// Arguments: optionally "HOME", "DEFAULT", or "NAME" and the name of a database.
/// Rows: one per namespace, in the form in which Neo4j lists databases. The default namespace is
/// named "neo4j".
[[nodiscard]] Result<Procedure::Rows> list_databases(ExecutionContext& context,
                                                     std::span<const Value> arguments);
/// Arguments: optionally "CURRENT". Rows: the caller alone, whose roles a statement does not know.
[[nodiscard]] Result<Procedure::Rows> list_users(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// No rows, because there are neither settings nor aliases.
[[nodiscard]] Result<Procedure::Rows> list_settings(ExecutionContext& context,
                                                    std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> list_aliases(ExecutionContext& context,
                                                   std::span<const Value> arguments);
/// Rows: one per constraint, with the columns of Neo4j. `createStatement` is a statement that
/// creates the constraint.
[[nodiscard]] Result<Procedure::Rows> list_constraints(ExecutionContext& context,
                                                       std::span<const Value> arguments);
/// One row: true.
[[nodiscard]] Result<Procedure::Rows> ping(ExecutionContext& context,
                                           std::span<const Value> arguments);
/// Returns no rows and never waits, because an index is complete when its statement ends.
[[nodiscard]] Result<Procedure::Rows> await_indexes(ExecutionContext& context,
                                                    std::span<const Value> arguments);

// Procedures of Neo4j for full-text search: db.index.fulltext.queryNodes and queryRelationships.

/// Arguments: the index, the query text, and an optional map with `skip` and `limit`. Rows: entity
/// and score, best first.
/// Errors: not_found, type_error, invalid_argument.
[[nodiscard]] Result<Procedure::Rows> query_nodes_by_text(ExecutionContext& context,
                                                          std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> query_relationships_by_text(ExecutionContext& context,
                                                                  std::span<const Value> arguments);

// Procedures of Neo4j for vectors: db.index.vector.* and db.create.*. For a search with a filter,
// use SEARCH.

/// Arguments: the index, the number of hits, and a vector. Rows: entity and score, best first, of
/// visible entities only.
/// Errors: not_found, type_error, invalid_argument.
[[nodiscard]] Result<Procedure::Rows> query_nodes_by_vector(ExecutionContext& context,
                                                            std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> query_relationships_by_vector(
    ExecutionContext& context, std::span<const Value> arguments);

/// Arguments: name, label or type, property, dimension, and "cosine" or "euclidean".
/// Errors: as for CREATE VECTOR INDEX.
[[nodiscard]] Result<Procedure::Rows> create_node_vector_index(ExecutionContext& context,
                                                               std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> create_relationship_vector_index(
    ExecutionContext& context, std::span<const Value> arguments);

/// Arguments: an entity, a property, and numbers to store as a vector. set_vector() returns no
/// rows, and set_vector_of_node() returns the node.
[[nodiscard]] Result<Procedure::Rows> set_vector(ExecutionContext& context,
                                                 std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> set_vector_of_node(ExecutionContext& context,
                                                         std::span<const Value> arguments);

}  // namespace cairn::query
