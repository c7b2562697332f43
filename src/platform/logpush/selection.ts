import { hash } from 'node:crypto'
import { type FieldType, typeOf } from './dataset.ts'
import type { Condition, Filter } from './filter.ts'
import type { Dataset, Fields } from './record.ts'

type Compare = (value: any, other: any) => boolean

/** The decisions by which a job takes a record or leaves it. */
export const selection = {
  /** Operators by name; the field's value, and what it is compared with. */
  compare: {
    eq: (value, other) => value === other,
    contains: (value, other) => value.includes(other),
    startsWith: (value, other) => value.startsWith(other),
    endsWith: (value, other) => value.endsWith(other),
    lt: (value, other) => value < other,
    leq: (value, other) => value <= other,
    gt: (value, other) => value > other,
    geq: (value, other) => value >= other
  } as Record<string, Compare>,
  /** What becomes of the results below an `and` or `or`; `depth` is 0 right under `where`. */
  combine: (word: 'and' | 'or', results: readonly boolean[], _depth: number): boolean =>
    word === 'and' ? results.every(Boolean) : results.some(Boolean),
  /**
   * Whether a record is among the share that a sample rate keeps. It is decided by the request's
   * id, so that all jobs with the same rate keep the same requests.
   */
  isSampled(rate: number, fields: Fields): boolean {
    if (rate >= 1) return true
    const key = typeof fields.RayID === 'string' ? fields.RayID : JSON.stringify(fields)
    return Number.parseInt(hash('sha256', key).slice(0, 8), 16) / 2 ** 32 < rate
  }
}

/** The shape of `selection`. */
export type Selection = typeof selection

/** Whether a record passes a filter. */
export function passes(
  rules: Selection,
  { filter, dataset, fields }: { filter: Filter; dataset: Dataset; fields: Fields }
): boolean {
  const holds = (part: Filter, depth: number): boolean =>
    'below' in part
      ? rules.combine(
          part.word,
          part.below.map((one) => holds(one, depth + 1)),
          depth
        )
      : isTrue(rules, part, { type: typeOf(dataset, part.key)!, value: fields[part.key] })
  return holds(filter, 0)
}

/** A field that a record does not have is equal to nothing, and contains nothing. */
function isTrue(
  { compare }: Selection,
  { operator, values }: Condition,
  { type, value }: { type: FieldType; value: unknown }
): boolean {
  const plain = operator.replace(/^!/, '')
  const name = plain === 'in' ? 'eq' : plain
  const isFound =
    value !== undefined && values.some((other) => compare[name]!(value, typed(other, type)))
  return isFound === (plain === operator)
}

function typed(text: string, type: FieldType): unknown {
  if (type === 'integer') return Number(text)
  return type === 'flag' ? text === 'true' : text
}
