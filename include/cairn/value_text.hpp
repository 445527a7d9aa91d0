#pragma once
// Values as text for people.
//
//     std::cout << shortened_text(row[0], 2) << "\n";   // vector([0.1, 0.2, ...], 384, FLOAT32)
//
// A row that holds records with embeddings is otherwise mostly their components.

#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <string>

namespace cairn {

/// As Value::to_text(), but of each vector in it, properties of nodes included, no more than
/// `most_components`, and "..." for the others: "vector([0.5, 1.0, ...], 256, FLOAT32)". No literal
/// then.
///
/// Vectors of at most so many components are written in full; 0 writes none. Everything else is as in
/// Value::to_text(): texts and lists are not shortened.
/// Cost: the text's length. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::string shortened_text(const Value& value,
                                                      std::size_t most_components);

}  // namespace cairn
