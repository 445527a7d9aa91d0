// Makes the map of a normalizer Precompiled: a double array of Darts, and the values of its keys.

/** What the package does in place of any map, for one character. */
function replacementOf(character) {
  if (/[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/.test(character)) return '';
  if (/[\u0009\u000a\u000c\u000d\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2581\u3000\ufeff\ufffd]/.test(character)) return ' ';
  return character === '\uff5e' ? character : character.normalize('NFKC');
}

function trieOf(entries) {
  const root = { children: new Map() };
  for (const [key, value] of entries) {
    let node = root;
    for (const byte of Buffer.from(key)) {
      if (!node.children.has(byte)) node.children.set(byte, { children: new Map() });
      node = node.children.get(byte);
    }
    node.value = value;
  }
  return root;
}

/** Each node has 256 units for its children to itself. */
function doubleArrayOf(root) {
  const units = new Map([[0, 0]]);
  let last = 0;
  const place = (node, at) => {
    const base = ++last * 256;
    units.set(at, ((units.get(at) | ((at ^ base) << 10) | (node.value === undefined ? 0 : 256)) >>> 0));
    if (node.value !== undefined) units.set(base, (0x80000000 | node.value) >>> 0);
    for (const byte of node.children.keys()) units.set(base ^ byte, byte);
    for (const [byte, child] of node.children) place(child, base ^ byte);
  };
  place(root, 0);
  const array = new Uint32Array((last + 1) * 256).fill(0x7f);
  for (const [at, unit] of units) array[at] = unit;
  return array;
}

/** The map, in base64, that does to each of these characters what the package does. */
export function makeCharsmap(characters) {
  const values = [];
  let length = 0;
  const entries = [];
  for (const character of characters) {
    const replacement = replacementOf(character);
    if (replacement === character || character === '\0') continue;
    const bytes = Buffer.from(replacement + '\0');
    entries.push([character, length]);
    values.push(bytes);
    length += bytes.length;
  }
  const array = doubleArrayOf(trieOf(entries));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(array.byteLength);
  return Buffer.concat([size, Buffer.from(array.buffer), ...values]).toString('base64');
}
