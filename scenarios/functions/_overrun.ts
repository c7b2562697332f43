import { isAnswered, type Reply } from 'plimsoll'
import { type Command, outcomeOf } from './_command.ts'
import { type Worker, workPerMs } from './_work.ts'

/** Of how many requests how many were answered. */
export type Rate = { asked: number; answered: number; replies: [Reply, ...Reply[]] }

const rounds = 20
/** How many of the requests below a limit may fail, since one can be disturbed by others. */
const strays = 1
/** Less than half of a limit is below it however the work was measured. */
const belowFactor = 0.4
/** So many times a limit is beyond it however the work was measured, tolerance included. */
export const beyondFactor = 8

/** Asks for the same again and again, but not for longer than until `most` were answered. */
async function rateOf(
  ask: Worker['ask'],
  { command, most }: { command: Command; most: number }
): Promise<Rate> {
  const replies: Reply[] = []
  let answered = 0
  while (replies.length < rounds && answered < most) {
    const reply = await ask(command)
    replies.push(reply)
    if (outcomeOf(reply)) answered++
  }
  return { asked: replies.length, answered, replies: replies as Rate['replies'] }
}

/** What became of repeated requests on both sides of a limit of processor time. */
export type Overrun = { holds: boolean; saw: string; replies: Rate['replies'] }

/**
 * Asks again and again for less and for much more work than a limit allows, and for much time with
 * hardly any work. One run proves nothing, since occasional overruns are tolerated: it holds when
 * nearly all that is below is answered, and when most of what is beyond is not, the last included.
 */
export async function overrun(worker: Worker, limitMs: number): Promise<Overrun | undefined> {
  const { ask } = worker
  const perMs = await workPerMs(worker)
  if (perMs === undefined) return undefined
  const work = (ms: number) => ({ do: 'burn', work: Math.round(ms * perMs) })
  const below = await rateOf(ask, { command: work(belowFactor * limitMs), most: rounds })
  const most = rounds / 2 + 1
  const beyond = await rateOf(ask, { command: work(beyondFactor * limitMs), most })
  const idle = await ask({ do: 'wait', ms: beyondFactor * limitMs })
  const last = outcomeOf(beyond.replies.at(-1)!)
  const saw =
    `about ${belowFactor * limitMs} ms of work: ${below.answered} of ${below.asked} answered; ` +
    `about ${beyondFactor * limitMs} ms: ${beyond.answered} of ${beyond.asked} ` +
    `(${beyond.replies.at(-1)!.because}); as long without work: ${idle.because}`
  const holds =
    below.answered >= below.asked - strays &&
    beyond.answered < most &&
    last === undefined &&
    outcomeOf(idle) !== undefined
  // Of requests that were ended some were ended in the middle of an answer.
  const whole = [idle, ...below.replies, ...beyond.replies].filter(isAnswered)
  return whole.length > 0 ? { holds, saw, replies: whole as Rate['replies'] } : undefined
}
