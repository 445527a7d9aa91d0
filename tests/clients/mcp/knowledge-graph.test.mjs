// The knowledge-graph server and `cairn mcp --compat server-memory`: the same calls have the same answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cairn, choices, connect } from './calls.mjs';

const program = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js';
const file = `${process.env.CAIRN_DATABASES}/memory.jsonl`;
const uri = 'memory://knowledge-graph';
const seed = Number(process.env.CAIRN_SEED ?? 21);
const reference = (t) => connect(t, process.execPath, [program], { MEMORY_FILE_PATH: file });

const names = ['Ada', 'Bob', 'ada', 'Ünal', 'a b', '', 'Ärger\n', '"quoted"', '日本', 'x\u0001\\', 'constructor', 'Zoë 🦉'];
const types = ['person', 'Person', 'город', '', 'has `ticks`', 'R'.repeat(1200), 'RELATED'];
const words = ['drinks tea', 'DRINKS TEA', 'lives in Köln', '', 'ß', 'tab\there', 'line\nbreak', '{"a": 1}', '茶'];

// A call of one of the nine tools, now and then with names that there are not, the same twice, or a member too many.
function randomCall({ one, some, random }) {
  const entity = () => ({ name: one(names), entityType: one(types), observations: some(() => one(words), 3) });
  const relation = () => ({ from: one(names), to: one(names), relationType: one(types) });
  const more = (object) => (random() < 0.05 ? { ...object, note: 'of another version' } : object);
  const calls = [
    () => ['create_entities', { entities: some(() => more(entity()), 3) }],
    () => ['create_entities', { entities: some(entity, 3) }],
    () => ['create_relations', { relations: some(relation, 4) }],
    () => ['create_relations', { relations: some(() => more(relation()), 4) }],
    () => ['add_observations', { observations: some(() => ({ entityName: one(names), contents: some(() => one(words), 3) }), 2) }],
    () => ['delete_observations', { deletions: some(() => ({ entityName: one(names), observations: some(() => one(words), 2) }), 2) }],
    () => ['delete_entities', { entityNames: some(() => one(names), 1) }],
    () => ['delete_relations', { relations: some(relation, 4) }],
    () => ['read_graph', {}],
    () => ['search_nodes', { query: one([...names, ...words, 'A', 'ö', 'person']) }],
    () => ['open_nodes', { names: some(() => one(names), 3) }],
  ];
  const [name, args] = one(calls)();
  return [name, more(args)];
}

async function answer(client, [name, args]) {
  const result = await client.callTool({ name, arguments: args });
  return { text: result.content[0].text, structured: result.structuredContent, failed: result.isError ?? false };
}

async function compare(theirs, ours, count, random) {
  const seen = {};
  for (let i = 0; i < count; ++i) {
    const call = randomCall(random);
    const expected = await answer(theirs, call);
    assert.deepEqual(await answer(ours, call), expected, `call ${i} of seed ${seed}: ${JSON.stringify(call)}`);
    seen[expected.failed ? 'failed' : call[0]] = (seen[expected.failed ? 'failed' : call[0]] ?? 0) + 1;
  }
  return seen;
}

test('the same tools are listed', async (t) => {
  const [theirs, ours] = [await reference(t), await cairn(t, 'listed', '--compat', 'server-memory')];
  const shape = ({ tools }) => tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
    name, needs: inputSchema.required ?? [], gives: outputSchema.required, annotations }));
  assert.deepEqual(shape(await ours.listTools()), shape(await theirs.listTools()));
  const resources = async (client) => (await client.listResources()).resources.map((one) => [one.uri, one.name, one.mimeType]);
  assert.deepEqual(await resources(ours), await resources(theirs));
});

test('500 calls have the same answers, by 250 in the imported file too', async (t) => {
  const random = choices(seed);
  const [theirs, first] = [await reference(t), await cairn(t, 'first', '--compat', 'server-memory')];
  const seen = await compare(theirs, first, 250, random);
  // The file as it is by now goes to a server in place of theirs.
  const second = await cairn(t, 'second', '--compat', 'server-memory', '--import', file);
  for (const [name, count] of Object.entries(await compare(theirs, second, 250, random)))
    seen[name] = (seen[name] ?? 0) + count;
  assert.ok(Object.keys(seen).length === 10 && Object.values(seen).every((count) => count > 0), JSON.stringify(seen));
  const read = async (client) => (await client.readResource({ uri })).contents;
  assert.deepEqual(await read(second), await read(theirs));
});

test('a file is imported once', async (t) => {
  const args = ['second', '--compat', 'server-memory', '--import', file];
  const before = await answer(await cairn(t, ...args), ['read_graph', {}]);
  assert.deepEqual(await answer(await cairn(t, ...args), ['read_graph', {}]), before);
});

test('the graph is memories for other tools', async (t) => {
  const graph = await cairn(t, 'shared', '--compat', 'server-memory');
  await graph.callTool({ name: 'create_entities', arguments: { entities: [
    { name: 'Ada', entityType: 'person', observations: ['drinks green tea'] },
    { name: 'Bob', entityType: 'person', observations: [] }] } });
  await graph.callTool({ name: 'create_relations', arguments: { relations: [
    { from: 'Ada', to: 'Bob', relationType: 'knows' }] } });
  const memory = await cairn(t, 'shared');
  const found = await memory.callTool({ name: 'search_memory', arguments: { query: 'who drinks tea' } });
  assert.match(found.content[0].text, /Ada \(person\)/);
  const rows = await memory.callTool({ name: 'query', arguments: { format: 'json',
    statement: 'MATCH (a:Entity)-[r:knows]->(b) RETURN a.name AS a, b.name AS b, a.observations AS o' } });
  assert.deepEqual(rows.structuredContent.results, [{ a: 'Ada', b: 'Bob', o: ['drinks green tea'] }]);
});

test('who watches the graph is told', async (t) => {
  const client = await cairn(t, 'watched', '--compat', 'server-memory');
  const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const told = new Promise((resolve) => client.setNotificationHandler(
    ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)));
  await client.subscribeResource({ uri });
  await client.callTool({ name: 'create_entities', arguments: { entities: [] } });
  assert.equal(await told, uri);
});
