#pragma once
// Values as shortened text for people.
//
//     std::cout << shortened_text(row[0], 2) << "\n";   // vector([0.1, 0.2, ...], 384, FLOAT32)
//
// Otherwise a row of records with embeddings consists mostly of vector components.

#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <string>

namespace cairn {

/// Like Value::to_text(), but writes at most `most_components` components of each vector, and "..."
/// for the others: "vector([0.5, 1.0, ...], 256, FLOAT32)". The result is not a literal then.
///
/// This includes vectors in properties of nodes. Shorter vectors are written completely; 0 writes
/// no components. Texts and lists are not shortened. Cost: linear in the text. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::string shortened_text(const Value& value,
                                                      std::size_t most_components);

}  // namespace cairn
