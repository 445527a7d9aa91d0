// The official clients against the fixture, by pipes and by HTTP: they list and call every tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from 'sdk1/client/index.js';
import { StdioClientTransport as OldStdioTransport } from 'sdk1/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from 'sdk1/client/streamableHttp.js';

const program = process.env.MCP_FIXTURE;
const url = new URL(process.env.MCP_URL);
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const who = { name: 'tester', version: '1' };

// Of tools that need some.
const given = {
  count_words: { text: 'a b' },
  json_schema_2020_12_tool: { email: 'a@b' },
  test_elicitation: { message: 'Who are you?' },
  test_sampling: { prompt: 'Say hello' },
};

const filledIn = (name, schema) => {
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [];
  return schema.enum?.[0] ?? schema.oneOf?.[0].const ?? name;
};

// A client whose user answers every question.
const answering = (options = {}) => {
  const client = new Client(who, { capabilities, ...options });
  client.setRequestHandler('elicitation/create', async ({ params }) => ({
    action: 'accept',
    content: Object.fromEntries(
      Object.entries(params.requestedSchema.properties).map(([name, schema]) => [name, filledIn(name, schema)])),
  }));
  client.setRequestHandler('sampling/createMessage', async () => (
    { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'none' }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///tmp' }] }));
  return client;
};

const auto = { versionNegotiation: { mode: 'auto' } };
const kinds = {
  'client 2, handshake, stdio': [() => answering(), () => new StdioClientTransport({ command: program }), '2025-11-25'],
  'client 2, auto, stdio': [() => answering(auto), () => new StdioClientTransport({ command: program }), '2026-07-28'],
  'client 2, handshake, http': [() => answering(), () => new StreamableHTTPClientTransport(url), '2025-11-25'],
  'client 2, auto, http': [() => answering(auto), () => new StreamableHTTPClientTransport(url), '2026-07-28'],
  'sdk 1, stdio': [() => new OldClient(who), () => new OldStdioTransport({ command: program })],
  'sdk 1, http': [() => new OldClient(who), () => new OldHttpTransport(url)],
};

for (const [name, [make, transport, revision]] of Object.entries(kinds)) {
  const isOld = name.startsWith('sdk 1');
  // Its second parameter is a schema of the result.
  const call = (client, params, options) =>
    isOld ? client.callTool(params, undefined, options) : client.callTool(params, options);

  test(name, { timeout: 60_000 }, async t => {
    const client = make();
    await client.connect(transport());
    t.after(() => client.close());

    await t.test('agrees on a revision', () => {
      if (revision) assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal(client.getServerVersion().name, 'fixture');
      assert.equal(client.getInstructions(), 'Call any tool.');
    });

    await t.test('lists and calls every tool', async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.length >= 30);
      for (const tool of tools) {
        const params = { name: tool.name, arguments: given[tool.name] ?? {} };
        if (tool.name === 'test_wait') continue;
        // An old client here can answer no question.
        const asks = isOld && /^test_(input_required|streaming|missing)/.test(tool.name) && !/capabilities/.test(tool.name);
        if (asks || tool.name === 'test_protocol_error') await assert.rejects(call(client, params), /cannot be asked|not like this/);
        else assert.ok((await call(client, params)).content.length > 0, tool.name);
      }
    });

    await t.test('reads what a tool says of wrong arguments', async () => {
      const result = await call(client, { name: 'count_words', arguments: { txt: 'a' } });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /missing argument `text`; unknown argument `txt`/);
    });

    await t.test('gets structured content that fits its schema', async () => {
      const result = await call(client, { name: 'count_words', arguments: { text: 'four' } });
      assert.deepEqual(result.structuredContent, { count: 4 });
    });

    await t.test('gets progress and cancels', async () => {
      const seen = [];
      await call(client, { name: 'test_tool_with_progress', arguments: {} }, { onprogress: p => seen.push(p.progress) });
      assert.deepEqual(seen, [0, 50, 100]);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 100);
      await assert.rejects(call(client, { name: 'test_wait', arguments: {} }, { signal: abort.signal }));
      assert.ok((await call(client, { name: 'test_simple_text', arguments: {} })).content.length > 0);
    });

    await t.test('reads resources, prompts and completions', async () => {
      assert.equal((await client.listResources()).resources.length, 3);
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
      const { contents } = await client.readResource({ uri: 'test://template/7/data' });
      assert.equal(JSON.parse(contents[0].text).id, '7');
      await assert.rejects(client.readResource({ uri: 'test://none' }), /not found/);
      assert.equal((await client.listPrompts()).prompts.length, 5);
      const prompt = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } });
      assert.match(prompt.messages[0].content.text, /arg1='a', arg2='b'/);
      const { completion } = await client.complete(
        { ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'par' } });
      assert.deepEqual(completion.values, ['paris', 'park', 'party']);
    });
  });
}
