#pragma once
// The embedder of a database that a command opens: `--embedder SPEC`.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/result.hpp>

#include <iosfwd>
#include <memory>
#include <string>

namespace cairn::tools {

/// The explanation of the option --embedder of commands that answer statements.
inline constexpr const char* embedder_help =
    "Makes the vectors of memories and questions: hash, words:FILE, static:DIRECTORY, "
    "command:PROGRAM "
    "or \"http:URL model=NAME\"";

/// The text of an embedder as a database may store it: with absolute paths. Empty for an address with
/// a query, which may hold a key.
[[nodiscard]] std::string storable_spec(const std::string& spec);

/// Makes an embedder, or uses that of the host if it has the same text: then its model is not loaded
/// again. Errors: those of make_embedder().
[[nodiscard]] Result<std::shared_ptr<const Embedder>> make_shared_embedder(const Database& database,
                                                                           const std::string& spec);

/// The same for statements, which do not wait long: if the service is away, calls fail at once for a
/// few seconds. If it or a program does not answer now, but the database has vectors of a known
/// model, returns an embedder that tries again later, and warns on `remarks`. Errors: those of
/// make_embedder().
[[nodiscard]] Result<std::shared_ptr<const Embedder>> make_database_embedder(
    const Database& database, const std::string& spec, std::ostream& remarks);

/// Gives the embedder to the statements on the database. Does nothing for an empty `spec`. If this
/// process is attached to a host, which answers the statements, `remarks` says so. Errors: also
/// invalid_argument if the memories have vectors of another model, with both names.
[[nodiscard]] Status use_embedder(Database& database, const std::string& spec,
                                  std::ostream& remarks);

}  // namespace cairn::tools
