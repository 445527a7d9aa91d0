// Texts of all scripts, with emoji and controls, the same in each run.

/** Numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Blocks without additions since Unicode 15, the version of Debian 12.
const blocks = [
  [0x00, 0x7f], [0x20, 0x7e], [0x20, 0x7e], [0x80, 0x24f], [0x250, 0x2af], [0x2b0, 0x36f], [0x370, 0x3ff], [0x400, 0x52f],
  [0x531, 0x58a], [0x5d0, 0x5f4], [0x600, 0x6ff], [0x900, 0x97f], [0x980, 0x9fe], [0xb82, 0xbfa], [0xe01, 0xe5b],
  [0xf00, 0xfda], [0x10a0, 0x10ff], [0x1100, 0x11ff], [0x1200, 0x137c], [0x1780, 0x17f9], [0x1800, 0x180e],
  [0x1e00, 0x1fff], [0x2000, 0x206f], [0x2070, 0x209c], [0x20a0, 0x20c0], [0x2100, 0x218b], [0x2190, 0x23ff],
  [0x2460, 0x24ff], [0x2600, 0x27bf], [0x3000, 0x30ff], [0x3131, 0x318e], [0x3200, 0x33ff], [0x3400, 0x4dbf],
  [0x4e00, 0x9ffc], [0xa000, 0xa48c], [0xac00, 0xd7a3], [0xe000, 0xe0ff], [0xf900, 0xfad9], [0xfb00, 0xfb06],
  [0xfe00, 0xfe0f], [0xfe30, 0xfe4f], [0xff00, 0xffef], [0x10400, 0x1044f], [0x1d400, 0x1d7ff], [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6d7], [0x1f900, 0x1f9ff], [0x20000, 0x2a6df], [0xe0020, 0xe007f], [0xfff0, 0xffff],
];

const words = `the of and to in a is that it was for on as with his they be at one have this from or had by hot but some what
  there we can out other were all your when up use word how said an each she which do their time if will way about many
  then them would write like so these her long make thing see him two has look more day could go come did my sound no most
  number who over know water than call first people may down side been now find Unaffordable naïve café don't it's we're
  straße ΟΔΟΣ Σίσυφος İstanbul ıslak привет мир हिन्दी नमस्ते สวัสดี 東京 日本語 안녕하세요 مرحبا שלום 🙂 👩‍👩‍👧 🇩🇪 e.g. 3.14 1,000 x_y [MASK] [SEP] <s>
  </s> <mask> C++ @user #tag https://example.org/a?b=c`.split(/\s+/);

export { words };

function randomCharacter(random) {
  for (;;) {
    const [first, last] = blocks[Math.floor(random() * blocks.length)];
    const text = String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
    if (/\p{Assigned}/u.test(text)) return text;
  }
}

const blanks = [' ', ' ', ' ', ' ', '  ', '\n', '\t', '', '-', ', ', '. ', '\u00a0', '\r\n', '\u200b', '\u3000'];

function randomPart(random) {
  const kind = random();
  if (kind < 0.5) return words[Math.floor(random() * words.length)];
  if (kind < 0.6) return String(Math.floor(random() * 10 ** Math.floor(random() * 9)));
  if (kind < 0.65) return words[Math.floor(random() * words.length)].toUpperCase();
  const [first, last] = blocks[Math.floor(random() * blocks.length)];
  const count = 1 + Math.floor(random() * 6);
  return Array.from({ length: count }, () => {
    const text = String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
    return random() < 0.8 && /\p{Assigned}/u.test(text) ? text : randomCharacter(random);
  }).join('');
}

/** Texts of up to some thirty words or runs of characters. */
export function makeTexts(count, seed) {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, i) => {
    const parts = i % 50 === 0 ? 0 : Math.floor(random() ** 2 * 30) + 1;
    let text = random() < 0.2 ? ' ' : '';
    for (let part = 0; part < parts; ++part)
      text += randomPart(random) + blanks[Math.floor(random() * blanks.length)];
    return text;
  });
}
