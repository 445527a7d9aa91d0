#pragma once
// From a request to the handler of the server program that answers it.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <functional>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// What a run of a handler came to: a result of the revision, or what Answer has beside it.
using Outcome = std::variant<json::object, InputRequired, ProtocolError>;
/// A handler with its arguments. It may run several times, and throws nothing.
using Runner = std::function<Outcome(Context& context)>;

/// Whether handlers of the program answer this method.
[[nodiscard]] bool has_handler(std::string_view method) noexcept;

/// The handler and its arguments. Errors: parameters of other shapes, names that there are not. What is wrong with the arguments
/// of a tool is a result of its run, for the model to read.
[[nodiscard]] std::variant<Runner, ProtocolError> find_handler(const ServerDefinition& server,
                                                               const Request& request,
                                                               Revision revision);

}  // namespace cairn::tools::mcp
