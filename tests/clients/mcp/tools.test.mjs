// The official client, in two major versions and both eras of the protocol, lists and calls every tool of `cairn mcp`.

import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Transport2 } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const info = { name: 'cairn-clients', version: '1.0.0' };
const clients = [
  ['sdk 1', () => new Client1(info), Transport1],
  ['client 2', () => new Client2(info), Transport2],
  ['client 2, auto', () => new Client2(info, { versionNegotiation: { mode: 'auto' } }), Transport2],
];
const names = ['store_memory', 'search_memory', 'list_memories', 'update_memories', 'forget_memories',
  'search_documents', 'describe_memory', 'query'];

// Each version validates answers by the output schema of the tool.
async function called(client, name, args, expected) {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content[0].text;
  assert.ok(!result.isError, text);
  assert.match(text, expected);
  assert.equal(result.structuredContent.success, true);
  return result.structuredContent;
}

for (const [title, make, Transport] of clients) {
  test(title, async (t) => {
    const client = make();
    const args = ['mcp', `${process.env.CAIRN_DATABASES}/${title.replace(/\W/g, '')}`];
    await client.connect(new Transport({ command: process.env.CAIRN_PROGRAM, args }));
    t.after(() => client.close());

    await t.test('lists eight tools', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), names);
    });
    await t.test('calls each of them', async () => {
      await called(client, 'store_memory',
        { content: 'Ada drinks tea', metadata: { user: 'ada' }, external_id: 'tea', tags: ['drink'] }, /Stored 1 memory/);
      await called(client, 'search_memory', { query: 'what does Ada drink' }, /Ada drinks tea/);
      await called(client, 'list_memories', { nodeTypes: ['note'] }, /1 of 1 memories/);
      await called(client, 'update_memories', { external_id: 'tea', metadata: { importance: 9 } }, /importance: 9/);
      await called(client, 'describe_memory', { format: 'toon' }, /key\|importance\|1/);
      const rows = await called(client, 'query',
        { statement: 'MATCH (m:Memory) RETURN m.importance AS i', format: 'json' }, /"i":9/);
      assert.deepEqual(rows.results, [{ i: 9 }]);
      await called(client, 'forget_memories', { external_ids: ['tea'] }, /Hid 1 of 1/);
      await called(client, 'forget_memories', { external_ids: ['tea'], action: 'restore' }, /Restored 1/);
      await called(client, 'search_documents', { text: 'log' }, /Found 0 chunks[^]*cairn ingest/);
    });
    await t.test('is told of mistakes by the tool', async () => {
      const wrong = await client.callTool({ name: 'search_memory', arguments: { query: 5 } });
      assert.ok(wrong.isError);
      const refused = await client.callTool({ name: 'query', arguments: { statement: 'CREATE (:A)' } });
      assert.match(refused.content[0].text, /only reads/);
    });
  });
}
