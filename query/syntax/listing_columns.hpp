#pragma once
// The columns of the procedures that list objects, such as db.indexes. The grammar names them for SHOW, which calls such a
// procedure; the table of procedures names them for CALL.

#include <array>
#include <string_view>

namespace cairn::query {

// Where the columns that SHOW returns without YIELD come first, Neo4j has the same order.
inline constexpr auto index_columns = std::to_array<std::string_view>({"id",
                                                                       "name",
                                                                       "state",
                                                                       "populationPercent",
                                                                       "type",
                                                                       "entityType",
                                                                       "labelsOrTypes",
                                                                       "properties",
                                                                       "indexProvider",
                                                                       "owningConstraint",
                                                                       "lastRead",
                                                                       "readCount",
                                                                       "trackedSince",
                                                                       "options",
                                                                       "failureMessage",
                                                                       "createStatement",
                                                                       "entries",
                                                                       "memoryBytes",
                                                                       "bytesPerEntry",
                                                                       "memory",
                                                                       "mappedBytes",
                                                                       "pending"});
inline constexpr auto constraint_columns = std::to_array<std::string_view>(
    {"id", "name", "type", "entityType", "labelsOrTypes", "properties", "ownedIndex",
     "propertyType", "options", "createStatement"});
inline constexpr auto procedure_columns = std::to_array<std::string_view>(
    {"name", "description", "mode", "worksOnSystem", "signature", "argumentDescription",
     "returnDescription", "admin", "rolesExecution", "rolesBoostedExecution", "isDeprecated",
     "deprecatedBy", "option", "columns"});
inline constexpr auto function_columns = std::to_array<std::string_view>(
    {"name", "category", "description", "signature", "isBuiltIn", "argumentDescription",
     "returnDescription", "aggregating", "rolesExecution", "rolesBoostedExecution", "isDeprecated",
     "deprecatedBy", "isAggregating"});
inline constexpr auto backup_columns =
    std::to_array<std::string_view>({"path", "commit", "madeAt"});
inline constexpr auto name_space_columns =
    std::to_array<std::string_view>({"name", "nodes", "relationships"});
inline constexpr auto database_columns =
    std::to_array<std::string_view>({"name", "type", "aliases", "access", "databaseID", "address",
                                     "role", "writer", "requestedStatus", "currentStatus",
                                     "statusMessage", "default", "home", "store", "constituents"});
inline constexpr auto transaction_columns =
    std::to_array<std::string_view>({"database", "transactionId", "currentQuery", "username",
                                     "startTime", "status", "elapsedTime"});
inline constexpr auto user_columns = std::to_array<std::string_view>(
    {"user", "roles", "passwordChangeRequired", "suspended", "home"});
inline constexpr auto setting_columns =
    std::to_array<std::string_view>({"name", "value", "isDynamic", "defaultValue", "description"});
inline constexpr auto alias_columns =
    std::to_array<std::string_view>({"name", "composite", "database", "location", "url", "user"});

}  // namespace cairn::query
