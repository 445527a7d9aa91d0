#pragma once
// Which model's vectors a vector index takes. Vectors of two models must never be compared, and two models
// of one dimension cannot be distinguished by their vectors: the index keeps the name.
//
//     const auto embedder = make_hashing_embedder();
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_ASSIGN(const std::string warning, use_model(transaction, "texts", *embedder));
//     if (!warning.empty()) std::cerr << warning << "\n";
//     CAIRN_ASSIGN(const auto vectors, embedder->embed_documents(std::vector<std::string_view>{"a text"}));
//     CAIRN_TRY(transaction.create_node({{"Text"}, {{"vector", vectors[0]}}}));
//     CAIRN_TRY(transaction.commit());
//
// The memory calls do so by themselves. Who brings vectors without an Embedder names their model when the
// index is made: OPTIONS {indexConfig: {`vector.dimensions`: 768, `vector.model`: 'service-3'}}. Vectors that
// a statement writes say of no model and are not compared with it.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// Say that vectors of `embedder` come into the vector index `index` from now on.
///
/// An index without a model takes this one, with the commit of `transaction`. Gives a warning to be shown where
/// it had vectors before, of which nobody said what made them; else an empty text. Before the first
/// vector is written, as what comes before is taken for such.
/// Errors: not_found; invalid_argument for an index of another kind or dimension, and for one of another model:
/// the message has both names and the way out. As of Transaction::create_node() otherwise.
[[nodiscard]] CAIRN_EXPORT Result<std::string> use_model(Transaction& transaction,
                                                         std::string_view index,
                                                         const Embedder& embedder);

/// The name of the model whose vectors the vector index takes; empty where nobody has said.
/// Errors: not_found, and invalid_argument for an index of another kind.
[[nodiscard]] CAIRN_EXPORT Result<std::string> index_model(const Snapshot& snapshot,
                                                           std::string_view index);

/// Whether vectors of `embedder` may be compared with those of `index`; one without a model takes all.
/// Errors: not_found and invalid_argument as above.
[[nodiscard]] CAIRN_EXPORT Status check_model(const Snapshot& snapshot, std::string_view index,
                                              const Embedder& embedder);

}  // namespace cairn
