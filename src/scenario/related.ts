import type { Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import { isServed, isTurnedBack } from './redirects.ts'
import type { Changes } from './request-parts.ts'

/** What else may have to go with a value that a limit is asked about. */
export type Relation = {
  /**
   * Places of numbers, or dates, that it may have to be less than, or more, or not without; of one
   * of some kinds, of what is called as they are.
   */
  related?: readonly string[]
  /** Up to here the number, or the length of a text, is one that is taken. */
  upTo?: number
  /** How far the number next to it is away; default: 1. */
  step?: number
  /** A text that is taken: where one that was made up is not, one as long that keeps its shape. */
  like?: string
}

/** An answer, and which value stood beside the one that was asked about, where one had to. */
export type RelatedReply = { reply: Reply; beside?: Beside }

/** What stands at another place: so much more than the value, what is usual there, or a value. */
type Beside = { place: string; by: number | 'usual' | { value: unknown } }

/** Statuses by which a value is turned down for what it is. */
const refusals: readonly number[] = [400, 422]

const day = 86_400_000
const dated = /^(\d{4}-\d\d-\d\d)(T.*)?$/

/** A number that is so much more, or a date by so many days. */
function moved(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value + by
  const [, date = '', time = ''] = dated.exec(String(value)) ?? []
  return `${new Date(Date.parse(date) + by * day).toISOString().slice(0, 10)}${time}`
}

/** Whether a value is a number or a date, of which one is more than another. */
const isOrdered = (value: unknown) =>
  typeof value === 'number' ||
  (typeof value === 'string' && !Number.isNaN(Date.parse(dated.exec(value)?.[1] ?? '')))

/** The same changes with what stands beside the value by such a relation. */
export function besideOf(
  changes: Changes,
  { place, by }: Beside,
  usual: Readonly<Record<string, unknown>> = {}
): Changes {
  const [value] = Object.values(changes)
  if (by === 'usual') return { ...changes, [place]: usual[place] }
  return { ...changes, [place]: typeof by === 'object' ? by.value : moved(value, by) }
}

/**
 * The answer to a request with a changed number, or date: where that is turned down, to one in
 * which another goes with it, where such a one is taken. A smallest price may be no more than the
 * largest, a latitude not without a longitude, of which `usual` has one. What is of one of some
 * kinds, `card`, may need what is called so; one of `others` may have to be another one there.
 */
export async function asRelated(
  ask: (context: Context, changes: Changes) => Promise<Reply>,
  context: Context,
  options: {
    changes: Changes
    related: readonly string[] | undefined
    usual?: Readonly<Record<string, unknown>>
    others?: readonly unknown[]
  }
): Promise<RelatedReply> {
  const { changes, related = [], usual = {}, others = [] } = options
  const reply = await ask(context, changes)
  const [value] = Object.values(changes)
  if (!refusals.includes(reply.status) && !isTurnedBack(reply)) return { reply }
  for (const place of related) {
    const isUsual = usual[place] !== undefined && usual[place] !== value
    const ways: Beside['by'][] = isOrdered(value) ? [0, 1, -1] : others.map((value) => ({ value }))
    for (const by of isUsual ? [...ways, 'usual' as const] : ways) {
      const beside = { place, by }
      const other = await ask(context, besideOf(changes, beside, usual))
      if (isServed(other)) return { reply: other, beside }
    }
  }
  return { reply }
}

/** What of an answer is the same wherever it is given for the same reason. */
const said = ({ status, body }: Reply) =>
  `${status} ${body.replaceAll(/[\da-f]{8}-[\da-f-]{27}|[\d.]+/gi, '#')}`

/** Whether two refusals are for the same reason, as far as they say so. */
export const areAlike = (one: Reply, other: Reply): boolean => said(one) === said(other)
