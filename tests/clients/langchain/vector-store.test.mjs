// Neo4jVectorStore: documents in, searches by vector, by words and by metadata.
import { Neo4jVectorStore } from '@langchain/community/vectorstores/neo4j_vector';
import { Document } from '@langchain/core/documents';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { account, closeBehind, LetterEmbeddings, printedErrors, scoreOf, unique } from './session.mjs';

const embeddings = new LetterEmbeddings();
const documents = [
  ['green tea from Japan', { topic: 'tea', year: 2020, price: 1.5, hot: true, tags: ['leaf', 'green'] }],
  ['black coffee of the morning', { topic: 'coffee', year: 2021, price: 2.25, hot: true }],
  ['a zebra in the zoo', { topic: 'animal', year: 2022, hot: false }],
  ['quick foxes jump', { topic: 'animal', year: 2023 }],
  ['Iced TEA: "cold" (and sweet)', { topic: 'iced tea', year: 2024, price: 3, hot: false }],
].map(([pageContent, metadata]) => new Document({ pageContent, metadata }));

// The indexes of a database are common to its namespaces, and the class looks for one by its label too.
const names = () => ({ nodeLabel: unique('Chunk'), indexName: unique('vector'), keywordIndexName: unique('words') });
const textsOf = (found) => found.map(({ pageContent }) => pageContent);

/** A store of the documents. */
async function storeOf(t, { docs = documents, ...config } = {}) {
  closeBehind(t);
  return Neo4jVectorStore.fromDocuments(docs, embeddings, { ...account(), ...names(), ...config });
}

/** What a search over all documents must give. */
function expected(query, of = documents) {
  const scored = of.map((doc) => [doc, scoreOf(embeddings.of(query), embeddings.of(doc.pageContent))]);
  return scored.sort((a, b) => b[1] - a[1]);
}

function assertScored(found, wanted) {
  assert.deepEqual(found.map(([doc]) => [doc.pageContent, doc.metadata]),
                   wanted.map(([doc]) => [doc.pageContent, doc.metadata]));
  found.forEach(([, score], i) => assert.ok(Math.abs(score - wanted[i][1]) < 1e-5, `${score} for ${wanted[i][1]}`));
}

test('finds the nearest documents, with their metadata', async (t) => {
  const store = await storeOf(t);
  const found = await store.similaritySearch('tea of Japan', 2);
  assert.deepEqual(textsOf(found), textsOf(expected('tea of Japan').slice(0, 2).map(([doc]) => doc)));
  assert.deepEqual(found[0].metadata, documents[0].metadata);
});

test('gives every document the score of its cosine', async (t) => {
  const store = await storeOf(t);
  assertScored(await store.similaritySearchWithScore('zoo of foxes', 5), expected('zoo of foxes'));
});

test('is a retriever', async (t) => {
  const store = await storeOf(t);
  assert.deepEqual(textsOf(await store.asRetriever(1).invoke('zebra zoo')), ['a zebra in the zoo']);
});

test('makes a store of texts and adds documents to it', async (t) => {
  closeBehind(t);
  const store = await Neo4jVectorStore.fromTexts(['one text'], [{ n: 1 }], embeddings, { ...account(), ...names() });
  const ids = await store.addDocuments(documents);
  assert.equal(new Set(ids).size, documents.length);
  assert.equal((await store.similaritySearch('anything', 10)).length, documents.length + 1);
});

test('replaces a document of the same id', async (t) => {
  const store = await storeOf(t, { docs: [] });
  const add = (text) => store.addVectors([embeddings.of(text)], [new Document({ pageContent: text })], undefined, ['same']);
  await add('first zebra');
  await add('second fox');
  assertScored(await store.similaritySearchWithScore('fox', 5),
               [[new Document({ pageContent: 'second fox' }), scoreOf(embeddings.of('fox'), embeddings.of('second fox'))]]);
});

test('adds more documents than one transaction takes', async (t) => {
  const docs = Array.from({ length: 1500 }, (_, n) => new Document({ pageContent: `document ${n}`, metadata: { n } }));
  const store = await storeOf(t, { docs });
  const [row] = await store.query(
      `MATCH (n:${store.nodeLabel}) RETURN count(n.embedding) AS count, sum(n.n) AS sum`);
  assert.deepEqual([Number(row.count), row.sum], [1500, 1124250]);
});

test('asks as the retrieval query says', async (t) => {
  const retrievalQuery = 'RETURN toUpper(node.text) AS text, score, {year: node.year} AS metadata';
  const store = await storeOf(t, { retrievalQuery });
  const [found] = await store.similaritySearch('green tea', 1);
  assert.deepEqual([found.pageContent, found.metadata], ['GREEN TEA FROM JAPAN', { year: 2020 }]);
});

test('embeds the records of a graph', async (t) => {
  const where = account();
  const store = await storeOf(t, { docs: [], ...where });
  const nodeLabel = unique('Person');
  await store.query(`CREATE (:${nodeLabel} {name: 'Ada', city: 'Rome'}), (:${nodeLabel} {name: 'Bob'})`);
  const people = await Neo4jVectorStore.fromExistingGraph(
      embeddings, { ...where, ...names(), nodeLabel, textNodeProperties: ['name', 'city'] });
  const found = await people.similaritySearch('name Bob city', 2);
  assert.deepEqual(textsOf(found), ['\nname: Bob\ncity: ', '\nname: Ada\ncity: Rome']);
});

test('deletes what was there where asked', async (t) => {
  const errors = printedErrors(t);
  const where = { ...account(), ...names() };
  await storeOf(t, where);
  const store = await storeOf(t, { ...where, docs: documents.slice(0, 1), preDeleteCollection: true });
  assert.deepEqual(textsOf(await store.similaritySearch('anything', 5)), ['green tea from Japan']);
  assert.equal(errors(), 0);
});

test('accepts the version of the server', async (t) => {
  const errors = printedErrors(t);
  const store = await storeOf(t, { docs: [] });
  await store._verifyVersion();
  assert.deepEqual([store.supportMetadataFilter, store.isEnterprise, errors()], [true, false, 0]);
});

for (const searchType of ['vector', 'hybrid']) {
  test(`opens an index that is there: ${searchType}`, async (t) => {
    const where = { ...account(), ...names(), searchType };
    await storeOf(t, where);
    const store = await Neo4jVectorStore.fromExistingIndex(embeddings, where);
    assert.deepEqual(textsOf(await store.similaritySearch('zebra', 1)), ['a zebra in the zoo']);
  });

  test(`starts a second time on its index: ${searchType}`, async (t) => {
    const where = { ...account(), ...names(), searchType };
    await storeOf(t, { ...where, docs: documents.slice(0, 2) });
    const store = await storeOf(t, { ...where, docs: documents.slice(2) });
    const found = await store.similaritySearchWithScore('quick foxes', 5);
    assert.deepEqual(new Set(found.map(([doc]) => doc.pageContent)), new Set(textsOf(documents)));
  });
}

test('finds its index by label and property', async (t) => {
  const where = { ...account(), ...names() };
  await storeOf(t, where);
  const store = await Neo4jVectorStore.fromExistingIndex(embeddings, { ...where, indexName: unique('other') });
  assert.equal(store.indexName, where.indexName);
});

test('refuses an index of other dimensions and one that is not there', async (t) => {
  const where = { ...account(), ...names() };
  const store = await storeOf(t, { ...where, docs: [] });
  await store.query(`CREATE VECTOR INDEX ${where.indexName}x FOR (n:${where.nodeLabel}x) ON (n.embedding)
                     OPTIONS {indexConfig: {\`vector.dimensions\`: 3}}`);
  const open = (config) => Neo4jVectorStore.fromExistingIndex(embeddings, { ...where, ...config });
  await assert.rejects(open({ indexName: `${where.indexName}x`, nodeLabel: `${where.nodeLabel}x` }), /dimensions do not match/);
  await assert.rejects(open({ indexName: 'nobody', nodeLabel: 'Nobody' }), /does not exist/);
});

test('searches relationships', async (t) => {
  const where = { ...account(), ...names(), indexType: 'RELATIONSHIP' };
  const store = await storeOf(t, { docs: [], ...where, nodeLabel: unique('Unused'), indexName: unique('unused') });
  const type = unique('SAYS');
  await store.query(`CREATE VECTOR INDEX ${where.indexName} FOR ()-[r:${type}]-() ON (r.embedding)
                     OPTIONS {indexConfig: {\`vector.dimensions\`: 26, \`vector.similarity_function\`: 'cosine'}}`);
  await store.query(`UNWIND $docs AS doc CREATE (:A)-[r:${type}]->(:B) SET r.text = doc.text, r.embedding = doc.embedding, r += doc.metadata`,
                    { docs: documents.map(({ pageContent, metadata }) =>
                        ({ text: pageContent, embedding: embeddings.of(pageContent), metadata })) });
  const ties = await Neo4jVectorStore.fromExistingIndex(embeddings, where);
  assertScored(await ties.similaritySearchWithScore('quick zebra', 5), expected('quick zebra'));
});

test('searches by vector and by words at once', async (t) => {
  const store = await storeOf(t, { searchType: 'hybrid' });
  const found = await store.similaritySearchWithScore('zebra!', 5);
  assert.deepEqual([found[0][0].pageContent, found[0][1]], ['a zebra in the zoo', 1]);
  assert.equal(found.length, 5);
  // The nearest vector is that of another document than the one which has the word: each is the best of its half.
  const [nearest, withWord] = ['black coffee of the morning', 'quick foxes jump'];
  assert.equal(expected('foxes')[0][0].pageContent, nearest);
  const both = await store.similaritySearchWithScore('foxes', 5);
  const best = both.filter(([, score]) => score === 1).map(([doc]) => doc.pageContent);
  assert.deepEqual(best.sort(), [nearest, withWord]);
});

test('finds by words the documents that are added later', async (t) => {
  const store = await storeOf(t, { searchType: 'hybrid' });
  await store.addDocuments([new Document({ pageContent: 'xylophone', metadata: { n: 1 } })]);
  const [[found, score]] = await store.similaritySearchWithScore('xylophone', 1);
  assert.deepEqual([found.pageContent, found.metadata, score], ['xylophone', { n: 1 }, 1]);
});

const filters = [
  [{ topic: 'animal' }, (m) => m.topic === 'animal'],
  [{ hot: false }, (m) => m.hot === false],
  [{ topic: { $ne: 'animal' } }, (m) => m.topic !== 'animal'],
  [{ year: { $lt: 2021 } }, (m) => m.year < 2021],
  [{ year: { $lte: 2021 } }, (m) => m.year <= 2021],
  [{ price: { $gt: 1.5 } }, (m) => m.price > 1.5],
  [{ price: { $gte: 1.5 } }, (m) => m.price >= 1.5],
  [{ year: { $between: [2021, 2023] } }, (m) => m.year >= 2021 && m.year <= 2023],
  [{ topic: { $in: ['tea', 'coffee'] } }, (m) => ['tea', 'coffee'].includes(m.topic)],
  [{ topic: { $nin: ['tea', 'coffee'] } }, (m) => !['tea', 'coffee'].includes(m.topic)],
  [{ topic: { $like: 'tea%' } }, (m) => m.topic.includes('tea')],
  [{ topic: { $ilike: 'coffee%' } }, (m) => m.topic.includes('coffee')],
  [{ topic: 'animal', year: { $gt: 2022 } }, (m) => m.topic === 'animal' && m.year > 2022],
  [{ $or: [{ topic: 'tea' }, { year: 2023 }] }, (m) => m.topic === 'tea' || m.year === 2023],
  [{ $and: [{ hot: true }, { $or: [{ year: 2020 }, { price: { $gt: 2 } }] }] },
   (m) => m.hot === true && (m.year === 2020 || m.price > 2)],
  [{ topic: 'nothing' }, () => false],
];

for (const [filter, holds] of filters) {
  test(`filters by ${JSON.stringify(filter)}`, async (t) => {
    const store = await storeOf(t);
    const wanted = expected('green tea', documents.filter(({ metadata }) => holds(metadata)));
    assertScored(await store.similaritySearchWithScore('green tea', 5, { filter }), wanted);
    const first = await store.similaritySearch('green tea', 1, { filter });
    assert.deepEqual(textsOf(first), textsOf(wanted.slice(0, 1).map(([doc]) => doc)));
  });
}
