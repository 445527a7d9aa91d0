// Procedures for the database as a whole: files, expiry, namespaces, tokens, metrics, and which process serves which.

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/database/repeated_call.hpp"
#include "engine/database/token_secret.hpp"
#include "query/attach/procedure_table.hpp"
#include "query/execute/call/memory_calls.hpp"

#include <cairn/backup.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/metrics.hpp>
#include <cairn/scrub.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/tokens.hpp>

#include <memory>

namespace cairn::query::attach {
namespace {

using engine::call_value;
using engine::number_value;

Result<Value> checkpoint(CallReader&, const CallPlace& place) {
  return nothing(place.database.checkpoint());
}

Result<Value> check(CallReader& arguments, const CallPlace& place) {
  return list_of_result(place.database.check(static_cast<std::size_t>(arguments.number("limit"))));
}

// The caller's cancellation arrives as an interruption of this call.
Result<Value> scrub(CallReader& arguments, const CallPlace& place) {
  ScrubOptions options;
  options.by = arguments.text("by");
  options.wait_for_readers = std::chrono::milliseconds(arguments.integer("wait_milliseconds"));
  CAIRN_TRY(arguments.check());
  return value_of_result(place.database.scrub(options, place.options.cancel));
}

Result<Value> statistics(CallReader&, const CallPlace& place) {
  return value_of_result(place.database.statistics());
}

Result<Value> erase_expired(CallReader& arguments, const CallPlace& place) {
  const auto limit = static_cast<std::size_t>(arguments.number("limit"));
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const std::size_t erased, place.database.erase_expired(limit));
  return number_value(erased);
}

// A guest (a process of another user) must not make the host write files.
Result<Value> backup(CallReader& arguments, const CallPlace& place) {
  const std::string directory = arguments.text("directory");
  CAIRN_TRY(arguments.check());
  if (!place.options.use_files)
    return Error{ErrorCode::unsupported,
                 "the process that has the database open (its host) belongs to another user and "
                 "writes no files for this "
                 "process; run the backup as that user",
                 {}};
  return value_of_result(place.database.backup(directory, place.options.cancel));
}

/// True if an earlier round of the call may have been made.
bool is_made_again(const CallReader& arguments) {
  const Value* const again = arguments.find(engine::again_entry);
  return again != nullptr && *again == Value(true);
}

// A namespace that is gone when the call is made again was dropped by the earlier round.
Result<Value> drop_name_space_of(CallReader& arguments, const CallPlace& place) {
  const auto erased = drop_name_space(place.database, arguments.text("name"));
  if (erased) return number_value(*erased);
  const bool is_dropped = erased.error().code == ErrorCode::not_found && is_made_again(arguments);
  return is_dropped ? Result<Value>(number_value(0)) : erased.error();
}

Result<Value> create_token_of(CallReader& arguments, const CallPlace& place) {
  CallReader token(arguments.map("token"));
  const NewToken made = engine::read_new_token(token);
  CAIRN_TRY(token.check());
  // A process of an older version sends no secret.
  const Value* const drawn = arguments.find("secret");
  if (drawn == nullptr) {
    CAIRN_ASSIGN(std::string secret, create_token(place.database, made));
    return Value(std::move(secret));
  }
  const std::string secret = arguments.text("secret");
  CAIRN_TRY(arguments.check());
  CAIRN_TRY(engine::create_token(place.database, made, secret));
  return Value(secret);
}

Result<Value> list_tokens_of(CallReader&, const CallPlace& place) {
  return list_of_result(list_tokens(place.database));
}

// A token that is gone when the call is made again was revoked by the earlier round.
Result<Value> revoke_token_of(CallReader& arguments, const CallPlace& place) {
  const std::string name = arguments.text("name");
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const bool was_there, revoke_token(place.database, name));
  return Value(was_there || is_made_again(arguments));
}

Result<Value> find_token_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const auto token, find_token(place.database, arguments.text("secret")));
  return token ? call_value(*token) : Value();
}

Result<Value> role(CallReader&, const CallPlace& place) {
  return value_of_result(place.database.role());
}

Result<Value> metrics(CallReader&, const CallPlace& place) {
  return call_value(place.database.metrics());
}

/// The memory calls of a database in this process, which have its embedder; nullptr for another database.
std::shared_ptr<const MemoryCalls> memory_calls_of(const Database& database) {
  const auto core = Access::core(database);
  return core == nullptr ? nullptr
                         : std::static_pointer_cast<const MemoryCalls>(core->calls().get());
}

/// The embedder of the host: its spec, model and dimension. Null if it has none that has a spec.
Result<Value> embedder(CallReader&, const CallPlace& place) {
  const auto calls = memory_calls_of(place.database);
  if (calls == nullptr || calls->embedder() == nullptr || calls->embedder_spec().empty())
    return Value();
  const auto found = calls->embedder();
  return Value(Map{{"spec", calls->embedder_spec()},
                   {"model", found->model()},
                   {"dimension", number_value(found->dimension())}});
}

/// Makes the vectors of texts with the embedder of the host, if it has the spec.
Result<Value> embed(CallReader& arguments, const CallPlace& place) {
  const std::string spec = arguments.text("spec");
  const std::vector<std::string> texts = arguments.texts("texts");
  const bool are_documents = arguments.boolean("are_documents");
  CAIRN_TRY(arguments.check());
  const auto calls = memory_calls_of(place.database);
  if (calls == nullptr || calls->embedder() == nullptr || calls->embedder_spec() != spec)
    return Error{
        ErrorCode::unsupported, "the host of the database does not have this embedder", {}};
  const auto found = calls->embedder();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  CAIRN_ASSIGN(const auto vectors,
               are_documents ? found->embed_documents(views) : found->embed(views));
  return Value(List(vectors.begin(), vectors.end()));
}

Result<Value> note_embedder_of(CallReader& arguments, const CallPlace& place) {
  const std::string model = arguments.text("model");
  const std::string spec = arguments.text("spec");
  CAIRN_TRY(arguments.check());
  return nothing(note_embedder(place.database, model, spec));
}

Result<Value> noted_embedder_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(std::string spec, noted_embedder(place.database, arguments.text("model")));
  return Value(std::move(spec));
}

constexpr NamedProcedure database_table[] = {
    {"backup", backup},
    {"check", check},
    {"checkpoint", checkpoint},
    {"create_token", create_token_of},
    {"drop_name_space", drop_name_space_of},
    {"embed", embed},
    {"embedder", embedder},
    {"erase_expired", erase_expired},
    {"find_token", find_token_of},
    {"list_tokens", list_tokens_of},
    {"metrics", metrics},
    {"note_embedder", note_embedder_of},
    {"noted_embedder", noted_embedder_of},
    {"revoke_token", revoke_token_of},
    {"role", role},
    {"scrub", scrub},
    {"statistics", statistics},
};

}  // namespace

std::span<const NamedProcedure> database_procedures() { return database_table; }

}  // namespace cairn::query::attach
