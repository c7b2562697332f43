import type { Answer } from './answer.ts'
import { besideOf } from './rate-beside.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Refusals, refusalsSeen } from './rate-refusals.ts'
import type { Span } from './rate-span.ts'
import { type Weights, weightsSeen } from './rate-weights.ts'

/** One answer: the target decided on it between `sent` and `answered`, in ms of the clock. */
export type Sighting = {
  kind: Answer['kind']
  status: number
  sent: number
  answered: number
  /** How much of a body there was, in bytes, where that is known. */
  bytes?: number | undefined
}

/** Ask ordinary questions from `at` on (ms of the clock), until one is refused or `most` are. */
export type RateQuestion = {
  at: number
  most: number
  inFlight: number
  /** For how many ms to go on sending at most. */
  forMs: number
  /** Whether each is asked on a connection of its own, so that none is open between two of them. */
  isApart: boolean
  /** How many ms after one the next is sent, whatever is back; 0 to send it as one is. */
  everyMs: number
  /** What there is to say if it cannot be asked any more. */
  soFar: RateLimit
  /** When what is looked for may be decided, in ms of the clock, where that is known. */
  decidedAt?: number | undefined
  /** What else was seen that speaks for what it is, in words. */
  beside?: (() => string | undefined) | undefined
}

/** What yields questions and is given what was seen, in the order of sending. */
export type Questions<Result> = Generator<RateQuestion, Result, readonly Sighting[]>

/** What came of asking until refused. */
export type Burst = {
  accepted: number
  /** When the first request was decided on, and the first refusal, if any. */
  first: Span
  refused?: Span
  /** Milliseconds from the first request to the last acceptance. */
  tookMs: number
  seen: readonly Sighting[]
}

/** How a burst is asked, where it is not as usual: see `RateQuestion`. */
export type BurstManner = Partial<Pick<RateQuestion, Manner>>

type Manner = 'inFlight' | 'forMs' | 'isApart' | 'everyMs'

/** The way to ask, which remembers what all questions have in common. */
export type RateAsker = {
  inFlight: number
  /** How many were accepted just before, so that they count as well until a window has ended. */
  before: number
  /** The same, of which it is not forgotten when it no longer counts. */
  usedBefore: number
  /** All that was seen so far. */
  record: Sighting[]
  soFar: RateLimit
  /** When what is looked for may be decided, in ms of the clock, where that is known. */
  decidedAt?: number | undefined
  /** What else was seen on the way, in words, that is said where there is no limit. */
  remark?: string | undefined
  status?: number
  /** How long an acceptance took at most, and how long a refusal at least, in ms. */
  acceptedMs: number
  refusalMs: number
  /** For how long nothing was accepted, each time. */
  refusals: Refusals
  /** How much those weigh that were accepted. */
  weights: Weights
  /** When the last answer came, and when the last request to be refused was sent. */
  now: number
  refusedAt: number
  burst: (at: number, most?: number, manner?: BurstManner) => Questions<Burst>
  /**
   * Asks one at a time from `at` on until one is accepted, which happens within the span; `gap`
   * says for how long to wait before the next, in ms.
   */
  release: (at: number, gap: () => number) => Questions<Release>
}

/** The end of a refusal: it came within the span, and was seen by a request sent at `sent`. */
export type Release = Span & { sent: number }

const usual = { forMs: Number.POSITIVE_INFINITY, isApart: false, everyMs: 0 }

/** A way to ask with so many requests in flight at once during a burst. */
export function createAsking(inFlight: number, before = 0): RateAsker {
  const because = 'nothing was accepted'
  const asking: RateAsker = {
    inFlight,
    before,
    usedBefore: before,
    record: [],
    soFar: { algorithm: 'unclear', because, repeats: '0/0' },
    acceptedMs: 0,
    refusalMs: Number.POSITIVE_INFINITY,
    refusals: refusalsSeen(),
    weights: weightsSeen(),
    now: Number.NEGATIVE_INFINITY,
    refusedAt: Number.NEGATIVE_INFINITY,
    *burst(at, most = Number.POSITIVE_INFINITY, manner = {}) {
      const { inFlight, soFar, decidedAt } = asking
      return summed(yield* ask({ ...usual, at, most, inFlight, soFar, decidedAt, ...manner }))
    },
    *release(at, gap) {
      for (let next = at; ; next = asking.now + gap()) {
        const after = asking.refusedAt
        const { soFar, decidedAt } = asking
        const one = { at: next, most: 1, inFlight: 1 }
        const seen = yield* ask({ ...usual, ...one, soFar, decidedAt })
        const accepted = seen.find(({ kind }) => kind === 'accepted')
        if (accepted) return { from: after, to: accepted.answered, sent: accepted.sent }
      }
    }
  }
  function* ask(question: RateQuestion): Questions<readonly Sighting[]> {
    const seen = yield { ...question, beside: () => besideOf(asking) }
    asking.record.push(...seen)
    asking.refusals.see(seen)
    asking.weights.see(seen)
    for (const { kind, status, sent, answered } of seen) {
      asking.now = Math.max(asking.now, answered)
      if (kind === 'accepted') asking.acceptedMs = Math.max(asking.acceptedMs, answered - sent)
      if (kind !== 'rejected') continue
      asking.refusalMs = Math.min(asking.refusalMs, answered - sent)
      asking.refusedAt = Math.max(asking.refusedAt, sent)
      asking.status = status
    }
    return seen
  }
  return asking
}

function summed(seen: readonly Sighting[]): Burst {
  const accepted = seen.filter(({ kind }) => kind === 'accepted')
  const refused = seen.find(({ kind }) => kind === 'rejected')
  const { sent, answered } = seen[0] ?? { sent: 0, answered: 0 }
  const last = accepted.reduce((latest, one) => Math.max(latest, one.answered), sent)
  return {
    accepted: accepted.length,
    first: { from: sent, to: answered },
    refused: refused && { from: refused.sent, to: refused.answered },
    tookMs: last - sent,
    seen
  }
}

/** How long each refusal takes to come, in ms, where that is longer than any acceptance took. */
export function tarpitMs({ acceptedMs, refusalMs }: RateAsker): number | undefined {
  const isLate = refusalMs > leastTarpitMs && refusalMs > 2 * acceptedMs
  return isLate && Number.isFinite(refusalMs) ? refusalMs : undefined
}

/** Of less it is not said. */
const leastTarpitMs = 200
