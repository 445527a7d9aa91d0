#pragma once
// Makes the embedder that `--embedder SPEC` names for the database that a command opens.

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

/// Returns the spec of an embedder as a database may store it: with absolute paths. Empty for an
/// address with a query, which may contain a key.
[[nodiscard]] std::string storable_spec(const std::string& spec);

/// Makes an embedder. If the host of the database has an embedder of the same spec, returns that
/// one, so that its model is not loaded twice. Errors: those of make_embedder().
[[nodiscard]] Result<std::shared_ptr<const Embedder>> make_shared_embedder(const Database& database,
                                                                           const std::string& spec);

/// Makes an embedder for statements, which must not wait long: after a call in which the
/// service did not answer, calls fail at once for five seconds. If the embedder cannot be made now, but the index of
/// memories names its model, returns an embedder that tries again later, and writes a warning to
/// `remarks`. Errors: those of make_embedder().
[[nodiscard]] Result<std::shared_ptr<const Embedder>> make_database_embedder(
    const Database& database, const std::string& spec, std::ostream& remarks);

/// Sets the embedder of the statements on the database. Does nothing for an empty `spec`. If this
/// process is attached, writes to `remarks` that the host answers statements with its own embedder.
/// Errors: those of make_database_embedder(); invalid_argument, with the names of both models, if
/// the memories have vectors of another model.
[[nodiscard]] Status use_embedder(Database& database, const std::string& spec,
                                  std::ostream& remarks);

}  // namespace cairn::tools
