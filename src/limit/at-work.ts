import { isAnswered, type Reply } from '../client/reply.ts'
import { type Answer, unclear } from './answer.ts'
import { against } from './baseline.ts'
import type { Boundary } from './boundary.ts'
import { type ConcurrencyQuestion, hold } from './concurrency.ts'
import { probe } from './probe.ts'

/** The variant in which requests come whole at once, and are worked on at once. */
export const atWork = 'at work'

/** What there is to say of how many a target works on at once; undefined where that is nothing. */
export type AtWork = { boundary: Boundary; status: number } | { because: string } | undefined

/** How it is asked about, and how many are sent at once first. */
export type AtWorkOptions = {
  asking: ConcurrencyQuestion
  /** Whether a request is kept from being worked on by its last byte. */
  isHeld: boolean
  first: number
  repeats: number
  stopped: () => boolean
  onAnswer?: (value: number, answer: Answer) => void
}

/**
 * Over which parts of the time that one takes one too many are spread: they overlap all the same,
 * and a limit on the rate would have let through one more by then.
 */
const spreads = [0.3, 0.5, 0.7]

/** How often each of them is tried. */
const mostTries = 4

/** In less time than this one more does not come for sure while others are worked on, in ms. */
const leastWorkMs = 20

/** How many are asked one after another to see whether it is how many come that is limited. */
const mostAlone = 100

/**
 * How many requests a target works on at once, where that is counted only once they are whole, so
 * that none is turned away while it is held back. All come at once; where some are refused, and one
 * alone right after them is not, the line is looked for. A limit on the rate would draw one, too:
 * as many as are taken have to be taken twice in a row, and one more refused though all of them
 * are spread.
 */
export async function findAtWork(options: AtWorkOptions): Promise<AtWork> {
  const { first, repeats, stopped, onAnswer } = options
  const statuses = new Map<number, number>()
  const ask = async (size: number) => {
    const answer = toldOf(await askAtOnce(size, options), options)
    onAnswer?.(size, answer)
    if (answer.kind === 'rejected') statuses.set(size, answer.evidence.status)
    return answer
  }
  const all = await ask(first)
  if (all.kind !== 'rejected' || stopped()) return
  // Nothing is under way any more: who refuses one now does not count what is.
  if ((await ask(1)).kind !== 'accepted') return
  const readings = [Math.ceil(first / 2)]
  const search = { readings, smallest: 1, resolution: 1, ceiling: first, repeats }
  const boundary = await probe({ ...search, ask, canary: () => ask(1), stopped })
  const because =
    `of ${first} whole ones at once some were refused (${all.because}), one alone was not: ` +
    'how many are at work at once is limited, or how many a second; which, was not to be told'
  const kept = boundary.kind === 'found' ? await isNumber(boundary.accepted!, options) : 'unclear'
  if (kept === 'yes') return { boundary, status: statuses.get(boundary.rejected!) ?? 0 }
  return kept === 'no' || (await isRefusedAlone(options)) ? undefined : { because }
}

/** Whether some are refused that are asked one after another, so that it is by how many come. */
async function isRefusedAlone(options: AtWorkOptions): Promise<boolean> {
  for (let nth = 0; nth < mostAlone && !options.stopped(); nth++) {
    if (toldOf(await askAtOnce(1, options), options).kind === 'rejected') return true
  }
  return false
}

/**
 * Whether it is their number at one time that is limited, and not how many come in some time. On a
 * busy machine those that are spread may come after others have ended, so each is tried again.
 */
async function isNumber(most: number, options: AtWorkOptions) {
  const isRefused = (replies: readonly Timed[]) => toldOf(replies, options).kind === 'rejected'
  const refused = { twice: 0, spread: 0 }
  let [tries, quickestMs] = [0, Number.POSITIVE_INFINITY]
  for (const part of spreads) {
    for (let nth = 0; nth < mostTries && !options.stopped(); nth++) {
      tries++
      const waves = [await askAtOnce(most, options), await askAtOnce(most, options)]
      if (waves.some(isRefused)) {
        refused.twice++
        continue
      }
      const workMs = Math.min(...waves.flat().map(({ tookMs }) => tookMs))
      quickestMs = Math.min(quickestMs, workMs)
      if (!isRefused(await askAtOnce(most + 1, options, part * workMs))) continue
      refused.spread++
      break
    }
  }
  if (refused.spread === spreads.length) return 'yes'
  if (refused.twice === tries) return 'no'
  return refused.spread === 0 && quickestMs >= leastWorkMs ? 'no' : 'unclear'
}

/** What became of so many requests; a connection that is lost says nothing of their number. */
function toldOf(replies: readonly Timed[], { asking }: AtWorkOptions): Answer {
  const answers = replies.map(({ reply }) => {
    if (!isAnswered(reply)) return unclear(reply)
    return against(reply, asking.baseline, { crowding: [], isSame: true })
  })
  const [refused, open] = (['rejected', 'unclear'] as const).map((kind) => {
    return answers.find((answer) => answer.kind === kind)
  })
  return refused ?? open ?? answers[0]!
}

/** A reply, and after how many ms it came once all of its request was sent. */
type Timed = { reply: Reply; tookMs: number }

/** Sends so many whole at once, or spread over so many ms: all but their last bytes come before. */
async function askAtOnce(size: number, options: AtWorkOptions, overMs = 0): Promise<Timed[]> {
  const { asking, isHeld } = options
  const { client, question, clock } = asking
  const release = Promise.withResolvers<number>()
  const sent = Array.from({ length: size }, (_, index) => {
    const dueMs = (index * overMs) / Math.max(1, size - 1)
    const due = release.promise.then(async (at) => {
      if (dueMs > 0) await clock.until(at + dueMs)
    })
    const { held, reply } = isHeld
      ? hold(client, question, due)
      : { held: Promise.resolve(), reply: due.then(() => client.send(question)) }
    const timed = reply.then(async (reply): Promise<Timed> => {
      return { reply, tookMs: clock.now() - (await release.promise) - dueMs }
    })
    return { ready: Promise.race([held, reply]), timed }
  })
  await Promise.all(sent.map(({ ready }) => ready))
  release.resolve(clock.now())
  return Promise.all(sent.map(({ timed }) => timed))
}
