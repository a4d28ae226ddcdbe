import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { processorMilliseconds } from '../kit/processor-time.ts';
import { initcap, lower, upper } from '../../language/values/case-mapping.ts';
import { compareText } from '../../language/values/compare.ts';
import { digest, encodeBytes, encodeText } from '../../language/values/digest.ts';
import { ilike, like } from '../../language/values/like.ts';
import * as text from '../../language/values/text.ts';

test('text functions count characters', () => {
  const table: readonly (readonly [string, string | number | boolean, string | number | boolean])[] = [
    ['LENGTH', text.length('a😀é'), 3],
    ['SUBSTRING from', text.substringFrom('a😀é', 2), '😀é'],
    ['SUBSTRING for', text.substring('a😀é', 2, 1), '😀'],
    ['SUBSTRING before the start', text.substring('abc', -1, 3), 'a'],
    ['SUBSTRING past the end', text.substring('abc', 5, 3), ''],
    ['LEFT', text.left('😀bc', 2), '😀b'],
    ['LEFT negative', text.left('abc', -1), 'ab'],
    ['LEFT far', text.left('abc', -9), ''],
    ['RIGHT', text.right('ab😀', 2), 'b😀'],
    ['RIGHT zero', text.right('abc', 0), ''],
    ['RIGHT negative', text.right('abc', -1), 'bc'],
    ['LPAD', text.padLeft('7', 3, '0'), '007'],
    ['LPAD with a long fill', text.padLeft('x', 4, 'ab'), 'abax'],
    ['LPAD cuts', text.padLeft('abc', 2, '0'), 'ab'],
    ['LPAD without a fill', text.padLeft('a', 5, ''), 'a'],
    ['LPAD negative', text.padLeft('a', -1, 'x'), ''],
    ['RPAD', text.padRight('😀', 3, '-'), '😀--'],
    ['POSITION', text.position('é', '😀é'), 2],
    ['POSITION of nothing', text.position('', 'abc'), 1],
    ['POSITION of what is not there', text.position('z', 'abc'), 0],
    ['REPLACE', text.replaceAll('aXa', 'X', '-'), 'a-a'],
    ['REPLACE nothing', text.replaceAll('abc', '', '-'), 'abc'],
    ['REPLACE takes no pattern', text.replaceAll('a.c$&', '.', '$&'), 'a$&c$&'],
    ['SPLIT_PART', text.splitPart('a,b,c', ',', 2), 'b'],
    ['SPLIT_PART from the end', text.splitPart('a,b,c', ',', -1), 'c'],
    ['SPLIT_PART past the end', text.splitPart('a,b,c', ',', 4), ''],
    ['SPLIT_PART without delimiter', text.splitPart('a,b', '', 1), 'a,b'],
    ['REVERSE', text.reverse('a😀é'), 'é😀a'],
    ['REPEAT', text.repeat('ab', 3), 'ababab'],
    ['REPEAT negative', text.repeat('ab', -3), ''],
    ['TRIM', text.trim('xyaxy', 'xy'), 'a'],
    ['LTRIM', text.trimLeft('  a ', ' '), 'a '],
    ['RTRIM', text.trimRight(' a😀😀', '😀'), ' a'],
    ['STARTS_WITH', text.startsWith('abc', 'ab'), true],
    ['CONCAT leaves NULL out', text.concatenate('a', null, 'b'), 'ab'],
    ['CONCAT_WS leaves NULL out', text.concatenateWith('-', 'a', null, 'b'), 'a-b'],
  ];
  for (const [name, actual, expected] of table) assert.is(actual, expected, name);
});

test('impossible arguments fail', () => {
  const table: readonly (readonly [() => unknown, RegExp])[] = [
    [() => text.substring('abc', 1, -1), /SUBSTRING: the length must not be negative/],
    [() => text.splitPart('a', ',', 0), /SPLIT_PART: the field position must not be zero/],
    [() => text.repeat('ab', 2_000_000_000), /REPEAT: the result would be longer than 1048576 characters/],
    [() => text.padLeft('a', 2_000_000_000, 'b'), /LPAD: the result/],
    [() => text.padRight('a', 2_000_000_000, 'b'), /RPAD: the result/],
    [() => text.replaceAll('a'.repeat(10_000), 'a', 'b'.repeat(10_000)), /REPLACE: the result/],
    [() => like('a', '\\', '\\'), /LIKE: the pattern must not end with the escape character/],
    [() => like('a', 'a', '\\\\'), /LIKE: ESCAPE takes one character or none/],
    [() => digest('a', 'sha1'), /DIGEST: the text is not the name of an algorithm; these are sha256, sha512, md5$/],
    [() => encodeText('a', 'base32'), /ENCODE: the text is not the name of an encoding; these are hex, base64$/],
  ];
  for (const [work, message] of table) assert.throws(work, message);
});

test('case mapping is one to one', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['ß', 'ß', 'ß'],
    ['ẞ', 'ẞ', 'ß'],
    ['éÉ', 'ÉÉ', 'éé'],
    ['İ', 'İ', 'i'],
    ['ı', 'I', 'ı'],
    ['ΣΑΣ', 'ΣΑΣ', 'σασ'],
    ['ς', 'Σ', 'ς'],
    ['ŉ', 'ŉ', 'ŉ'],
    ['ﬁ', 'ﬁ', 'ﬁ'],
    ['ǆǅǄ', 'ǄǄǄ', 'ǆǆǆ'],
    ['ᾀᾈ', 'ᾈᾈ', 'ᾀᾀ'],
    ['ᾳᾼ', 'ᾼᾼ', 'ᾳᾳ'],
    ['𐐨', '𐐀', '𐐨'],
    ['日本', '日本', '日本'],
  ];
  for (const [given, up, down] of table) assert.equal([upper(given), lower(given)], [up, down], given);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      assert.equal([text.length(upper(given)), text.length(lower(given))], [text.length(given), text.length(given)]);
    }),
    { numRuns: 500, seed: 11 },
  );
  assert.is(initcap("élan VITAL o'neil x_y 1ab"), "Élan Vital O'Neil X_Y 1ab");
});

test('text sorts by code point', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.is(Math.sign(compareText(a, b)), Math.sign(bytes));
    }),
    { numRuns: 2000, seed: 12 },
  );
  assert.ok(compareText('\u{10000}', '\uffff') > 0);
});

test('LIKE', () => {
  const table: readonly (readonly [string, string, string, boolean])[] = [
    ['abc', 'a%', '\\', true],
    ['abc', '%c', '\\', true],
    ['abc', 'a_c', '\\', true],
    ['abc', '_', '\\', false],
    ['', '%', '\\', true],
    ['', '', '\\', true],
    ['', '_', '\\', false],
    ['a_c', 'a\\_c', '\\', true],
    ['abc', 'a\\_c', '\\', false],
    ['a%', 'a!%', '!', true],
    ['ab', 'a!%', '!', false],
    ['a\\c', 'a\\c', '', true],
    ['😀b', '_b', '\\', true],
    ['mississippi', '%iss%ip%', '\\', true],
    ['mississippi', '%iss%iss%iss%', '\\', false],
    ['a.c', 'a.c', '\\', true],
    ['abc', 'a.c', '\\', false],
    ['ABC', 'abc', '\\', false],
  ];
  for (const [given, pattern, escape, expected] of table)
    assert.is(like(given, pattern, escape), expected, `${given} LIKE ${pattern}`);
  assert.is(ilike('ÉA', 'éa', '\\'), true);
  assert.is(ilike('straße', 'STRASSE', '\\'), false);
});

test('LIKE equals a naive matcher, and no pattern takes exponential time', () => {
  const naive = (given: string, pattern: string): boolean => {
    if (pattern === '') return given === '';
    if (pattern.startsWith('%'))
      return naive(given, pattern.slice(1)) || (given !== '' && naive(given.slice(1), pattern));
    return (
      given !== '' && (pattern.startsWith('_') || pattern[0] === given[0]) && naive(given.slice(1), pattern.slice(1))
    );
  };
  const short = (alphabet: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 });
  fc.assert(
    fc.property(short('ab'), short('ab%_'), (given, pattern) =>
      assert.is(like(given, pattern, '\\'), naive(given, pattern)),
    ),
    { numRuns: 3000, seed: 13 },
  );
  const took = processorMilliseconds(() => assert.is(like('a'.repeat(20_000), `${'%a'.repeat(500)}%b`, '\\'), false));
  assert.ok(took < 2000);
});

/** Pieces of a few letters, so long that no search of the platform finds them, in texts that nearly hold them. */
const letters = (most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '😀'), maxLength: most });
const needles = fc
  .tuple(letters(6), fc.integer({ min: 1, max: 30 }), letters(3))
  .map(([text, times, end]) => text.repeat(times) + end);

test('LIKE with long pieces equals a regular expression', () => {
  const pieces = fc.array(fc.tuple(needles, fc.constantFrom('', '_', '__'), letters(3)), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      pieces,
      fc.array(letters(40), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('', '%'),
      (parts, between, end) => {
        const pattern = parts.map(([a, gap, b]) => a + gap + b).join('%') + end;
        const given = parts
          .map(([a, gap, b], index) => `${a}${'b'.repeat(gap.length)}${b}${between[index] ?? ''}`)
          .join('');
        const oracle = new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su');
        for (const text of [given, `a${given}`, `${given}b`, given.replace('b', 'a')])
          assert.is(like(text, pattern, '\\'), oracle.test(text), `${text} LIKE ${pattern}`);
      },
    ),
    { numRuns: 300, seed: 14 },
  );
});

test('a search finds what the platform finds', () => {
  fc.assert(
    fc.property(needles, letters(80), letters(80), (needle, before, after) => {
      const given = before + needle + after + needle + needle;
      const at = given.indexOf(needle);
      assert.is(text.position(needle, given), at < 0 ? 0 : Array.from(given.slice(0, at)).length + 1);
      if (needle === '') return;
      assert.is(text.replaceAll(given, needle, '-'), given.split(needle).join('-'));
      for (const field of [1, 2, 3, -1])
        assert.is(text.splitPart(given, needle, field), given.split(needle).at(field > 0 ? field - 1 : field) ?? '');
    }),
    { numRuns: 500, seed: 15 },
  );
});

test('no search takes the product of two lengths', () => {
  const [long, half] = ['a'.repeat(200_000), 'a'.repeat(100_000)];
  const took = processorMilliseconds(() => {
    assert.is(like(long, `%${half}b%`, '\\'), false);
    assert.is(like(long, `%${half}b\\`, '\\'), false);
    assert.is(like(long, `%${'a_'.repeat(500).slice(0, -1)}b%`, '\\'), false);
    for (const needle of [`${half}b`, `b${half}`, `${half}b${half.slice(0, 50_000)}`]) {
      assert.is(text.position(needle, long), 0);
      assert.is(text.replaceAll(long, needle, ''), long);
      assert.is(text.splitPart(long, needle, 2), '');
    }
  });
  assert.ok(took < 1500, `${took} ms`);
  assert.throws(
    () => like(long, `%${'a_'.repeat(600)}b%`, '\\'),
    /LIKE: a part of the pattern between two % that has a _ takes at most 1000 characters/,
  );
  assert.is(like(long, `${'a_'.repeat(600)}%`, '\\'), true);
});

test('valid text has neither NUL nor half of a surrogate pair', () => {
  assert.equal(['a😀', 'a\0', '\ud800', 'x\udc00y', '\ud83d\ude00'].map(text.isSoundText), [
    true,
    false,
    false,
    false,
    true,
  ]);
});

test('digests', () => {
  assert.is(
    encodeBytes(digest('abc', 'sha256'), 'hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  assert.is(encodeBytes(digest('', 'MD5'), 'base64'), '1B2M2Y8AsgTpgAmY7PhCfg==');
  assert.is(encodeText('é', 'HEX'), 'c3a9');
  assert.is(
    encodeBytes(digest('abc', 'sha512'), 'base64')
      .split('\n')
      .map((line) => line.length)
      .join(),
    '76,12',
  );
});

test.run();
