// Neo4jGraph: its schema, queries, and the documents of a graph.
import { GraphDocument, Node, Relationship } from '@langchain/community/graphs/document';
import { Neo4jGraph } from '@langchain/community/graphs/neo4j_graph';
import { Document } from '@langchain/core/documents';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { account, closeBehind } from './session.mjs';

async function graphOf(t, config = {}) {
  t.mock.method(console, 'log', () => {});
  closeBehind(t);
  return Neo4jGraph.initialize({ ...account(), ...config });
}

function documentOf() {
  const ada = new Node({ id: 'Ada', type: 'Person', properties: { city: 'London', born: 1815 } });
  const engine = new Node({ id: 'Engine', type: 'Machine' });
  return new GraphDocument({
    nodes: [ada, engine],
    relationships: [new Relationship({ source: ada, target: engine, type: 'wrote about', properties: { year: 1843 } })],
    source: new Document({ pageContent: 'Ada wrote about the engine', metadata: { page: 7 } }),
  });
}

test('has the schema of an empty graph', async (t) => {
  const { nodeProps, relProps, relationships } = (await graphOf(t)).getStructuredSchema();
  assert.deepEqual([nodeProps, relProps, relationships], [{}, {}, []]);
});

test('refreshes its schema', async (t) => {
  const graph = await graphOf(t);
  await graph.query("CREATE (:Person {name: 'Ada', age: 36})-[:KNOWS {since: date('2020-01-02')}]->(:Dog {tags: ['a']})");
  await graph.refreshSchema();
  assert.equal(graph.getSchema(), [
    'Node properties are the following:',
    'Dog {tags: LIST}, Person {age: INTEGER, name: STRING}',
    'Relationship properties are the following:',
    'KNOWS {since: DATE  } ',
    'The relationships are the following:',
    '(: Person) - [: KNOWS] -> (:Dog)',
  ].join('\n'));
});

test('refreshes an enhanced schema, with examples and bounds', async (t) => {
  const graph = await graphOf(t, { enhancedSchema: true });
  await graph.query(`CREATE (:Person {name: 'Ada', age: 36})-[:KNOWS {since: date('2020-01-02'), how: 'well'}]->(:Dog {tags: ['a']}),
                     (:Person {name: 'Bob', age: 41})`);
  await graph.refreshSchema();
  assert.equal(graph.getSchema(), [
    'Node properties are the following:',
    '- **Dog**,   - `tags`: LIST Min Size: 1, Max Size: 1, - **Person**,   - `age`: INTEGER Min: 36, Max: 41, ' +
        '  - `name`: STRING Available options: Ada, Bob',
    'Relationship properties are the following:',
    '- **KNOWS**,   - `how`: STRING Available options: well,   - `since`: DATE Min: 2020-01-02, Max: 2020-01-02',
    'The relationships are the following:',
    '(: Person) - [: KNOWS] -> (:Dog)',
  ].join('\n'));
});

test('enhances the schema of a large graph by a sample', async (t) => {
  const graph = await graphOf(t, { enhancedSchema: true });
  await graph.query("UNWIND range(1, 10001) AS i CREATE (:Large {name: 'one ' + (i % 3), n: i})");
  await graph.refreshSchema();
  const [n, name] = graph.getStructuredSchema().nodeProps.Large;
  assert.deepEqual([n.property, n.type, name.property, name.type, name.values?.length > 0],
                   ['n', 'INTEGER', 'name', 'STRING', true]);
});

test('is told of a procedure that is not there', async (t) => {
  const graph = await graphOf(t);
  await assert.rejects(graph.query('CALL apoc.nothing.here()'), { code: 'Neo.ClientError.Procedure.ProcedureNotFound' });
});

test('answers queries with parameters', async (t) => {
  const graph = await graphOf(t, { timeoutMs: 10_000 });
  await graph.query('UNWIND $rows AS row CREATE (n:Row) SET n = row', { rows: [{ a: 'x' }, { a: 'y', b: [1.5, 2.5] }] });
  const rows = await graph.query('MATCH (n:Row) RETURN n, n.a AS a, n.b AS b ORDER BY a', {}, 'READ');
  assert.deepEqual(rows, [{ n: { a: 'x' }, a: 'x', b: null },
                          { n: { a: 'y', b: [1.5, 2.5] }, a: 'y', b: [1.5, 2.5] }]);
});

test('has the errors of queries', async (t) => {
  const graph = await graphOf(t);
  await assert.rejects(graph.query('MATCH (n RETURN n'), { code: 'Neo.ClientError.Statement.SyntaxError' });
});

for (const config of [{}, { includeSource: true }, { baseEntityLabel: true }, { baseEntityLabel: true, includeSource: true }]) {
  test(`adds graph documents, twice the same: ${JSON.stringify(config)}`, async (t) => {
    const graph = await graphOf(t);
    await graph.addGraphDocuments([documentOf()], config);
    await graph.addGraphDocuments([documentOf()], config);
    const base = config.baseEntityLabel ? ['__Entity__'] : [];
    const read = 'MATCH (a:Person)-[r]->(b) RETURN labels(a) AS from, properties(a) AS a, type(r) AS type, ' +
        'properties(r) AS r, labels(b) AS to, properties(b) AS b';
    const rows = await graph.query(read);
    for (const row of rows) [row.from.sort(), row.to.sort()];
    assert.deepEqual(rows, [{
      from: ['Person', ...base].sort(), a: { id: 'Ada', city: 'London', born: 1815 },
      type: 'WROTE_ABOUT', r: { year: 1843 },
      to: ['Machine', ...base].sort(), b: { id: 'Engine' },
    }]);
    const sources = await graph.query(
        'MATCH (d:Document) RETURN d.text AS text, d.page AS page, [(d)-[:MENTIONS]->(n) | n.id] AS ids');
    for (const row of sources) row.ids.sort();
    const source = { text: 'Ada wrote about the engine', page: 7, ids: ['Ada', 'Engine'] };
    assert.deepEqual(sources, config.includeSource ? [source] : []);
  });
}

test('knows the constraint of its base label', async (t) => {
  const graph = await graphOf(t);
  await graph.addGraphDocuments([documentOf()], { baseEntityLabel: true });
  const { constraint } = graph.getStructuredSchema().metadata;
  const found = constraint.find(({ labelsOrTypes }) => labelsOrTypes[0] === '__Entity__');
  assert.deepEqual([found?.type, found?.properties], ['UNIQUENESS', ['id']]);
  await assert.rejects(graph.query("CREATE (:__Entity__ {id: 'Ada'})"),
                       { code: 'Neo.ClientError.Schema.ConstraintValidationFailed' });
});
