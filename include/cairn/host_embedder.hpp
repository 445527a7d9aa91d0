#pragma once
// The embedder of an open database, for the texts of statements.
//
//     CAIRN_ASSIGN(std::shared_ptr<const Embedder> words, WordVectors::open("glove.cwv"));
//     CAIRN_TRY(set_embedder(database, words));
//     CAIRN_TRY(execute(database, "CALL memory.add({content: 'Ada prefers tea'})"));
//     CAIRN_ASSIGN(Rows rows, execute(database, "CALL memory.recall({query: 'what does Ada drink'})"));

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cairn {

/// Sets the embedder that the procedures memory.* and db.recall use for texts; nullptr removes it.
///
/// The embedder makes the vectors of memories and of questions without a vector, for statements of all clients, until
/// the database is closed. db.recall() uses the embedder if `vector_index` is set and `vector` is not. If the embedder
/// fails, memories are written with a pending vector, and questions are answered by words with a warning. Statements
/// run in the host of a database: an attached process stores the embedder and uses it once this process is the host. A
/// procedure called within a transaction runs the embedder while the transaction holds the writer lock. `spec` is the
/// text that names the embedder, without a key, for share_embedder() of other processes; if it is empty, the embedder
/// is not shared. Errors: invalid_argument if the index `memory_embedding` has vectors of another model (the message
/// has both names); unsupported for a database at an address; those of a snapshot. Cost: a look-up. Threads: any;
/// running statements continue to use the embedder with which they began.
[[nodiscard]] CAIRN_EXPORT Status set_embedder(Database& database,
                                               std::shared_ptr<const Embedder> embedder,
                                               std::string spec = {});

/// Makes an embedder when it is needed.
using MakeEmbedder = std::function<Result<std::shared_ptr<const Embedder>>()>;

/// Returns an embedder that sends texts to the host of an attached database, if the host has an
/// embedder of this `spec`, so that its model is in memory once per database and not once per
/// process. Otherwise returns what `make` returns.
///
/// When the host has ended, or has another embedder, the result calls `make` for an embedder of the
/// same model. Errors: those of `make`. Cost: a message to the host; then a message for each 64
/// texts. Threads: the result may be used from any thread; `make` is called by one at a time.
[[nodiscard]] CAIRN_EXPORT Result<std::shared_ptr<const Embedder>> share_embedder(
    const Database& database, const std::string& spec, MakeEmbedder make);

/// Stores the text that names the embedder of a model, so that other programs learn how its vectors
/// are made. Replaces the text that was stored for the model. set_embedder() stores its `spec`. The
/// text is not part of a commit, nor of an export. Do not store a key. Errors: invalid_argument for
/// a text of more than 4,096 bytes; unsupported if the database is not open in mode read_write;
/// those of the store.
[[nodiscard]] CAIRN_EXPORT Status note_embedder(Database& database, std::string_view model,
                                                std::string_view spec);

/// Returns the text that was stored for a model; empty if there is none.
///
/// Show the text to the user, and use it only with their consent: the author of the database chose
/// the program that it starts, or the service that receives the texts. Errors: those of the store.
[[nodiscard]] CAIRN_EXPORT Result<std::string> noted_embedder(const Database& database,
                                                              std::string_view model);

}  // namespace cairn
