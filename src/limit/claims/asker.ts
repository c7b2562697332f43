import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import { claimsOf } from './claimed.ts'
import type { Row } from './row.ts'
import { createServerClock } from './server-clock.ts'
import type { StatedLimits } from './stated-limits.ts'
import { createUnits } from './told-unit.ts'

/** How to ask one ordinary question, and how to read its answer. */
export type AskerOptions = {
  ask: () => Promise<Reply>
  /** Whether an answer is a refusal. */
  judge: (reply: Reply) => Answer
  clock: Clock
  /** What is claimed apart from what answers say. */
  stated?: StatedLimits | undefined
  /** The answers to so many that go out together. */
  together?: (count: number) => Promise<Reply[]>
}

/** Asks one question, or many at once where that can be done; what came of it, with its claims. */
export type Asker = {
  ask: () => Promise<Row>
  /** What came of all that were asked one after another, in order. */
  asked: readonly Row[]
  together?: (count: number) => Promise<Row[]>
}

/** An asker by one question. */
export function createAsker({ ask, judge, clock, stated, together }: AskerOptions): Asker {
  const asked: Row[] = []
  const units = createUnits()
  const day = createServerClock()
  const rowOf = (reply: Reply, sent: number): Row => {
    const { kind, because } = judge(reply)
    const answered = clock.now()
    const claims = claimsOf(reply, answered)
    claims.limit.push(...(stated?.limit ?? []))
    claims.windowMs.push(...(stated?.windowMs ?? []))
    const row = { kind, because, status: reply.status, sent, answered, claims }
    units.see(row)
    day.see(row, reply)
    return row
  }
  return {
    asked,
    async ask() {
      const sent = clock.now()
      const row = rowOf(await ask(), sent)
      asked.push(row)
      return row
    },
    ...(together && {
      async together(count) {
        const sent = clock.now()
        return (await together(count)).map((reply) => rowOf(reply, sent))
      }
    })
  }
}
