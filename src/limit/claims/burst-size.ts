import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'

/** Whom to ask one after another, and for how long to rest so that all is back, in ms. */
export type BurstSizeAsked = {
  ask: () => Promise<Reply>
  judge: (reply: Reply) => Answer
  clock: Clock
  stopped: () => boolean
  signal?: AbortSignal | undefined
  restMs: number
  /** How many are let through one after another, with what is back meanwhile. */
  level: number
}

/** How many a bucket takes at once, and how many are back each ms at most. */
export type BurstSize = { level: number; perMs: number }

/** How often it is found out; all of them have to agree. */
const looks = 3

/** For how many times as long it is asked on as one after another was taken, and how many of it. */
const longer = 2
const fewest = 12

/** How far apart those that are back may be at most, in times of what they are on average. */
const gaps = 3

/** By what part looks may differ. */
const apart = 0.25

/** The least that a bucket holds: of a log that is asked as slowly as it forgets less is left. */
const leastHeld = 6
const leastShare = 1 / 6

/**
 * How many a bucket takes at once, where so much is back while one after another is asked that many
 * more than that are let through. It shows as one is refused and asked on: what is back comes one
 * at a time and evenly from there, unlike that of a window, a log or a counter, and as much of it
 * came before. Undefined where looks differ, or what comes back is not like that.
 */
export async function burstSizeOf(asked: BurstSizeAsked): Promise<BurstSize | undefined> {
  const seen: BurstSize[] = []
  while (seen.length < looks) {
    const one = await sizeSeen(asked)
    if (!one) return
    seen.push(one)
  }
  const levels = seen.map(({ level }) => level)
  const rates = seen.map(({ perMs }) => perMs)
  const [most, fastest] = [Math.max(...levels), Math.max(...rates)]
  // The counts of a counter that is met in another part of its window each time differ by more.
  const isSame = most - Math.min(...levels) <= Math.max(1.5, apart * most)
  if (!isSame || fastest > (1 + apart) * Math.min(...rates)) return
  return { level: Math.ceil(most), perMs: fastest }
}

type Asked = { kind: Answer['kind']; sent: number; answered: number }

async function sizeSeen(asked: BurstSizeAsked): Promise<BurstSize | undefined> {
  const { clock, stopped, signal, restMs, level } = asked
  await clock.until(clock.now() + restMs, signal)
  const taken: Asked[] = []
  let refused: Asked | undefined
  while (!refused && !stopped() && taken.length <= 2 * level) {
    const one = await ask(asked)
    if (one.kind === 'accepted') taken.push(one)
    else if (one.kind === 'rejected') refused = one
    else return
  }
  const [first, last] = [taken[0], taken.at(-1)]
  if (!refused || !first || !last) return
  const tookMs = last.sent - first.answered
  const after = await askedOn(asked, { refused, forMs: longer * tookMs })
  const back = after.filter(({ kind }) => kind === 'accepted')
  if (back.length < fewest || back.length > 0.8 * after.length) return
  const span = [back.at(-1)!.sent - back[0]!.answered, back.at(-1)!.answered - back[0]!.sent]
  const [slowest, fastest] = [(back.length - 2) / span[1]!, (back.length + 1) / span[0]!]
  const all = [refused, ...back]
  const isEven = back.every((one, nth) => one.answered - all[nth]!.sent <= gaps / slowest)
  const held = taken.length - slowest * tookMs
  if (!isEven || held < Math.max(leastHeld, leastShare * taken.length)) return
  return { level: held, perMs: fastest }
}

async function askedOn(
  asked: BurstSizeAsked,
  { refused, forMs }: { refused: Asked; forMs: number }
): Promise<Asked[]> {
  const { clock, stopped, level } = asked
  const seen: Asked[] = []
  const isOver = () => clock.now() > refused.answered + forMs
  let back = 0
  while (!stopped() && seen.length < 10 * level && !(isOver() && back >= fewest)) {
    // Who has nothing back for as long as all of it took is no bucket.
    if (isOver() && back === 0) break
    const one = await ask(asked)
    seen.push(one)
    if (one.kind === 'accepted') back++
  }
  return seen
}

async function ask({ ask: question, judge, clock }: BurstSizeAsked): Promise<Asked> {
  const sent = clock.now()
  const { kind } = judge(await question())
  return { kind, sent, answered: clock.now() }
}
