#pragma once
// Unicode form NFC, in which a letter with its mark is a single code point if Unicode has one.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::engine {
class Limits;
}

namespace cairn::query {

/// Returns the value with all texts in NFC, also in lists and maps. Map keys are not changed. Cost: a copy; ASCII
/// texts need no conversion. Errors: those of the limits; invalid_argument if ICU fails.
[[nodiscard]] Result<Value> nfc_of(engine::Limits* limits, const Value& value);

}  // namespace cairn::query
