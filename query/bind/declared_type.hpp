#pragma once
// What the types of signatures are to the binder.

#include "query/bind/static_type.hpp"
#include "query/syntax/signature.hpp"

namespace cairn::query {

/// `any` for a type that the binder does not know.
[[nodiscard]] StaticType static_type(const DeclaredType& declared);

/// False where no value of `type` fits the declared one.
[[nodiscard]] bool may_fit(const DeclaredType& declared, StaticType type);

}  // namespace cairn::query
