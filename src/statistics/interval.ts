/** A closed interval of real numbers; an end that the data cannot bound is infinite. */
export type Interval = { low: number; high: number }
