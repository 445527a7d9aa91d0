#pragma once
// The embedding model of a vector index. Vectors of two models must never be compared, and their
// dimensions do not distinguish two models, so the index stores the name of its model.
//
//     const auto embedder = make_hashing_embedder();
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_ASSIGN(const std::string warning, use_model(transaction, "texts", *embedder));
//     if (!warning.empty()) std::cerr << warning << "\n";
//     CAIRN_ASSIGN(const auto vectors, embedder->embed_documents(std::vector<std::string_view>{"a text"}));
//     CAIRN_TRY(transaction.create_node({{"Text"}, {{"vector", vectors[0]}}}));
//     CAIRN_TRY(transaction.commit());
//
// The memory calls do this automatically. If vectors come from elsewhere, name their model when the
// index is created: OPTIONS {indexConfig: {`vector.dimensions`: 768, `vector.model`: 'service-3'}}.
// Vectors that a statement writes do not name a model and are not checked.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// Declares that vectors of `embedder` will be written to the vector index `index`. Call it before
/// writing the first one.
///
/// An index without a model takes the model of `embedder`, when `transaction` commits. Returns a
/// warning to show if the index already has vectors of an unknown model; otherwise an empty text.
/// Errors: not_found; invalid_argument for an index of another kind or dimension, and for one with
/// another model (the message has both names and what to do). Otherwise those of
/// Transaction::create_node().
[[nodiscard]] CAIRN_EXPORT Result<std::string> use_model(Transaction& transaction,
                                                         std::string_view index,
                                                         const Embedder& embedder);

/// Returns the name of the model whose vectors the index holds; empty if it has not been declared.
/// Errors: not_found, and invalid_argument for an index of another kind.
[[nodiscard]] CAIRN_EXPORT Result<std::string> index_model(const Snapshot& snapshot,
                                                           std::string_view index);

/// Checks that vectors of `embedder` may be compared with those of `index`. An index without a
/// model accepts all. Errors: not_found and invalid_argument as above.
[[nodiscard]] CAIRN_EXPORT Status check_model(const Snapshot& snapshot, std::string_view index,
                                              const Embedder& embedder);

}  // namespace cairn
