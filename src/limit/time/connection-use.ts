import type { Line } from '../../client/line.ts'
import { keptRequest } from './course.ts'
import type { WaitOptions } from './survey-waits.ts'

/** What a connection was used for until the target ended it, or it was let be. */
export type ConnectionUse = {
  /** Requests that were answered, the one included whose answer says that it is the last. */
  answered: number
  /** The headers of the first answer. */
  said?: Record<string, string>
  /** How old it was when the last answer came that let it be, in ms. */
  sparedMs: number
  /** How many were answered as the first one was, and how the next was, if it was a refusal. */
  refusal?: { after: number; status: number }
  /** How it ended; absent where it did not. */
  end?: {
    /** Age at the end, in ms. */
    ageMs: number
    /** How long before that the last answer came, in ms. */
    idleMs: number
    /** Whether an answer said so, or it was closed or reset without a word. */
    how: 'announced' | 'closed' | 'reset'
  }
}

/** How long one answer is waited for, in ms. */
const patienceMs = 10_000

/** After how long it is looked up whether to stop, in ms. */
const lookUpMs = 250

/** How a connection is used. */
type UseAsked = {
  most: number
  agesMs?: readonly number[]
  /** When it is let be, in ms of the clock. */
  until?: number
  /** Told of every answer: how many there were, and how old the connection is, in ms. */
  onAnswer?: (answered: number, ageMs: number) => void
}

/**
 * Asks on one connection, at the ages that `agesMs` names or as fast as answers come, until it
 * ends. Returns why, where there is none.
 */
export async function useConnection(
  { maker, ordinary, clock, stopped }: Omit<WaitOptions, 'upToMs'>,
  { most, agesMs, until = Number.POSITIVE_INFINITY, onAnswer }: UseAsked
): Promise<ConnectionUse | string> {
  const line = await maker.open()
  if (typeof line === 'string') return line
  const bytes = keptRequest(ordinary, maker.address)
  const use: ConnectionUse = { answered: 0, sparedMs: 0 }
  const ageMs = () => clock.now() - line.begunAt
  let lastMs = 0
  const isOver = () => stopped() || clock.now() >= until
  while (use.end === undefined && use.answered < most && !isOver()) {
    const dueMs = agesMs?.[use.answered] ?? 0
    while (line.ending === undefined && ageMs() < dueMs && !stopped()) {
      await line.heard(Math.min(250, dueMs - ageMs()))
    }
    if (stopped() || !(await maker.turn())) break
    const askedMs = line.say(bytes) - line.begunAt
    const isLate = () => ageMs() > askedMs + patienceMs
    const isAnswered = await answeredBy(line, use.answered, () => isLate() || stopped())
    // What was given up has no end.
    if (!isAnswered && !line.ending && !isLate()) break
    if (!isAnswered) {
      const { at, how } = line.ending ?? { at: clock.now(), how: 'closed' as const }
      const end = at - line.begunAt
      use.end = { ageMs: end, idleMs: end - lastMs, how }
      break
    }
    const answer = line.answers[use.answered]!
    use.said ??= answer.headers
    const { status } = answer
    if (status >= 400 && status !== line.answers[0]!.status) {
      use.refusal ??= { after: use.answered, status }
    }
    use.answered++
    lastMs = answer.endedAt! - line.begunAt
    onAnswer?.(use.answered, lastMs)
    if (/\bclose\b/i.test(answer.headers.connection ?? '')) {
      use.end = { ageMs: lastMs, idleMs: 0, how: 'announced' }
    } else use.sparedMs = lastMs
  }
  line.close()
  return use
}

/** Whether the answer with this number came before the end. */
async function answeredBy(line: Line, number: number, isLate: () => boolean): Promise<boolean> {
  while (line.answers[number]?.endedAt === undefined) {
    if (line.ending !== undefined || isLate()) return false
    await line.heard(lookUpMs)
  }
  return true
}
