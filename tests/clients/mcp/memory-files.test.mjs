// The memory tool of @anthropic-ai/sdk on its file system, and `cairn mcp --compat memory-tool`: the same commands have the
// same answers, errors included.

import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cairn, choices } from './calls.mjs';

const seed = Number(process.env.CAIRN_SEED ?? 21);
const parts = ['a', 'b', 'notes.txt', '.hidden', 'node_modules', 'ü', 'x y'];
const lines = ['one', 'two two', '\tthree', '', 'ünï', 'one', '日本', '`tick`', '$& $1'];

// Now and then a path that must be refused, or is written in another way.
function randomCommand({ below, one, some, random }, made) {
  const path = (known = 0.6) => {
    if (made.length > 0 && random() < known) return one(made.slice(-12));
    const depth = 1 + below(3);
    const fresh = `/memories/${Array.from({ length: depth }, () => one(parts)).join('/')}`;
    const odd = random();
    if (odd < 0.02) return '/memories';
    if (odd < 0.03) return `/memories/../${one(parts)}`;
    if (odd < 0.04) return `/etc/${one(parts)}`;
    if (odd < 0.05) return `/memories/b/../${one(parts)}`;
    return fresh;
  };
  const text = () => some(() => one(lines), 6).join('\n');
  const commands = [
    () => ({ command: 'view', path: '/memories' }),
    () => ({ command: 'view', path: path() }),
    () => ({ command: 'view', path: path(), view_range: [below(5), below(7) - 3] }),
    () => ({ command: 'create', path: path(0.1), file_text: text() }),
    () => ({ command: 'create', path: path(0.1), file_text: text() }),
    () => ({ command: 'str_replace', path: path(), old_str: one([...lines, 'two\n']), new_str: one([...lines, 'a\nb']) }),
    () => ({ command: 'str_replace', path: path(), old_str: one(lines), new_str: one(lines) }),
    () => ({ command: 'insert', path: path(), insert_line: below(8) - 1, insert_text: text() + one(['', '\n']) }),
    () => ({ command: 'delete', path: path() }),
    () => ({ command: 'rename', old_path: path(), new_path: path(0.2) }),
  ];
  return one(commands)();
}

// Sizes of directories are those of a file system, and so are the words for what it cannot do: those are only errors.
const comparable = (text) => text.split('\n').map((line) => (
  /^[\d.]+[BKMG]\t/.test(line) && (line.endsWith('/') || line === text.split('\n')[1]) ? line.replace(/^[^\t]*/, '?') : line)).join('\n');
const systemError = /^(ENOTDIR|EISDIR|EINVAL|ENOTEMPTY)/;
const ownError = /is not a directory$|into itself$|does not exist|already exists|not a file/;

async function reference(tool, command) {
  try {
    return { text: comparable(await tool[command.command](command)), failed: false };
  } catch (error) {
    return { text: systemError.test(error.message) ? 'system' : error.message, failed: true };
  }
}

async function answer(client, command) {
  const result = await client.callTool({ name: 'memory', arguments: command });
  return { text: comparable(result.content[0].text), failed: result.isError ?? false };
}

test('1,000 commands have the same answers', async (t) => {
  const random = choices(seed);
  const root = `${process.env.CAIRN_DATABASES}/files`;
  const tool = await BetaLocalFilesystemMemoryTool.init(root);
  const client = await cairn(t, 'file-database', '--compat', 'memory-tool');
  const seen = {};
  const made = [];
  for (let i = 0; i < 1000;) {
    const command = randomCommand(random, made);
    if (command.command === 'rename' && !(await canRename(tool, command))) continue;
    ++i;
    const expected = await reference(tool, command);
    const got = await answer(client, command);
    if (expected.text === 'system' && got.failed && ownError.test(got.text)) got.text = 'system';
    assert.deepEqual(got, expected, `command ${i} of seed ${seed}: ${JSON.stringify(command)}`);
    if (!expected.failed && command.command === 'create') made.push(command.path);
    if (!expected.failed && command.command === 'rename') made.push(command.new_path);
    const kind = `${command.command}${expected.failed ? ' failed' : ''}`;
    seen[kind] = (seen[kind] ?? 0) + 1;
  }
  assert.ok(Object.keys(seen).length === 12 && Object.values(seen).every((count) => count >= 3), JSON.stringify(seen));
});

// A rename that fails has made directories there, and none here: the source is there, and is not moved into itself.
async function canRename(tool, { old_path, new_path }) {
  try {
    await tool.view({ command: 'view', path: old_path });
    return !`${new_path}/`.startsWith(`${old_path}/`);
  } catch {
    return false;
  }
}
