// Random graphs and statements for Cairn and Kuzu. Each statement has a text for each engine.

/** Numbers that are equal for equal seeds (xorshift32). */
export class Random {
  constructor(seed) {
    this.state = seed * 2654435761 >>> 0 || 1;
  }

  below(limit) {
    this.state ^= this.state << 13;
    this.state >>>= 0;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % limit;
  }

  of(list) {
    return list[this.below(list.length)];
  }

  chance(percent) {
    return this.below(100) < percent;
  }
}

const texts = ['a', 'ab', 'b', 'ba', 'c', ''];
const literalInteger = (random) => String(random.below(6));
const literalText = (random) => `'${random.of(texts)}'`;

const properties = (random, key) => {
  const all = [`key: ${key}`];
  if (random.chance(85)) all.push(`x: ${literalInteger(random)}`);
  if (random.chance(85)) all.push(`s: ${literalText(random)}`);
  return all.join(', ');
};

/** Ends of the types of relationships. */
const ends = { R: ['A', 'A'], S: ['B', 'A'], T: ['A', 'B'] };

export const graph = {
  schema: [
    'CREATE NODE TABLE A(key INT64 PRIMARY KEY, x INT64, s STRING)',
    'CREATE NODE TABLE B(key INT64 PRIMARY KEY, x INT64, s STRING)',
    ...Object.entries(ends).map(([type, [from, to]]) => `CREATE REL TABLE ${type}(FROM ${from} TO ${to}, w INT64)`),
  ],
  /** Kuzu returns a loop twice where a step has no direction, so there is none. */
  make(random) {
    const statements = [];
    const counts = { A: 2 + random.below(12), B: 1 + random.below(8) };
    for (const label of ['A', 'B'])
      for (let key = 0; key < counts[label]; key += 1)
        statements.push(`CREATE (:${label} {${properties(random, key)}})`);
    for (const [type, [from, to]] of Object.entries(ends))
      for (let i = random.below(30); i > 0; i -= 1) {
        const source = random.below(counts[from]);
        const target = random.below(counts[to]);
        if (from === to && source === target) continue;
        statements.push(`MATCH (a:${from} {key: ${source}}), (b:${to} {key: ${target}}) ` +
          `CREATE (a)-[:${type} {w: ${literalInteger(random)}}]->(b)`);
      }
    return statements;
  },
};

/** A pattern with the names of its nodes and relationships. */
class Pattern {
  constructor(random) {
    this.random = random;
    this.nodes = [];
    this.relationships = [];
    this.isVariable = false;
  }

  node() {
    if (this.nodes.length > 0 && this.random.chance(15)) return `(${this.random.of(this.nodes)})`;
    const name = this.newNode();
    const label = this.random.of([':A', ':A', ':B', '']);
    const map = this.random.chance(15) ? ` {x: ${literalInteger(this.random)}}` : '';
    return `(${name}${label}${map})`;
  }

  newNode() {
    this.nodes.push(`n${this.nodes.length}`);
    return this.nodes.at(-1);
  }

  step(types = [':R', ':R', ':S', ':T', ':R|S', ':R|T', '']) {
    const name = `r${this.relationships.length}`;
    this.relationships.push(name);
    const type = this.random.of(types);
    return this.random.of([`-[${name}${type}]->`, `<-[${name}${type}]-`, `-[${name}${type}]-`]);
  }

  chain(most) {
    let text = this.node();
    for (let i = this.random.below(most + 1); i > 0; i -= 1) text += this.step() + this.node();
    return text;
  }

  /** One step of several relationships. Kuzu says TRAIL for what Cairn always means. It gives some paths of a range of
   * lengths twice, so there is one length. */
  variable() {
    this.isVariable = true;
    const range = this.random.of(['1..1', '2..2', '3..3']);
    const type = this.random.of([':R', ':R|S', '']);
    const [left, right] = this.random.of([['-', '->'], ['<-', '-'], ['-', '-']]);
    const from = this.node();
    const to = this.node();
    return { cairn: `${from}${left}[${type}*${range}]${right}${to}`, kuzu: `${from}${left}[${type}* TRAIL ${range}]${right}${to}` };
  }

  /** The condition that no two steps use one relationship, from the relationship at `first` on. */
  different(first = 0) {
    const pairs = [];
    for (let i = first; i < this.relationships.length; i += 1)
      for (let j = i + 1; j < this.relationships.length; j += 1)
        pairs.push(`id(${this.relationships[i]}) <> id(${this.relationships[j]})`);
    return pairs;
  }
}

function integer(random, pattern, depth = 1) {
  if (depth > 0 && random.chance(20))
    return `(${integer(random, pattern, depth - 1)} ${random.of(['+', '-', '*'])} ${integer(random, pattern, depth - 1)})`;
  if (pattern.relationships.length > 0 && random.chance(25)) return `${random.of(pattern.relationships)}.w`;
  return random.chance(75) ? `${random.of(pattern.nodes)}.x` : literalInteger(random);
}

const text = (random, pattern) => random.chance(75) ? `${random.of(pattern.nodes)}.s` : literalText(random);

function condition(random, pattern, depth = 2) {
  if (depth > 0 && random.chance(45)) {
    const [one, two] = [condition(random, pattern, depth - 1), condition(random, pattern, depth - 1)];
    return random.of([`(${one} AND ${two})`, `(${one} OR ${two})`, `(${one} XOR ${two})`, `(NOT ${one})`]);
  }
  switch (random.below(6)) {
    case 0: return `${text(random, pattern)} ${random.of(['=', '<>', '<', '>='])} ${text(random, pattern)}`;
    case 1: return `${random.of(pattern.nodes)}.${random.of(['x', 's'])} IS ${random.of(['', 'NOT '])}NULL`;
    case 2: return `${integer(random, pattern)} IN [${literalInteger(random)}, ${literalInteger(random)}]`;
    case 3: return `${text(random, pattern)} ${random.of(['STARTS WITH', 'ENDS WITH', 'CONTAINS'])} '${random.of(texts.filter(Boolean))}'`;
    default: return `${integer(random, pattern)} ${random.of(['=', '<>', '<', '<=', '>', '>='])} ${integer(random, pattern)}`;
  }
}

/** Of no values, Kuzu's sum and list are null. */
function aggregate(random, pattern) {
  const value = integer(random, pattern);
  return random.of(['count(*)', `count(${value})`, `count(DISTINCT ${value})`, `min(${value})`,
    `max(${value})`, `avg(${value})`, `count(DISTINCT ${random.of(pattern.nodes)}.key)`,
    both(`sum(${value})`, `coalesce(CAST(sum(${value}), 'INT64'), 0)`),
    both(`collect(${value})`, `coalesce(collect(${value}), CAST([], 'INT64[]'))`)]);
}

/** The columns of RETURN: values, or keys of groups and aggregates. */
function columns(random, pattern) {
  const scalar = () => random.chance(70) ? integer(random, pattern) : text(random, pattern);
  const isGrouped = random.chance(50);
  const items = [];
  for (let i = random.below(3) + (isGrouped ? 0 : 1); i > 0; i -= 1) items.push(scalar());
  if (isGrouped) items.push(aggregate(random, pattern));
  const distinct = !isGrouped && random.chance(30) ? 'DISTINCT ' : '';
  const named = (engine) => items.map((item, i) => `${item[engine] ?? item} AS c${i}`).join(', ');
  return both(distinct + named('cairn'), distinct + named('kuzu'));
}

/** Kuzu loses rows for which COUNT finds nothing, so it asks for more than a number. */
function subquery(random, pattern) {
  const inside = new Pattern(random);
  const from = random.of(pattern.nodes);
  const step = random.of(['-->', '<--', '--']);
  inside.nodes.push('z');
  const where = random.chance(50) ? ` WHERE ${condition(random, inside, 1)}` : '';
  const body = `MATCH (${from})${step}(z)${where}`;
  return random.of([`EXISTS { ${body} }`, `NOT EXISTS { ${body} }`, `COUNT { ${body} } > ${random.below(3)}`]);
}

const both = (cairn, kuzu, more = {}) => ({ cairn, kuzu, ...more });
const where = (parts) => parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`;

export function readStatement(random) {
  const pattern = new Pattern(random);
  if (random.chance(15)) {
    const { cairn, kuzu } = pattern.variable();
    const parts = random.chance(50) ? [condition(random, pattern)] : [];
    const returned = columns(random, pattern);
    return both(`MATCH ${cairn}${where(parts)} RETURN ${returned.cairn}`,
      `MATCH ${kuzu}${where(parts)} RETURN ${returned.kuzu}`);
  }
  let match = `MATCH ${pattern.chain(3)}`;
  if (random.chance(25)) match += `, ${pattern.chain(1)}`;
  const parts = random.chance(65) ? [condition(random, pattern)] : [];
  if (random.chance(20)) parts.push(subquery(random, pattern));
  const cairn = [`${match}${where(parts)}`];
  const kuzu = [`${match}${where([...parts, ...pattern.different()])}`];
  if (random.chance(20)) addOptional(random, pattern, cairn, kuzu);
  if (random.chance(15)) addWith(random, pattern, cairn, kuzu);
  const returned = columns(random, pattern);
  return both([...cairn, 'RETURN', returned.cairn].join(' '), [...kuzu, 'RETURN', returned.kuzu].join(' '));
}

/** OPTIONAL MATCH from a node that is bound. Where a property of that node is null, Kuzu finds nothing. */
function addOptional(random, pattern, cairn, kuzu) {
  const first = pattern.relationships.length;
  const more = `OPTIONAL MATCH (${random.of(pattern.nodes)})${pattern.step([''])}(${pattern.newNode()})`;
  const found = { nodes: pattern.nodes.slice(-1), relationships: pattern.relationships.slice(-1) };
  const parts = random.chance(40) ? [condition(random, found, 1)] : [];
  cairn.push(`${more}${where(parts)}`);
  kuzu.push(`${more}${where([...parts, ...pattern.different(first)])}`);
}

/** WITH that groups, and then only its columns are known. */
function addWith(random, pattern, cairn, kuzu) {
  const node = random.of(pattern.nodes);
  const text = `WITH ${node}, count(*) AS k WHERE k > ${random.below(3)}`;
  cairn.push(text);
  kuzu.push(text);
  pattern.nodes = [node];
  pattern.relationships = [];
}

let lastKey = 1000;

export function writeStatement(random) {
  const label = random.of(['A', 'B']);
  const other = random.of(Object.entries(ends));
  const [type, [from, to]] = other;
  const pattern = new Pattern(random);
  pattern.nodes = ['n'];
  const condition1 = condition(random, pattern, 1);
  const set = random.of([`n.x = ${integer(random, pattern)}`, `n.s = ${text(random, pattern)}`, `n.x = NULL`]);
  lastKey += 1;
  const statement = random.of([
    `CREATE (:${label} {${properties(random, lastKey)}})`,
    `MATCH (n:${label}) WHERE ${condition1} SET ${set}`,
    `MATCH (n:${label} {key: ${random.below(12)}}) SET ${set}`,
    `MATCH (a:${from} {key: ${random.below(8)}}), (b:${to} {key: ${8 + random.below(4)}}) CREATE (a)-[:${type} {w: ${literalInteger(random)}}]->(b)`,
    `MATCH (:${from})-[r:${type}]->(n:${to}) WHERE ${condition1} SET r.w = ${literalInteger(random)}`,
    `MATCH (:${from})-[r:${type} {w: ${literalInteger(random)}}]->(:${to}) DELETE r`,
    `MATCH (n:${label} {key: ${random.below(12)}}) WHERE ${condition1} DETACH DELETE n`,
    `MERGE (n:${label} {key: ${random.below(16)}}) ON CREATE SET n.x = 1 ON MATCH SET n.s = 'm'`,
  ]);
  return both(statement, statement, { isWriting: true });
}

/** Questions that show the whole graph. */
export const dump = [
  ...['A', 'B'].map((label) => `MATCH (n:${label}) RETURN n.key AS key, n.x AS x, n.s AS s`),
  ...Object.entries(ends).map(([type, [from, to]]) =>
    `MATCH (a:${from})-[r:${type}]->(b:${to}) RETURN a.key AS a, b.key AS b, r.w AS w`),
].map((statement) => both(statement, statement));
