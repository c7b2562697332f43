import * as v from 'valibot'

/** A number as arithmetic can bear it: JSON knows 1e999, which is read as Infinity. */
export const finite = v.pipe(v.number(), v.finite())

/** A finite number from zero on. */
export const count = v.pipe(finite, v.minValue(0))
