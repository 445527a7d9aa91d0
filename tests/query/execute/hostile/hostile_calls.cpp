// Hostile calls: procedures over many memories, whole schemas and megabytes of text of each kind of script.
#include "tests/query/execute/hostile/hostile_graph.hpp"
#include "tests/support/run_query.hpp"

#include <string>

namespace cairn::test {
namespace {

using Statements = std::vector<HostileStatement>;

const std::string endless = "UNWIND range(1, 100000) AS x ";

Statements memory_calls() {
  return {
      {"memory",
       "CALL memory.recall({query: 'words of a memory', limit: 10000}) YIELD record RETURN "
       "collect(record)",
       true},
      {"memory", endless + "CALL memory.recall({query: 'words of a memory ' + x, limit: 1000}) "
                           "YIELD record RETURN count(record)"},
      {"memory", endless + "CALL memory.recall({query: 'words ' + x, context: 50, max_tokens: "
                           "1000000}) YIELD passage RETURN count(passage)"},
      {"memory", endless + "CALL memory.describe() YIELD name RETURN count(name)"},
      {"memory", endless + "CALL memory.describe({field: 'content', limit: 10000}) YIELD name "
                           "RETURN count(name)"},
      {"memory", endless + "CALL memory.list({of: 'tasks', limit: 1000}) YIELD records RETURN "
                           "count(records)"},
      {"memory", endless + "CALL memory.list({of: 'messages', limit: 1000}) YIELD records RETURN "
                           "count(records)"},
      {"memory", endless + "CALL memory.search({limit: 1000}) YIELD records RETURN count(records)"},
      {"memory",
       endless + "CALL memory.search({limit: 1000}) YIELD records RETURN collect(records)", true},
  };
}

Statements schema_calls() {
  return {
      {"schema", endless + "CALL db.schema.nodeTypeProperties() YIELD nodeType RETURN "
                           "count(nodeType)"},
      {"schema",
       endless + "CALL db.schema.relTypeProperties() YIELD relType RETURN count(relType)"},
      {"schema", endless + "CALL db.schema.visualization() YIELD nodes RETURN collect(nodes)"},
      {"schema", endless + "CALL apoc.meta.data() YIELD label RETURN count(label)"},
      {"schema", endless + "CALL apoc.meta.schema() YIELD value RETURN collect(value)"},
      {"schema", endless + "CALL apoc.meta.graph() YIELD nodes RETURN count(nodes)"},
      {"schema", endless + "CALL apoc.schema.nodes({}) YIELD name RETURN count(name)"},
      {"schema",
       endless + "CALL apoc.schema.properties.distinct('Memory', 'content') YIELD value "
                 "RETURN collect(value)",
       true},
      {"schema", "CALL db.recall.describe() YIELD part RETURN count(part)"},
  };
}

Statements apoc_calls() {
  const std::string memories = "MATCH (m:Memory) WITH collect(m) AS every " + endless;
  const std::string map =
      "WITH reduce(m = {}, i IN range(1, 14) | {a: m, b: m, c: i}) AS m " + endless;
  return {
      {"apoc", endless + "CALL apoc.merge.node(['Made'], {i: x}, {text: 'made'}) YIELD node RETURN "
                         "count(node)"},
      {"apoc", memories + "CALL apoc.create.addLabels(every, ['L' + x % 7]) YIELD node RETURN "
                          "count(node)"},
      {"apoc", memories +
                   "CALL apoc.merge.relationship(every[x % 1400], 'MADE', {i: x}, {}, every[0]) "
                   "YIELD rel RETURN count(rel)"},
      {"apoc", memories + "UNWIND every AS m RETURN count(apoc.any.property(m, 'content'))"},
      {"apoc", map + "RETURN count(apoc.map.clean(m, ['c'], [1, 2, 3]))"},
      {"apoc",
       "RETURN apoc.map.clean({a: range(1, 900000)}, [k IN range(1, 300000) | 'k' + k], "
       "range(1, 300000))",
       true},
  };
}

/// Questions and texts of one to four megabytes, without a blank and with many words.
Statements texts_of_scripts() {
  struct Script {
    std::string text;
    int doublings;
  };
  Statements statements;
  for (const Script& script :
       {Script{"\u4e2d\u6587\u6709\u8bb8\u591a\u8bcd\u3002", 17},              // Chinese
        Script{"\u4e2d\u6587\u6709\u8bb8\u591a\u8bcd", 17},                    // in one run
        Script{"\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", 17},              // Thai
        Script{"\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8", 17},        // Japanese
        Script{"\u1797\u17b6\u179f\u17b6\u1781\u17d2\u1798\u17c2\u179a", 16},  // Khmer
        Script{"some words? ", 18}, Script{"aBcD", 19}, Script{"x", 21},
        Script{"2015-01-03 2016-02-05 2017-03-07 ", 16}}) {
    const std::string with = "WITH reduce(q = '" + script.text + "', i IN range(1, " +
                             std::to_string(script.doublings) + ") | q + q) AS q ";
    const std::string recall =
        with + "CALL memory.recall({query: q, limit: 10}) YIELD record RETURN count(record)";
    statements.push_back({"script", recall, true});
    statements.push_back(
        {"script", with + "CALL db.recall(q) YIELD node RETURN count(node)", true});
    statements.push_back(
        {"script",
         with + "CALL db.index.fulltext.queryNodes('texts', q) YIELD node RETURN count(node)",
         true});
    statements.push_back({"script", with + "RETURN text.features(q)", true});
    statements.push_back({"script", with + "RETURN embed(q)", true});
    statements.push_back({"script", with + "RETURN text.snippet(q, q)", true});
  }
  return statements;
}

}  // namespace

void build_hostile_memories(Database& database) {
  run_all(database,
          {"WITH reduce(s = 'words of a memory ', x IN range(1, 9) | s + s) AS text UNWIND "
           "range(1, 1400) AS i CREATE (:Memory:Kind_fact {kind: 'fact', content: text + i, "
           "session: 's' + i % 7, time: toString(date('2015-01-01') + duration({days: i}))})",
           "CREATE FULLTEXT INDEX texts FOR (n:Memory) ON EACH [n.content]"});
}

Statements hostile_calls() {
  Statements all;
  for (Statements some : {memory_calls(), schema_calls(), apoc_calls(), texts_of_scripts()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace cairn::test
