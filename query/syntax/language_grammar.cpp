// The grammar in the forms that people and programs ask for.
#include "query/syntax/gbnf.hpp"

#include <cairn/language_grammar.hpp>

namespace cairn {

Result<std::string> language_grammar(std::string_view format) {
  if (format == "ebnf") return std::string(query::ebnf::cypher_ebnf());
  if (format == "gbnf") {
    CAIRN_ASSIGN(const query::ebnf::Grammar grammar,
                 query::ebnf::read_ebnf(query::ebnf::cypher_ebnf()));
    return query::ebnf::print_gbnf(grammar);
  }
  return Error{ErrorCode::invalid_argument,
               "there is no grammar in the format \"" + std::string(format) +
                   "\"; there is one in \"ebnf\" and one in \"gbnf\"",
               std::nullopt};
}

}  // namespace cairn
