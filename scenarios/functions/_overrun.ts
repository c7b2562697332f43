import { isAnswered, type Judge, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { judgeLine, lineAround } from './_line.ts'
import { type Worker, worked, workPerMs } from './_work.ts'

/** So many times a limit is beyond it however the work was measured, tolerance included. */
const beyondFactor = 8
/** So many overruns in a row are consistent ones, which are ended at the limit itself. */
const consistent = 6
/** By how many answers one outcome has to be ahead, and how many rounds that may take. */
const [lead, rounds] = [2, 9]

/**
 * Judges the limit of processor time of a function that overruns it consistently, since occasional
 * overruns are tolerated: each question is asked behind another overrun, and again until most
 * answers agree. Time without work must not count.
 */
export async function judgeOverruns(
  judge: Judge,
  { worker, clause, limitMs }: { worker: Worker; clause: string; limitMs: number }
): Promise<void> {
  const { ask } = worker
  const perMs = await workPerMs(worker)
  if (perMs === undefined) return
  const replies: Reply[] = []
  const works = async (work: number) => {
    const reply = await ask({ do: 'burn', work })
    replies.push(reply)
    return outcomeOf(reply) !== undefined
  }
  const overrun = () => works(Math.round(beyondFactor * limitMs * perMs))
  const mostly = async (work: number) => {
    let ahead = 0
    for (let round = 0; Math.abs(ahead) < lead && round < rounds; round++) {
      await overrun()
      ahead += (await works(work)) ? 1 : -1
    }
    return ahead > 0
  }
  for (let count = 0; count < consistent; count++) await overrun()
  const waitMs = beyondFactor * limitMs
  const idle = await ask({ do: 'wait', ms: waitMs })
  if (outcomeOf(idle) === undefined) {
    const saw = `${waitMs} ms without work: ${idle.because}`
    judge.verify(clause, { holds: false, saw }, idle)
    return
  }
  const line = await lineAround(limitMs, (ms) => worked(worker, { ms, act: mostly }))
  if (line === undefined) return
  // Of requests that were ended some were ended in the middle of an answer.
  const evidence = [idle, ...replies].filter(isAnswered) as [Reply, ...Reply[]]
  const of = 'work that overruns again and again'
  judgeLine(judge, { clause, documented: limitMs, line, of, replies: evidence })
}
