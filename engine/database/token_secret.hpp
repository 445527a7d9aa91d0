#pragma once
// Creates a token with a given secret, so that the call can be made again if its answer was lost.

#include <cairn/database.hpp>
#include <cairn/tokens.hpp>

#include <string>
#include <string_view>

namespace cairn::engine {

/// A new secret: "cairn_" and 43 characters for 256 random bits. Errors: io_error if there are no random bits.
[[nodiscard]] Result<std::string> draw_token_secret();
/// Creates a token with this secret, in a database of this process. Succeeds also if the token exists with this secret.
/// Errors: those of cairn::create_token(); invalid_argument for another form of secret.
[[nodiscard]] Status create_token(Database& database, const NewToken& token,
                                  std::string_view secret);

}  // namespace cairn::engine
