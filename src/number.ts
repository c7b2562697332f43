import * as v from 'valibot'

/** A number as arithmetic can bear it: JSON knows 1e999, which is read as Infinity. */
export const finite = v.pipe(v.number(), v.finite())

/** A finite number from 0 on. */
export const count = v.pipe(finite, v.minValue(0))

/** The same, and no larger than `most`. */
export const from0 = (most: number) => v.pipe(count, v.maxValue(most))

/** A finite number above 0. */
export const above0 = v.pipe(finite, v.gtValue(0))

/** A number above 0 of what may go on for ever: how long, or how often. */
export const lasting = v.pipe(v.number(), v.gtValue(0))

/** A whole number from 1 on, and no larger than `most`. */
export const whole = (most = Infinity) =>
  v.pipe(finite, v.integer(), v.minValue(1), v.maxValue(most))

/** A share of a whole as a percentage, of so many significant digits: `2.5 %`. */
export function percent(share: number, digits = 3): string {
  return `${Number((share * 100).toPrecision(digits))} %`
}
