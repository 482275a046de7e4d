"use strict";
/* Exact arithmetic for the audit page.

   A number is an enclosure {lo, hi} of two fractions of BigInts; lo = hi for every number that is
   rational. Only ln and exp widen it. A ceiling, a floor or a comparison that an enclosure does not
   decide throws Undecided: nothing is ever rounded to the nearest. */

class Undecided extends Error {}

const PRECISION = 320n; // bits after the binary point of ln and exp
const UNIT = 1n << PRECISION;

const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
const fraction = (n, d = 1n) => {
  if (d < 0n) [n, d] = [-n, -d];
  const common = gcd(n, d) || 1n;
  return { n: n / common, d: d / common };
};
const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
const minus = (a) => ({ n: -a.n, d: a.d });
const inverse = (a) => fraction(a.d, a.n);
const compare = (a, b) => { const c = a.n * b.d - b.n * a.d; return c < 0n ? -1 : c > 0n ? 1 : 0; };
const floorOf = (a) => a.n >= 0n ? a.n / a.d : -((-a.n + a.d - 1n) / a.d);
const ceilOf = (a) => -floorOf(minus(a));
const lesser = (a, b) => compare(a, b) <= 0 ? a : b;
const greater = (a, b) => compare(a, b) >= 0 ? a : b;

const exact = (a) => ({ lo: a, hi: a });
const whole = (n) => exact(fraction(BigInt(n)));
const isExact = (x) => compare(x.lo, x.hi) === 0;
const rational = (x) => {
  if (!isExact(x)) throw new Undecided("a rational number is needed here");
  return x.lo;
};
const integer = (x) => {
  const value = rational(x);
  if (value.d !== 1n) throw new RangeError("an integer is needed here");
  return value.n;
};

/* A text such as "0.05", "1/20" or "1e-3" as an exact fraction; null if it is none. */
function parsed(text) {
  const ratio = /^\s*(\d{1,99})\s*(?:\/\s*(\d{1,99}))?\s*$/.exec(text);
  if (ratio) return ratio[2] && !BigInt(ratio[2]) ? null : fraction(BigInt(ratio[1]), BigInt(ratio[2] || 1));
  const decimal = /^\s*(\d{0,99})\.?(\d{0,99})(?:e(-?\d{1,3}))?\s*$/i.exec(text);
  if (!decimal || !(decimal[1] + decimal[2])) return null;
  const power = BigInt(decimal[3] || 0) - BigInt(decimal[2].length);
  const digits = BigInt(decimal[1] + decimal[2]);
  return power >= 0n ? fraction(digits * 10n ** power) : fraction(digits, 10n ** -power);
}

const add = (x, y) => ({ lo: plus(x.lo, y.lo), hi: plus(x.hi, y.hi) });
function multiply(x, y) {
  if (isExact(x) && isExact(y)) return exact(times(x.lo, y.lo));
  const all = [times(x.lo, y.lo), times(x.lo, y.hi), times(x.hi, y.lo), times(x.hi, y.hi)];
  return { lo: all.reduce(lesser), hi: all.reduce(greater) };
}
function inverted(x) {
  if (x.lo.n <= 0n && x.hi.n >= 0n) throw new RangeError("division by 0");
  return { lo: inverse(x.hi), hi: inverse(x.lo) };
}
const sum = (...terms) => terms.reduce(add);
const product = (...factors) => factors.reduce(multiply);
const max = (...all) => all.reduce((x, y) => ({ lo: greater(x.lo, y.lo), hi: greater(x.hi, y.hi) }));
const min = (...all) => all.reduce((x, y) => ({ lo: lesser(x.lo, y.lo), hi: lesser(x.hi, y.hi) }));
function decided(x, round) {
  const below = round(x.lo), above = round(x.hi);
  if (below !== above) throw new Undecided("too close to an integer");
  return whole(below);
}
const ceiling = (x) => decided(x, ceilOf);
const floor = (x) => decided(x, floorOf);
const choice = (left, right, then, otherwise) => compare(rational(left), rational(right)) >= 0 ? then() : otherwise();
function raised(x, exponent) {
  const base = rational(x), many = integer(exponent);
  if (many >= 0n) return exact({ n: base.n ** many, d: base.d ** many });
  return exact(fraction(base.d ** -many, base.n ** -many));
}

/* ln of a fraction q/p in units of 2^−PRECISION, rounded down; the truth is less than `slack` above.
   q/p = 2^k·m with 2/3 ≤ m ≤ 4/3, and ln m = 2·(z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1). */
const bits = (n) => BigInt(n.toString(2).length);
function atanhTwice(n, d) {
  let power = (n << PRECISION) / d, sum = 0n;
  const square = (power * power) >> PRECISION;
  for (let i = 1n; power !== 0n && power !== -1n; i += 2n) {
    sum += (2n * power) / i;
    power = (power * square) >> PRECISION;
  }
  return sum;
}
const SLACK = 1n << 14n; // far more than the total error of the roundings above, a few units each
const LN2 = atanhTwice(1n, 3n);
function logarithm(q) {
  if (q.n <= 0n) throw new RangeError("ln of a number that is not positive");
  let k = bits(q.n) - bits(q.d), n = q.n, d = q.d;
  if (k >= 0n) d <<= k; else n <<= -k;
  if (3n * n > 4n * d) { k += 1n; d <<= 1n; }
  const middle = k * LN2 + atanhTwice(n - d, n + d);
  const error = SLACK * ((k < 0n ? -k : k) + 1n);
  return { lo: fraction(middle - error, UNIT), hi: fraction(middle + error, UNIT) };
}
function log(x) {
  if (isExact(x) && x.lo.n === x.lo.d) return whole(0);
  return { lo: logarithm(x.lo).lo, hi: logarithm(x.hi).hi };
}

/* exp of a fraction: exp(q) = exp(q/2^j)^(2^j), each product rounded outwards. */
function exponential(q) {
  const j = 8n + (bits(q.n < 0n ? -q.n : q.n) > bits(q.d) ? bits(q.n < 0n ? -q.n : q.n) - bits(q.d) : 0n);
  const small = floorOf(times(q, fraction(UNIT, 1n << j)));
  let term = UNIT, sum = UNIT;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    term = (term * small) / (i << PRECISION);
    sum += term;
  }
  let lo = sum - SLACK, hi = sum + SLACK;
  for (let i = 0n; i < j; i++) {
    lo = (lo * lo) >> PRECISION;
    hi = ((hi * hi) >> PRECISION) + 1n;
  }
  return { lo: fraction(lo, UNIT), hi: fraction(hi, UNIT) };
}
const exp = (x) => ({ lo: exponential(x.lo).lo, hi: exponential(x.hi).hi });

/* A chance rounded up to a multiple of 2^(−64−k), where 2^k is the least power above 1/δ. */
function upwards(chance, allowed) {
  const delta = rational(allowed), grain = 1n << (64n + bits(delta.d / delta.n));
  return exact(fraction(integer(ceiling(multiply(chance, whole(grain)))), grain));
}

/* The least n ≥ 0 with rateⁿ ≤ target, in integers; 0 if the target is a division by 0, which counts as infinite. */
function leastPower(base, aim) {
  let target;
  try {
    target = rational(aim());
  } catch (error) {
    if (error.message === "division by 0") return whole(0);
    throw error;
  }
  const rate = rational(base);
  const enough = (n) => rate.n ** n * target.d <= rate.d ** n * target.n;
  let high = 1n, low = 0n;
  if (enough(0n)) return whole(0);
  while (!enough(high)) { low = high; high *= 2n; }
  while (high - low > 1n) { const n = (low + high) / 2n; if (enough(n)) high = n; else low = n; }
  return whole(high);
}

/* The checks of located STEEL, as theory/validation.py counts them: fixed point, rounded up. */
function checks(...given) {
  const [epsilon, distance, share] = given.map(rational), error = lesser(epsilon, fraction(1n, 2n));
  const unit = 1n << (240n + bits(ceilOf(inverse(error))));
  const ceilDiv = (a, b) => (a + b - 1n) / b;
  const fixed = (q) => ceilDiv(q.n * unit, q.d);
  const moved = ([[p, q], [r, s]], [a, b]) => [ceilDiv(p * a + q * b, unit), ceilDiv(r * a + s * b, unit)];
  const squared = (m) => {
    const [[p, q], [r, s]] = m, [a, c] = moved(m, [p, r]), [b, d] = moved(m, [q, s]);
    return [[a, b], [c, d]];
  };
  // Whether b + η·a, in units, is below the limit, or at most the limit.
  const bound = ([a, b]) => fraction(b * distance.d + distance.n * a, distance.d * unit);
  const until = (step, state, enough) => {
    if (enough(state)) return [0n, state];
    const powers = [step];
    let first = moved(step, state);
    while (!enough(first)) {
      powers.push(squared(powers[powers.length - 1]));
      first = moved(powers[powers.length - 1], state);
    }
    let taken = 0n;
    for (let i = powers.length - 1; i >= 0; i--) {
      const further = moved(powers[i], state);
      if (enough(further)) first = further;
      else { state = further; taken += 1n << BigInt(i); }
    }
    return [taken + 1n, first];
  };
  const last = [fixed(times(error, distance)), fixed(plus(fraction(1n), minus(error)))];
  const [held, state] = until([[unit, 0n], last], [unit, unit], (v) => compare(bound(v), fraction(1n)) < 0);
  const [more] = until([[fixed(distance), unit], last], state, (v) => compare(bound(v), share) <= 0);
  return whole(held + more);
}

/* The largest period at which a call takes the most steps; see theory/bounds.py. */
function worstPeriod(values) {
  const states = integer(values.states), mixing = integer(values.mixing_time), word = integer(values.word_length);
  let best = null, most = -1n;
  for (let period = 1n; period <= states; period++) {
    const length = period * word, rounds = (mixing + length - 1n) / length;
    period = rounds === 1n ? states : (mixing - 1n) / (word * (rounds - 1n));
    if (period > states) period = states;
    const tried = { ...values, period: whole(period) };
    for (const key of ["n_0", "stride", "c"]) tried[key] = DEFINITIONS[key](tried);
    const steps = integer(DEFINITIONS.call_steps(tried));
    if (steps >= most) [best, most] = [period, steps];
  }
  return whole(best);
}

/* The values so far; asking for one that is not decided is itself undecided. */
const known = (values) => new Proxy(values, {
  get(all, key) {
    if (all[key] === undefined) throw new Undecided(`${key} is not decided`);
    return all[key];
  },
});

/* All values, in the order of the definitions; what cannot be decided is null, and so is what needs it. */
function evaluateAll(definitions, given) {
  const values = { ...given }, found = {};
  for (const [key, formula] of Object.entries(definitions)) {
    try {
      values[key] = formula(known(values));
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
    }
    found[key] = values[key] ? rational(values[key]) : null;
  }
  return found;
}
