import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { processorMilliseconds } from '../kit/processor-time.ts';
import { Failure } from '../../language/failure/failure.ts';
import * as decimal from '../../language/values/decimal.ts';

/** The oracle: a fraction of two integers, rounded by comparing twice the rest with the divisor. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}
const fraction = (unscaled: bigint, scale: number): Fraction => ({ over: unscaled, under: 10n ** BigInt(scale) });
const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
const by = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under, under: a.under * b.over });

/** Half away from zero at a scale, or R0202 past 18 digits. */
function rounded({ over, under }: Fraction, scale: number): bigint | string {
  const negative = over < 0n !== under < 0n;
  const [n, d] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const shifted = n * 10n ** BigInt(scale);
  const size = shifted / d + ((shifted % d) * 2n >= d ? 1n : 0n);
  const value = negative ? -size : size;
  return size < 10n ** 18n ? value : 'R0202';
}
function outcome(work: () => bigint): bigint | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

const unscaled = fc.oneof(
  fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.constantFrom(0n, 1n, -1n, 5n, -5n, 10n ** 18n - 1n, 1n - 10n ** 18n),
);
const scale = fc.integer({ min: 0, max: 18 });
const options: fc.Parameters<unknown> = { numRuns: 1500, seed: Number(process.env['SEED'] ?? 7) };

test('sums, differences, products and quotients equal those of fractions', () => {
  fc.assert(
    fc.property(unscaled, scale, unscaled, scale, (a, p, b, q) => {
      const [x, y] = [fraction(a, p), fraction(b, q)];
      const larger = Math.max(p, q);
      assert.equal(
        outcome(() => decimal.addDecimal(a, b, p, q)),
        rounded(plus(x, y), larger),
      );
      assert.equal(
        outcome(() => decimal.subtractDecimal(a, b, p, q)),
        rounded(plus(x, fraction(-b, q)), larger),
      );
      const product = Math.min(p + q, Math.max(6, p, q));
      assert.equal(
        outcome(() => decimal.multiplyDecimal(a, b, p + q - product)),
        rounded(times(x, y), product),
      );
      const quotient = Math.max(6, p, q);
      const divided = outcome(() => decimal.divideDecimal(a, b, quotient - p + q));
      assert.equal(divided, b === 0n ? 'R0201' : rounded(by(x, y), quotient));
    }),
    options,
  );
});

test('rounding, truncation and the remainder', () => {
  fc.assert(
    fc.property(unscaled, scale, fc.integer({ min: -20, max: 20 }), (a, p, places) => {
      const unit = fraction(10n ** BigInt(Math.max(0, -places)), Math.max(0, places));
      const shown = Math.max(0, Math.min(places, p));
      const whole = rounded(by(fraction(a, p), unit), 0);
      const expected =
        places >= p
          ? a * 10n ** BigInt(shown - p)
          : typeof whole === 'bigint'
            ? rounded(times(fraction(whole, 0), unit), shown)
            : whole;
      assert.equal(
        outcome(() => decimal.roundDecimal(a, p, places, shown)),
        expected,
      );
    }),
    options,
  );
  const table: readonly (readonly [string, bigint, bigint])[] = [
    ['ROUND(2.5) = 3', decimal.roundDecimal(25n, 1, 0, 0), 3n],
    ['ROUND(-2.5) = -3', decimal.roundDecimal(-25n, 1, 0, 0), -3n],
    ['ROUND(2.45, 1) = 2.5', decimal.roundDecimal(245n, 2, 1, 1), 25n],
    ['ROUND(1250, -2) = 1300', decimal.roundDecimal(1250n, 0, -2, 0), 1300n],
    ['TRUNC(-2.9) = -2', decimal.truncateDecimal(-29n, 1, 0, 0), -2n],
    ['CEIL(-2.1) = -2', decimal.ceilDecimal(-21n, 1), -2n],
    ['FLOOR(-2.1) = -3', decimal.floorDecimal(-21n, 1), -3n],
    ['FLOOR(2.0) = 2', decimal.floorDecimal(20n, 1), 2n],
    ['7.5 % 2 = 1.5', decimal.moduloDecimal(75n, 2n, 1, 0), 15n],
    ['-7.5 % 2 = -1.5', decimal.moduloDecimal(-75n, 2n, 1, 0), -15n],
  ];
  for (const [name, actual, expected] of table) assert.is(actual, expected, name);
});

test('text is read exactly', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['12', '12'],
    ['-12.50', '-12.5'],
    ['+.5', '0.5'],
    ['5.', '5'],
    ['0.00', '0'],
    ['-0', '0'],
    ['1e-3', '0.001'],
    ['12.5E2', '1250'],
    ['000100.0010', '100.001'],
    ['999999999999999999.999999999999999999', '999999999999999999.999999999999999999'],
    ['', undefined],
    ['.', undefined],
    ['1e', undefined],
    ['1.2.3', undefined],
    ['0x10', undefined],
    ['1_000', undefined],
    [' 1', undefined],
    ['NaN', undefined],
    ['١', undefined],
  ];
  for (const [text, expected] of table) {
    const written = decimal.parseDecimal(text);
    assert.is(written && decimal.printDecimal(written.unscaled, written.scale), expected, text);
  }
});

test('hostile numbers are refused quickly', () => {
  const took = processorMilliseconds(() => {
    for (const text of ['1e999999999', '-1e999999999', '9'.repeat(1_000_000), `1${'0'.repeat(1_000_000)}`]) {
      const written = decimal.parseDecimal(text);
      assert.ok(written !== undefined && !decimal.hasDigits(written.unscaled, 40), text.slice(0, 20));
    }
    for (const text of ['1e-999999999', `0.${'0'.repeat(1_000_000)}1`]) {
      const written = decimal.parseDecimal(text);
      assert.ok(
        written !== undefined && written.scale > 18 && decimal.rescale(written.unscaled, written.scale, 18) === 0n,
        text.slice(0, 20),
      );
    }
    const tail = decimal.parseDecimal(`0.5${'0'.repeat(500_000)}1`);
    assert.is(tail && decimal.rescale(tail.unscaled, tail.scale, 0), 1n);
  });
  assert.ok(took < 2000);
});

test('printing and reading are inverse', () => {
  fc.assert(
    fc.property(unscaled, scale, (value, places) => {
      const written = decimal.parseDecimal(decimal.printDecimal(value, places));
      assert.ok(written);
      assert.is(decimal.rescale(written.unscaled, written.scale, places), value);
    }),
    options,
  );
  assert.is(decimal.printDecimal(1230n, 2), '12.30');
  assert.is(decimal.printDecimal(-5n, 2), '-0.05');
  assert.is(decimal.printDecimal(12_300_000n, 6, true), '12.3');
  assert.is(decimal.printDecimal(12_000_000n, 6, true), '12');
  assert.is(decimal.printDecimal(0n, 6, true), '0');
});

test('a value that does not fit is refused with its type and field', () => {
  try {
    decimal.fitDecimal(1000n, 3, 2, 'amount');
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Failure);
    assert.equal(
      [(error as Failure).code, (error as Failure).message],
      ['R0202', 'a value does not fit DECIMAL(3,2) in amount'],
    );
  }
});

test.run();
