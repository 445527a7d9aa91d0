#pragma once
// HomeAddress: the text that names a home, `STORE[?node=NODE][#TENANT]`. A store has a home for each tenant.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::engine {

/// The parts of an address.
struct HomeAddress {
  std::string store;  ///< `dir:PATH` or `s3://BUCKET/PREFIX`
  /// The address at which the process that opens the home answers requests; empty if it answers none.
  std::string node{};
  std::string tenant{};

  /// Splits an address. A path of a store has neither `?node=` nor `#`. A tenant may be any text.
  [[nodiscard]] static HomeAddress parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  /// The address without the node, for people.
  [[nodiscard]] std::string name() const { return HomeAddress{store, {}, tenant}.text(); }
};

/// The tenant of a namespace: its text before the first `/`, or the whole text if it has no `/`.
[[nodiscard]] std::string tenant_of(std::string_view name_space);

}  // namespace cairn::engine
