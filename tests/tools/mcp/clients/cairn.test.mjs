// `cairn mcp --http` with all tools, for the official clients and the inspector's command line: they list and call every tool.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from 'sdk1/client/index.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from 'sdk1/client/streamableHttp.js';

const url = new URL(process.env.CAIRN_URL);
const headers = { Authorization: `Bearer ${process.env.CAIRN_TOKEN}` };
const who = { name: 'tester', version: '1' };

// Each tool once, and what its answer says. A client has memories of its own, by their external ids.
const calls = (own) => [
  ['store_memory', { content: `${own} drinks tea`, external_id: own, tags: ['drink'], sessionId: own }, /Stored 1 memory/],
  ['search_memory', { query: `what does ${own} drink` }, new RegExp(`${own} drinks tea`)],
  ['list_memories', { sessionId: own }, /1 of 1 memories/],
  ['update_memories', { external_id: own, metadata: { importance: 9 } }, /importance/],
  ['describe_memory', {}, /Records, kinds/],
  ['query', { statement: 'RETURN 1 + 1 AS two' }, /two/],
  ['relate', { from: own, to: own, type: 'SAME' }, /Related/],
  ['tag_rules', { action: 'list' }, /Rules/],
  ['faceted_search', { tags: ['drink'] }, /facet tags/],
  ['ingest', { path: '.' }, /files added/],
  ['search_documents', { text: 'how is a log repaired' }, /repaired/],
  ['grammar', { form: 'ebnf' }, /statement/],
  ['forget_memories', { external_ids: [own] }, /Hid 1 of 1/],
];
const names = ['store_memory', 'search_memory', 'list_memories', 'update_memories', 'forget_memories', 'search_documents',
  'describe_memory', 'query', 'relate', 'tag_rules', 'faceted_search', 'ingest', 'grammar'];

const transport = (Transport) => new Transport(url, { requestInit: { headers } });
const kinds = {
  'sdk 1': () => [new OldClient(who), transport(OldHttpTransport)],
  'client 2': () => [new Client(who), transport(StreamableHTTPClientTransport)],
  'client 2, auto': () => [new Client(who, { versionNegotiation: { mode: 'auto' } }), transport(StreamableHTTPClientTransport)],
};

for (const [kind, make] of Object.entries(kinds)) {
  test(`${kind} by HTTP`, async (t) => {
    const [client, way] = make();
    await client.connect(way);
    t.after(() => client.close());
    assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), names);
    const own = kind.replace(/\W/g, '');
    for (const [name, args, expected] of calls(own)) {
      const result = await client.callTool({ name, arguments: args });
      assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
      assert.match(result.content[0].text, expected);
      if (name !== 'relate') continue;
      const { contents } = await client.readResource({ uri: `cairn://neighbourhood/${own}` });
      assert.match(contents[0].text, /"SAME"/);
      const { completion } = await client.complete(
        { ref: { type: 'ref/prompt', name: 'consolidate' }, argument: { name: 'session', value: own.slice(0, 3) } });
      assert.ok(completion.values.includes(own));
      const prompt = await client.getPrompt({ name: 'consolidate', arguments: { session: own } });
      assert.match(prompt.messages[0].content.text, /drinks tea/);
    }
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
    assert.deepEqual((await client.listPrompts()).prompts.map((prompt) => prompt.name), ['recall', 'consolidate']);
  });
}

const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const inspect = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath,
    [inspector, '--cli', String(url), '--transport', 'http', '--header', `Authorization: ${headers.Authorization}`, ...args],
    { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
};

test('the command line of the inspector', async () => {
  const { tools } = await inspect('--method', 'tools/list', '--strict');
  assert.deepEqual(tools.map((tool) => tool.name), names);
  const call = async ([name, args, expected]) => {
    const pairs = Object.entries(args).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    const result = await inspect('--method', 'tools/call', '--tool-name', name, ...pairs.flatMap((pair) => ['--tool-arg', pair]));
    assert.match(result.content[0].text, expected, name);
  };
  const all = calls('inspector');
  // The first makes what others need, and the last hides it.
  await call(all[0]);
  await Promise.all(all.slice(1, -1).map(call));
  await call(all.at(-1));
});
