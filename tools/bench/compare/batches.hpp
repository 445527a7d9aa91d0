#pragma once
// What searching for many vectors at once saves beside one by one.

#include "tools/bench/compare/regret.hpp"

namespace cairn::compare {

/// Prints a row for each share that is allowed: processor time a query, one by one and `count` at once,
/// by the default class and by comparing all.
void print_batches(const RegretInput& input, std::size_t count);

}  // namespace cairn::compare
