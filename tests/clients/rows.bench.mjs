// 100,000 rows to the official driver: from cairn serve, and the same bytes from a stub that has them ready. Prints the
// ratio, and fails above the number in CAIRN_MOST.
import { fork } from 'node:child_process';
import net from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import neo4j from 'neo4j-driver';

const rows = 100_000;
const rounds = 7;
const statement = 'MATCH (n:Row) RETURN n.number AS number, n.text AS text, n.score AS score';
const success = 0x70;

/** The whole messages at the front of `bytes`, each with its chunks, and what is left. */
function messagesIn(bytes) {
  const messages = [];
  let begin = 0;
  let at = 0;
  while (at + 2 <= bytes.length) {
    const size = bytes.readUInt16BE(at);
    if (at + 2 + size > bytes.length) break;
    at += 2 + size;
    if (size > 0) continue;
    if (at - begin > 2) messages.push(bytes.subarray(begin, at));
    begin = at;
  }
  return { messages, rest: bytes.subarray(begin) };
}

const tagOf = (message) => message[3];

/** What the server answers to the handshake and to each request, as a connection through here meets it. */
async function record(server, use) {
  const log = [];
  const proxy = net.createServer((client) => {
    const upstream = net.connect(server);
    client.on('data', (bytes) => { log.push({ bytes, isClient: true }); upstream.write(bytes); });
    upstream.on('data', (bytes) => { log.push({ bytes, isClient: false }); client.write(bytes); });
    for (const [one, other] of [[client, upstream], [upstream, client]]) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  await use(proxy.address().port);
  proxy.close();
  const said = log.filter(({ isClient }) => !isClient).map(({ bytes }) => bytes);
  const second = log.findIndex(({ isClient }, place) => isClient && place > 0);
  const greeting = log.slice(0, second).filter(({ isClient }) => !isClient).map(({ bytes }) => bytes);
  const handshake = Buffer.concat(greeting);
  const answers = [];
  let begin = handshake.length;
  const all = Buffer.concat(said);
  let end = begin;
  for (const message of messagesIn(all.subarray(begin)).messages) {
    end += message.length;
    if (tagOf(message) !== success) continue;
    answers.push(all.subarray(begin, end));
    begin = end;
  }
  return { handshake, answers };
}

/** Answers requests with recorded bytes, in order; a connection that asks on begins again behind its LOGON. */
function serveStub({ handshake, answers }, first) {
  const server = net.createServer((client) => {
    client.setNoDelay(true);
    let isShaken = false;
    let unread = Buffer.alloc(0);
    let next = 0;
    client.on('error', () => client.destroy());
    client.on('data', (bytes) => {
      if (!isShaken) {
        isShaken = true;
        client.write(handshake);
        return;
      }
      // The choice of a version from a manifest: four bytes, and one for its capabilities.
      if (next === 0 && unread.length === 0 && bytes.readUInt16BE(0) === 0) bytes = bytes.subarray(5);
      const { messages, rest } = messagesIn(Buffer.concat([unread, bytes]));
      unread = rest;
      client.cork();
      for (let i = 0; i < messages.length; ++i) {
        if (next === answers.length) next = first;
        client.write(answers[next++]);
      }
      client.uncork();
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

function connect(address) {
  const token = neo4j.auth.bearer(process.env.CAIRN_TOKEN_ADMIN);
  return neo4j.driver(`bolt://${address}`, token, { disableLosslessIntegers: true });
}

async function readAll(session) {
  let sum = 0;
  const { records } = await session.run(statement);
  for (const each of records) sum += each.get('number');
  if (records.length !== rows || sum !== (rows * (rows + 1)) / 2) throw new Error('rows are wrong');
}

/** In milliseconds, of one more result of a connection that is open. */
async function time(session) {
  const begin = performance.now();
  await readAll(session);
  return performance.now() - begin;
}

async function main() {
  const address = process.env.CAIRN_ADDRESS;
  const [host, port] = address.split(':');
  const driver = connect(address);
  await driver.executeQuery(
    `UNWIND range(1, ${rows}) AS i CREATE (:Row {number: i, text: 'text ' + i, score: i / 2.0})`);
  const recorded = await record({ host, port: Number(port) }, async (through) => {
    const recording = connect(`127.0.0.1:${through}`);
    const session = recording.session();
    await session.run('RETURN 1');
    await readAll(session);
    await session.close();
    await recording.close();
  });
  // HELLO, LOGON, RUN and PULL of the first statement; the driver may send more, which the statement's RUN follows.
  const first = recorded.answers.findIndex((bytes) => bytes.includes('score'));
  const stub = fork(fileURLToPath(import.meta.url), ['stub'], { serialization: 'advanced' });
  const stubPort = await new Promise((done) => {
    stub.once('message', done);
    stub.send({ ...recorded, first });
  });
  const served = driver.session();
  const stubbed = connect(`127.0.0.1:${stubPort}`);
  const ready = stubbed.session();
  await ready.run('RETURN 1');
  const times = { served: [], ready: [] };
  for (let round = 0; round < rounds; ++round) {
    times.ready.push(await time(ready));
    times.served.push(await time(served));
  }
  const least = (values) => Math.min(...values);
  const ratio = least(times.served) / least(times.ready);
  console.log(`${rows} rows to neo4j-driver: ${least(times.served).toFixed(0)} ms from cairn serve, ` +
    `${least(times.ready).toFixed(0)} ms from a stub that has the bytes ready: ${ratio.toFixed(2)} (at most 1.25)`);
  console.log(`all rounds, ms: served ${times.served.map(Math.round)}; ready ${times.ready.map(Math.round)}`);
  await served.close();
  await ready.close();
  await driver.close();
  stub.kill();
  await stubbed.close();
  if (ratio > Number(process.env.CAIRN_MOST ?? 1.25)) process.exitCode = 1;
}

if (process.argv[2] === 'stub') {
  process.once('message', ({ handshake, answers, first }) =>
    serveStub({ handshake: Buffer.from(handshake), answers: answers.map((bytes) => Buffer.from(bytes)) }, first));
} else {
  await main();
}
