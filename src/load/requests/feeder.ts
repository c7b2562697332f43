import { readFileSync } from 'node:fs'
import { random } from '../../random.ts'
import { parseCsv } from './csv.ts'

/** Gives the row for the n-th iteration, counted over all workers: the same on each of them. */
export type Feeder<Row> = (n: number) => Row

/**
 * In which order iterations get rows: one after the other and again from the beginning; by chance;
 * or one after the other, none twice.
 */
export type RowOrder = 'sequential' | 'random' | 'unique'

/**
 * The rows of a file: an array in JSON, one object a line in NDJSON, or CSV with names in the first
 * line. Throws a SyntaxError when it is something else.
 */
export function readRows<Row = Record<string, string>>(file: string | URL): Row[] {
  const text = readFileSync(file, 'utf8')
  const name = `${file}`
  if (name.endsWith('.csv')) return parseCsv(text) as Row[]
  if (name.endsWith('.ndjson')) {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Row]))
  }
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows)) throw new SyntaxError(`${name} is not an array`)
  return rows as Row[]
}

/**
 * Feeds rows to iterations. Which one depends on the iteration's number only, so that workers need
 * not agree on anything. Throws a RangeError without rows, and when `unique` ones are used up.
 */
export function feed<Row>(
  rows: readonly Row[],
  { order, seed = 0 }: { order: RowOrder; seed?: number }
): Feeder<Row> {
  const { length } = rows
  if (length === 0) throw new RangeError('there are no rows to feed')
  return (n) => {
    if (order === 'random') return rows[Math.floor(random(seed, `row ${n}`)() * length)]!
    if (order === 'sequential') return rows[n % length]!
    if (n >= length) throw new RangeError(`all ${length} rows are used up`)
    return rows[n]!
  }
}
