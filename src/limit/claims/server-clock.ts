import type { Reply } from '../../client/reply.ts'
import { onTheWayMs } from './check.ts'
import type { Row } from './row.ts'

/** In how many ms `Date` is told. */
const dateMs = 1_000

/** A clock of a server, by how many ms it is ahead of ours: no less, and less than. */
type Ahead = { least: number; most: number }

/**
 * What learns from answers how far a server's clock is ahead, and sets the times of day that they
 * told right by that, those before as well. A `Date` is the whole second in which an answer was
 * made, between its question and its arrival: one that comes just after a new second says how far
 * its clock is ahead at least, to a few ms. A server that keeps a Date for a while has a clock that
 * is further ahead, never less. Where Dates are not of one clock, each answer is read by its own.
 */
export function createServerClock(): { see: (row: Row, reply: Pick<Reply, 'headers'>) => void } {
  const ahead: Ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }
  let told: Row[] = []
  let isOne = true
  return {
    see(row, { headers }) {
      const dated = Date.parse(headers.date ?? '')
      // What a cache kept was dated when it came there.
      if (Number.isNaN(dated) || headers.age !== undefined || !isOne) return
      const { least } = ahead
      ahead.least = Math.max(least, dated - row.answered)
      ahead.most = Math.min(ahead.most, dated + dateMs - row.sent)
      told.push(row)
      isOne = ahead.least <= ahead.most + onTheWayMs
      if (!isOne) {
        for (const one of told) setRight(one, undefined)
        told = []
      } else {
        for (const one of ahead.least > least ? told : [row]) setRight(one, ahead.least)
      }
    }
  }
}

/** Sets the times that an answer told right by a clock that is so many ms ahead, or by its Date. */
function setRight({ claims, answered }: Row, ahead: number | undefined): void {
  for (const one of [...claims.resetMs, ...claims.retryMs]) {
    if (one.day) one.value = one.day.at - (ahead === undefined ? one.day.date : answered + ahead)
  }
}
