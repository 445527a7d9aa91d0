// Every type there and back.
import assert from 'node:assert/strict';
import { scenario, unique } from './scenarios.mjs';

/** What comes back of a parameter. */
async function echoOf(bench, x, options) {
  const { records } = await bench.session(options).run('RETURN $x AS x', { x });
  return records[0].get('x');
}

/** The same, once as text of the language and once through a stored property. */
async function sameOf(bench, x, text) {
  const session = bench.session();
  const label = unique('Kept');
  await session.run(`CREATE (:${label} {x: $x})`, { x });
  const { records } = await session.run(`MATCH (n:${label}) RETURN n.x AS stored, $x AS echo, ${text} AS written`, { x });
  for (const name of ['stored', 'echo', 'written'])
    assert.equal(records[0].get(name).toString(), x.toString(), name);
  assert.equal(records[0].get('stored').constructor.name, x.constructor.name);
}

scenario('null and booleans', async (bench) => {
  for (const x of [null, true, false]) assert.equal(await echoOf(bench, x), x);
});

scenario('integers of 64 bits', async (bench) => {
  const { int } = bench.neo4j;
  for (const text of ['0', '-1', '127', '-129', '32768', '2147483648', '9223372036854775807', '-9223372036854775808'])
    assert.equal((await echoOf(bench, int(text))).toString(), text);
});

scenario('integers as BigInt', async (bench) => {
  for (const x of [0n, -17n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n])
    assert.equal(await echoOf(bench, x, { useBigInt: true }), x);
});

scenario('integers as numbers', async (bench) => {
  assert.equal(await bench.value('RETURN 42'), 42);
});

scenario('a whole number of JavaScript where an integer is wanted', async (bench) => {
  const { records } = await bench.session().run('UNWIND range(1, 10) AS i RETURN i SKIP $skip LIMIT $limit', { skip: 2, limit: 3 });
  assert.deepEqual(records.map((record) => record.get('i').toNumber()), [3, 4, 5]);
});

scenario('floats', async (bench) => {
  for (const x of [0.5, -0.0, 1e308, 5e-324, Infinity, -Infinity, 0.1])
    assert.ok(Object.is(await echoOf(bench, x), x), String(x));
  assert.ok(Number.isNaN(await echoOf(bench, NaN)));
});

scenario('strings of all planes and lengths', async (bench) => {
  for (const x of ['', 'tea', 'Grüße', '茶', '🫖👩‍👩‍👧', '\u0000\n\t"\'\\', 'x'.repeat(15), 'x'.repeat(300), '茶'.repeat(30_000)])
    assert.equal(await echoOf(bench, x), x);
});

scenario('lists within lists', async (bench) => {
  for (const x of [[], ['a', true, null], [['a'], [['b']]], Array.from({ length: 1000 }, (_, i) => `n${i}`)])
    assert.deepEqual(await echoOf(bench, x), x);
});

scenario('maps within maps', async (bench) => {
  for (const x of [{}, { a: 'x', 'two words': [null, { b: false }] }, { ä: { '🫖': '' } }])
    assert.deepEqual(await echoOf(bench, x), x);
});

scenario('a message larger than a chunk', async (bench) => {
  const list = Array.from({ length: 50_000 }, (_, i) => `item ${i}`);
  assert.deepEqual(await echoOf(bench, list), list);
});

scenario('nodes', async (bench) => {
  const label = unique('Node');
  const { records } = await bench.session().run(`CREATE (n:${label}:Other {name: 'Ada', list: [1, 2]}) RETURN n, elementId(n) AS id`);
  const node = records[0].get('n');
  assert.ok(bench.neo4j.isNode(node));
  assert.deepEqual([...node.labels].sort(), [label, 'Other'].sort());
  assert.equal(node.properties.name, 'Ada');
  assert.deepEqual(node.properties.list.map(Number), [1, 2]);
  assert.equal(node.elementId, records[0].get('id'));
});

scenario('relationships', async (bench) => {
  const label = unique('End');
  const { records } = await bench.session().run(`CREATE (a:${label})-[r:KNOWS {since: 1999}]->(b:${label}) RETURN a, r, b`);
  const [a, r, b] = ['a', 'r', 'b'].map((name) => records[0].get(name));
  assert.ok(bench.neo4j.isRelationship(r));
  assert.equal(r.type, 'KNOWS');
  assert.equal(r.properties.since.toNumber(), 1999);
  assert.deepEqual([r.startNodeElementId, r.endNodeElementId], [a.elementId, b.elementId]);
});

scenario('paths, also against the direction', async (bench) => {
  const label = unique('Stop');
  const session = bench.session();
  await session.run(`CREATE (:${label} {n: 1})-[:NEXT]->(:${label} {n: 2})<-[:NEXT]-(:${label} {n: 3})`);
  const { records } = await session.run(`MATCH p = (:${label} {n: 1})-->()<--(:${label} {n: 3}) RETURN p`);
  const path = records[0].get('p');
  assert.ok(bench.neo4j.isPath(path));
  assert.equal(path.length, 2);
  const numbers = path.segments.map(({ start, end }) => [start, end].map((node) => node.properties.n.toNumber()));
  assert.deepEqual(numbers, [[1, 2], [2, 3]]);
  assert.deepEqual(path.segments.map(({ relationship, start }) => relationship.startNodeElementId === start.elementId), [true, false]);
});

scenario('element ids find their entities again', async (bench) => {
  const label = unique('Found');
  const session = bench.session();
  const made = await session.run(`CREATE (n:${label}) RETURN elementId(n) AS id`);
  const id = made.records[0].get('id');
  const { records } = await session.run('MATCH (n) WHERE elementId(n) = $id RETURN labels(n)[0] AS label', { id });
  assert.equal(records[0].get('label'), label);
});

scenario('dates', async (bench) => {
  const { Date } = bench.neo4j.types;
  await sameOf(bench, new Date(2026, 2, 28), "date('2026-02-28')");
  await sameOf(bench, new Date(1, 1, 1), "date('0001-01-01')");
});

scenario('times without and with a zone', async (bench) => {
  const { LocalTime, Time } = bench.neo4j.types;
  await sameOf(bench, new LocalTime(23, 59, 59, 123456789), "localtime('23:59:59.123456789')");
  await sameOf(bench, new Time(7, 5, 0, 0, -5400), "time('07:05:00-01:30')");
});

scenario('dates and times without a zone', async (bench) => {
  const { LocalDateTime } = bench.neo4j.types;
  await sameOf(bench, new LocalDateTime(1969, 12, 31, 23, 59, 59, 5), "localdatetime('1969-12-31T23:59:59.000000005')");
});

scenario('dates and times with an offset', async (bench) => {
  const { DateTime } = bench.neo4j.types;
  await sameOf(bench, new DateTime(2026, 7, 1, 12, 30, 0, 999999999, 7200), "datetime('2026-07-01T12:30:00.999999999+02:00')");
});

scenario('dates and times with a named zone', async (bench) => {
  const { DateTime } = bench.neo4j.types;
  const x = new DateTime(2026, 7, 1, 12, 30, 0, 0, undefined, 'Europe/Berlin');
  const back = await echoOf(bench, x);
  assert.equal(back.timeZoneId, 'Europe/Berlin');
  assert.equal(Number(back.hour), 12);
  assert.equal(Number(back.timeZoneOffsetSeconds), 7200);
});

scenario('durations', async (bench) => {
  const { Duration } = bench.neo4j.types;
  await sameOf(bench, new Duration(14, -3, 90, 500000000), "duration({months: 14, days: -3, seconds: 90, nanoseconds: 500000000})");
});

scenario('a Date of JavaScript', async (bench) => {
  const x = bench.neo4j.types.DateTime.fromStandardDate(new Date(Date.UTC(2026, 0, 2, 3, 4, 5)));
  const { records } = await bench.session().run('RETURN $x.epochSeconds AS s', { x });
  assert.equal(records[0].get('s').toNumber(), Date.UTC(2026, 0, 2, 3, 4, 5) / 1000);
});

scenario('vectors', async (bench) => {
  const { records } = await bench.session().run('RETURN $x AS x, vector([1, 0.5, -2], 3, FLOAT32) AS y', {
    x: bench.neo4j.vector(Float32Array.from([0.25, -1, 3])) });
  assert.deepEqual([...records[0].get('x').asTypedArray()], [0.25, -1, 3]);
  assert.deepEqual([...records[0].get('y').asTypedArray()], [1, 0.5, -2]);
}, [6]);

scenario('vectors of other types than FLOAT32, which come back as FLOAT32', async (bench) => {
  const label = unique('TypedVector');
  const session = bench.session();
  for (const components of [Float64Array.from([0.1, -1, 3]), Int8Array.from([1, -128, 127]), Int16Array.from([1, -300, 3]),
                            Int32Array.from([1, -70_000, 3]), BigInt64Array.from([1n, -2n, 3n])]) {
    const floats = Float32Array.from(components, Number);
    const sent = { x: bench.neo4j.vector(components) };
    const { records: [row] } = await session.run(`CREATE (n:${label} {v: $x}) RETURN $x AS sent, n.v AS stored`, sent);
    for (const name of ['sent', 'stored']) assert.deepEqual(row.get(name).asTypedArray(), floats);
  }
}, [6]);

scenario('vectors as lists of floats', async (bench) => {
  const { records } = await bench.session().run('RETURN vector([1, 0.5, -2], 3, FLOAT32) AS y');
  assert.deepEqual(records[0].get('y'), [1, 0.5, -2]);
}, [5]);

scenario('a search in vectors', async (bench) => {
  const label = unique('Searched');
  const name = unique('vectors').toLowerCase();
  const session = bench.session();
  await session.run(`CREATE VECTOR INDEX ${name} FOR (n:${label}) ON (n.v) OPTIONS {indexConfig: {\`vector.dimensions\`: 2}}`);
  const vector = (...numbers) => bench.major === 6 ? bench.neo4j.vector(Float32Array.from(numbers)) : numbers;
  for (const [n, v] of [[1, vector(1, 0)], [2, vector(0, 1)]])
    await session.run(`CREATE (:${label} {n: $n, v: $v})`, { n: bench.neo4j.int(n), v });
  const { records } = await session.run(
      `MATCH (n:${label}) SEARCH n IN (VECTOR INDEX ${name} FOR $q LIMIT 1) SCORE AS score RETURN n.n AS n`, { q: vector(0.1, 0.9) });
  assert.equal(records[0].get('n').toNumber(), 2);
});

scenario('what the language has not is refused by name', async (bench) => {
  const { types, int } = bench.neo4j;
  await assert.rejects(echoOf(bench, new types.Point(int(7203), 1, 2)), /point/i);
  await assert.rejects(echoOf(bench, new Int8Array([1, 2])), /bytes/i);
  assert.equal(await bench.value('RETURN 1'), 1);
});
