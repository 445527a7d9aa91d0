#pragma once
// Texts in Unicode form NFC, in which a letter with its mark is one code point however it was typed.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::engine {
class Limits;
}

namespace cairn::query {

/// The value with every text of it in form NFC, in lists and maps too; keys stay as they are.
/// Cost: a copy; ASCII is copied as it is. Errors: those of the limits.
[[nodiscard]] Result<Value> nfc_of(engine::Limits* limits, const Value& value);

}  // namespace cairn::query
