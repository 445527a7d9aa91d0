#pragma once
// What work costs, in microseconds, measured on a warm store. Only the ratios matter, and only
// roughly: they decide whether to scan an index or to read the records that are left.

namespace cairn::query::cost {

inline constexpr double record_read = 4.0;      ///< one property of one record
inline constexpr double index_key = 0.6;        ///< one key of an index range, with its ids
inline constexpr double index_predicate = 3.0;  ///< starting on a posting or a range
inline constexpr double set_chunk = 0.3;        ///< one chunk of 65,536 ids in a set operation
inline constexpr double order_place = 0.003;    ///< whether one id of a kept order is in a set
inline constexpr double value_count = 1.0;      ///< one value's ids counted within a set
inline constexpr double expand_node = 4.0;      ///< opening the adjacency of one node
inline constexpr double expand_step = 0.5;      ///< one relationship of it

}  // namespace cairn::query::cost
