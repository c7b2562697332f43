import { isAnswered, type Judge, type Reply } from 'plimsoll'
import { type Command, outcomeOf, repeat, series, waiting } from './_command.ts'
import { judgeLine, lineAround } from './_line.ts'
import { type Worker, worked, workPerMs } from './_work.ts'

/** So many times a limit is beyond it however the work was measured, tolerance included. */
const beyondFactor = 8
/** So many overruns in a row are consistent ones, which are ended at the limit itself. */
const consistent = 6
/** So many parts work is done in, each of which takes half of what the limit is. */
const parts = 2 * beyondFactor
/** How a request can come to use so much: all of it counts, whenever it was done. */
const ways: Record<string, (work: number) => Command> = {
  'at once': (work) => ({ do: 'burn', work }),
  'behind a timer': (work) => series(waiting(1), { do: 'burn', work }),
  'in parts between timers': (work) =>
    repeat(2 * parts, [{ do: 'burn', work: Math.ceil(work / parts) }, waiting(1)])
}
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
  const isServed = async (command: Command) => {
    const reply = await ask(command)
    replies.push(reply)
    return outcomeOf(reply) !== undefined
  }
  const works = (work: number) => isServed({ do: 'burn', work })
  const ends = new Map(Object.keys(ways).map((way) => [way, { served: 0, ended: 0 }]))
  let overruns = 0
  const overrun = async () => {
    const [way, command] = Object.entries(ways)[overruns % ends.size]!
    const end = (await isServed(command(Math.round(beyondFactor * limitMs * perMs))))
      ? 'served'
      : 'ended'
    if (++overruns > consistent) ends.get(way)![end]++
  }
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
  while ([...ends.values()].some(({ served, ended }) => served + ended < lead)) await overrun()
  // Of requests that were ended some were ended in the middle of an answer.
  const evidence = [idle, ...replies].filter(isAnswered) as [Reply, ...Reply[]]
  const odd = [...ends].find(([, { served, ended }]) => served > ended)
  if (odd !== undefined) {
    const [way, { served }] = odd
    const saw = `${beyondFactor * limitMs} ms of work ${way} are served ${served} times`
    judge.verify(clause, { holds: false, saw }, ...evidence)
    return
  }
  const of = 'work that overruns again and again'
  judgeLine(judge, { clause, documented: limitMs, line, of, replies: evidence })
}
