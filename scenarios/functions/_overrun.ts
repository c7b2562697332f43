import { isAnswered, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { isAround, lineAround, lineInWords } from './_line.ts'
import { type Worker, workPerMs } from './_work.ts'

/** So many times a limit is beyond it however the work was measured, tolerance included. */
export const beyondFactor = 8
/** So many overruns in a row are consistent ones, which are ended at the limit itself. */
const consistent = 6
/** By how many answers one outcome has to be ahead, and how many rounds that may take. */
const [lead, rounds] = [2, 9]

/** What became of repeated requests on both sides of a limit of processor time. */
export type Overrun = { holds: boolean; saw: string; replies: [Reply, ...Reply[]] }

/**
 * Finds the limit of processor time of a function that overruns it consistently, since occasional
 * overruns are tolerated: each question is asked behind another overrun, and again until most
 * answers agree. Time without work must not count.
 */
export async function overrun(worker: Worker, limitMs: number): Promise<Overrun | undefined> {
  const { ask } = worker
  const perMs = await workPerMs(worker)
  if (perMs === undefined) return undefined
  const replies: Reply[] = []
  const works = async (ms: number) => {
    const reply = await ask({ do: 'burn', work: Math.round(ms * perMs) })
    replies.push(reply)
    return outcomeOf(reply) !== undefined
  }
  for (let count = 0; count < consistent; count++) await works(beyondFactor * limitMs)
  const line = await lineAround(limitMs, async (ms) => {
    let ahead = 0
    for (let round = 0; Math.abs(ahead) < lead && round < rounds; round++) {
      await works(beyondFactor * limitMs)
      ahead += (await works(ms)) ? 1 : -1
    }
    return ahead > 0
  })
  const idle = await ask({ do: 'wait', ms: beyondFactor * limitMs })
  // Of requests that were ended some were ended in the middle of an answer.
  const whole = [idle, ...replies].filter(isAnswered)
  if (line === undefined || whole.length === 0) return undefined
  const saw =
    `of work that overruns again and again ${lineInWords(line, 'ms')}; ` +
    `${beyondFactor * limitMs} ms without work: ${idle.because}`
  const holds = isAround(line, limitMs) && outcomeOf(idle) !== undefined
  return { holds, saw, replies: whole as Overrun['replies'] }
}
