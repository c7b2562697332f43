import { isAnswered, isEvidence, isRedirect, type Reply, said } from '../client/reply.ts'
import type { Clock } from '../clock.ts'
import { type Answer, accepted, improper, rejected, unclear } from './answer.ts'
import { formOf } from './form.ts'
import { type Marks, marksOf } from './marks.ts'

/** What an endpoint answers to an ordinary request, against which all other answers are told. */
export type Baseline = {
  status: number
  slowestMs: number
  /** What its body is like, see `formOf`; undefined where that changes from answer to answer. */
  form?: string | undefined
  /** What answers are like that have no form in common. */
  varied?: readonly Marks[]
  /** How many answers were asked for, and how many of them were as usual. */
  asked?: { all: number; usual: number }
  /** Whether an answer of the usual status is a refusal all the same, where that was learnt. */
  isSoft?: (reply: Reply) => boolean
}

const looks = 3

/** How long to wait after a success and a refusal for asking too fast, in ms, then twice that. */
const firstWaitMs = 100
const usualWaitMs = 3_200

/**
 * Asks an ordinary request until it is clear what is usual; a reason in words when it is not. With
 * a clock it waits for whoever takes fewer than that at once: it is asked again after a success
 * that a refusal follows, by a status or by closing the connection, up to `mostMs` at a time.
 */
export async function findBaseline(
  ask: () => Promise<Reply>,
  clock?: Clock,
  mostMs = usualWaitMs
): Promise<Baseline | string> {
  const replies: Reply[] = []
  let [all, waitMs] = [0, firstWaitMs]
  while (replies.length < looks) {
    const reply = await ask()
    all++
    const wasTaken = replies.some((one) => isTaken(one))
    if (clock && wasTaken && isRefusal(reply) && waitMs <= mostMs) {
      await clock.until(clock.now() + waitMs)
      waitMs *= 2
      continue
    }
    if (!isAnswered(reply)) {
      return wasTaken ? `answered ${replies[0]!.status}, then ${reply.because}` : reply.because
    }
    replies.push(reply)
    if (isTaken(reply)) waitMs = firstWaitMs
  }
  const [status, ...others] = new Set(replies.map((reply) => reply.status))
  if (others.length > 0) return `the same request is answered ${[status, ...others].join(' and ')}`
  const [form, ...forms] = new Set(replies.map(formOf))
  const slowestMs = Math.max(...replies.map(({ ms }) => ms))
  const isVaried = forms.length > 0
  const asked = { all, usual: replies.length }
  const like = isVaried ? { varied: replies.map(marksOf) } : { form }
  return { status: status!, slowestMs, ...like, asked }
}

/** Statuses by which limits on the rate refuse. */
const refusals = [403, 429, 503]

/** Whether it is what a limit on the rate may answer; what is missing or fails is none. */
function isRefusal({ kind, status }: Reply): boolean {
  return kind === 'closed' || refusals.includes(status)
}

function isTaken(reply: Reply): boolean {
  return isAnswered(reply) && isSuccess(reply.status)
}

/** Whether a status is the service's yes, as far as anybody knows who knows no document. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Why what is usual is nothing of the service: then its limits cannot be asked for, or in part. */
export type Shortfall = { blocks: boolean; because: string }

/**
 * What keeps a usual answer from being one of the service: an outage and a redirect come from
 * elsewhere, and nothing can be asked; a refusal may come from whatever stands before the service,
 * whose lines there are all the same. Undefined where it is a success.
 */
export function shortfallOf({ status }: Baseline): Shortfall | undefined {
  if (isSuccess(status)) return
  const said = `an ordinary request is answered ${status}`
  if (isRedirect(status)) {
    return { blocks: true, because: `${said}, which leads elsewhere: probe where it leads` }
  }
  if (status >= 500 || !isEvidence({ kind: 'answered', status })) {
    return { blocks: true, because: `${said}: nothing shows that the service works` }
  }
  const because = `${said}, which is no success: lines are those of whatever answers so`
  return { blocks: false, because }
}

/**
 * What an answer says of a limit. Who answers as usual has accepted; another status from 400 on is
 * a refusal, and a connection that was closed an improper one. 429 and 503 speak of how much was
 * asked lately and not of what is asked now, unless they are what the caller asks about. Where the
 * question is always the same, so is what its answer is like: another form, under the usual status,
 * or another status below 400, as of a redirect, is a soft refusal.
 */
export function against(
  reply: Reply,
  { status, form, isSoft }: Baseline,
  { crowding = [429, 503], isSame = false }: { crowding?: readonly number[]; isSame?: boolean } = {}
): Answer {
  if (reply.kind === 'closed') return improper(reply)
  if (!isAnswered(reply)) return unclear(reply)
  if (reply.status === status) {
    const isOther = form === undefined ? isSoft?.(reply) : formOf(reply) !== form
    const isOdd = isSame && isOther
    return isOdd ? rejected(reply, `not as usual, though ${said(reply)}`) : accepted(reply)
  }
  // Who is led elsewhere, or told less, where others are served is refused, too.
  const isTurnedAway = isSame && reply.status < 400 && isSuccess(status)
  if (isTurnedAway) return rejected(reply, `not as usual: ${said(reply)}`)
  if (reply.status < 400 || crowding.includes(reply.status)) return unclear(reply)
  return rejected(reply)
}
