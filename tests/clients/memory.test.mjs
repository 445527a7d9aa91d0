// The typed memory with nothing but a driver: `CALL memory.*`, maps in and maps out.
import assert from 'node:assert/strict';
import { scenario, unique } from './scenarios.mjs';

/** The first column of all rows. */
const column = async (session, text, parameters) =>
  (await session.run(text, parameters)).records.map((row) => row.get(0));

scenario('remembers, recalls, changes and forgets', async (bench) => {
  const session = bench.session({ disableLosslessIntegers: true });
  const name = unique('tea');
  const word = name.toLowerCase();
  await session.run('CALL memory.add($record)', {
    record: { content: `Ada drinks green ${word}`, external_id: name, session: name, metadata: { user: 'ada', importance: 8, tags: ['drink'] } },
  });
  const recalled = await column(session, 'CALL memory.recall({query: $query}) YIELD record RETURN record', { query: `who drinks ${word}` });
  assert.equal(recalled[0].content, `Ada drinks green ${word}`);
  assert.deepEqual(recalled[0].metadata.tags, ['drink']);

  await session.run('CALL memory.update($change)', { change: { external_id: name, changes: { importance: 3 } } });
  const [found] = await column(session, 'CALL memory.find({external_id: $name}) YIELD record RETURN record', { name });
  assert.equal(found.metadata.importance, 3);
  const history = await column(session, 'CALL memory.history({external_id: $name})', { name });
  assert.ok(history.length >= 1);

  const [hidden] = await column(session, 'CALL memory.forget({external_id: $name}) YIELD matched RETURN matched', { name });
  assert.equal(hidden, 1);
  const [none] = await column(session, 'CALL memory.search({session: $name}) YIELD records RETURN records', { name });
  assert.deepEqual(none, []);
  await session.run('CALL memory.restore({external_id: $name})', { name });
  const [restored] = await column(session, 'CALL memory.search({session: $name}) YIELD records RETURN records', { name });
  assert.deepEqual(restored.map((record) => record.external_id), [name]);
});

scenario('remembers a text with its chunks, lists, describes and keeps files', async (bench) => {
  const session = bench.session({ disableLosslessIntegers: true });
  const name = unique('note');
  const [remembered] = (await session.run('CALL memory.remember($text)', {
    text: { content: `${name} `.repeat(40), external_id: name, session: name, kind: 'task', chunk_size: 100, chunk_overlap: 10 },
  })).records;
  assert.equal(typeof remembered.get('id'), 'number');
  assert.ok(remembered.get('chunks').length > 1);

  const [tasks] = (await session.run("CALL memory.list({of: 'tasks', session: $name})", { name })).records;
  assert.equal(tasks.get('total'), 1);
  assert.equal(tasks.get('records')[0].external_id, name);

  const [counted] = await column(session, "CALL memory.describe({session: $name}) YIELD what, name, count WHERE what = 'records' RETURN count", { name });
  assert.equal(counted, 1 + remembered.get('chunks').length);

  const path = `/memories/${name}.txt`;
  await session.run("CALL memory.file({command: 'create', path: $path, file_text: 'green tea'})", { path });
  const [shown] = await column(session, "CALL memory.view_file({command: 'view', path: $path})", { path });
  assert.match(shown, /green tea/);
});

scenario('keeps memories to the namespace of the session', async (bench) => {
  const name = unique('private');
  const own = bench.session({ database: 'home' });
  await own.run('CALL memory.add({content: $name, external_id: $name})', { name });
  const elsewhere = bench.session();
  assert.deepEqual(await column(elsewhere, 'CALL memory.find({external_id: $name}) YIELD record RETURN record', { name }), []);
  assert.equal((await column(own, 'CALL memory.find({external_id: $name}) YIELD record RETURN record', { name })).length, 1);
});

scenario('says what is wrong with a memory', async (bench) => {
  await assert.rejects(bench.session().run('CALL memory.add({contents: 1})'), /content/);
});
