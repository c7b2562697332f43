import { setTimeout as pause } from 'node:timers/promises'
import { isAnswered, type Judge, type Reply } from 'plimsoll'
import { type Command, outcomeOf, repeat, series, waiting } from './_command.ts'
import { askToLeave } from './_departure.ts'
import { judgeLine, lineAround } from './_line.ts'
import type { Place } from './_probing.ts'
import { type Worker, worked, workPerMs } from './_work.ts'

/** So many times a limit is beyond it however the work was measured, tolerance included. */
const beyondFactor = 8
/** So many overruns in a row are consistent ones, which are ended at the limit itself. */
const consistent = 6
/** So many parts work is done in, each of which takes half of what the limit is. */
const parts = 2 * beyondFactor
/** So many parts are work that fits: what is beside each of them takes time as well. */
const fewParts = 2
/** So much of a limit is within it, where it was no more than that: something is beside it. */
const [withinFactor, mostFactor] = [0.4, 0.6]
/** What others do for a function that waits for it: long enough for a request to come and go. */
const awaited = repeat(16, { do: 'digest', bytes: 16_384 })
/**
 * How a request can come to use so much, in how many parts where it does so in several: all of it
 * counts, whenever it was done, and nothing else.
 */
const ways: Record<string, (work: number, parts: number) => Command> = {
  'at once': (work) => ({ do: 'burn', work }),
  'behind a timer': (work) => series(waiting(1), { do: 'burn', work }),
  'in parts between timers': (work, parts) =>
    repeat(2 * parts, [{ do: 'burn', work: Math.ceil(work / parts) }, waiting(1)]),
  'behind what others do for it': (work) => series(awaited, { do: 'burn', work })
}
/** The same for one that comes after so long and then waits for so long, in milliseconds. */
const [longAwaited, comesMs, staysMs] = [repeat(24, { do: 'digest', bytes: 1_048_576 }), 10, 600]
/** What is awaited so long takes some milliseconds itself: too many of a smaller limit. */
const leastMs = 40
/** By how many answers one outcome has to be ahead, and how many rounds that may take. */
const [lead, rounds] = [2, 9]

/** How many more times something is so than not: `lead` either way, or fewer after all `rounds`. */
async function votesFor(ask: () => Promise<boolean>): Promise<number> {
  let ahead = 0
  for (let round = 0; Math.abs(ahead) < lead && round < rounds; round++)
    ahead += (await ask()) ? 1 : -1
  return ahead
}

/** Overruns of which so many in a row are ended are consistent, however many were served before. */
const [inARow, most] = [3, 24]

/** Whether overruns are ended once they are consistent; undefined where one tells nothing. */
export async function areEnded(isEnded: () => Promise<boolean | undefined>) {
  let [row, count] = [0, 0]
  while (row < inARow && count < most) {
    const one = await isEnded()
    if (one === undefined) return undefined
    row = one ? row + 1 : 0
    count++
  }
  return { holds: row === inARow, saw: `${count} overruns, of which the last ${row} are ended` }
}

/** Who overruns a limit, and where. */
type Overrunning = Worker & Pick<Place, 'host' | 'path'>

/** What overruns a limit again and again, and what came of it by each way. */
function overrunner({ ask }: Worker, { limitMs, perMs }: Limit) {
  const replies: Reply[] = []
  const ends = new Map(Object.keys(ways).map((way) => [way, { served: 0, ended: 0 }]))
  let overruns = 0
  const isServed = async (command: Command) => {
    const reply = await ask(command)
    replies.push(reply)
    return outcomeOf(reply) !== undefined
  }
  /** While another request of the same function comes and goes. */
  const isServedBeside = async (command: Command) => {
    const [isIt] = await Promise.all([isServed(command), ask({ do: 'time' })])
    return isIt
  }
  const overrun = async () => {
    const [way, command] = Object.entries(ways)[overruns % ends.size]!
    const work = Math.round(beyondFactor * limitMs * perMs)
    const end = (await isServedBeside(command(work, parts))) ? 'served' : 'ended'
    if (++overruns > consistent) ends.get(way)![end]++
  }
  return { replies, ends, isServed, isServedBeside, overrun }
}

type Overrunner = ReturnType<typeof overrunner>

/** A limit of processor time, and how much work takes a millisecond of it. */
type Limit = { limitMs: number; perMs: number }

/**
 * Whether who only waits is ended in place of who works beside it: a request that used next to
 * nothing is answered as overruns are, where the one that overran is told nothing at all.
 */
async function isMischarged(worker: Overrunning, { replies, limitMs, perMs }: Overrunner & Limit) {
  if (limitMs < leastMs) return false
  const work = Math.round(beyondFactor * limitMs * perMs)
  const endOf = ({ status, body }: Reply) => `${status} ${body}`
  const ends = new Set(replies.filter((reply) => outcomeOf(reply) === undefined).map(endOf))
  const isEnded = (reply: Reply) => isAnswered(reply) && ends.has(endOf(reply))
  const votes = await votesFor(async () => {
    const busy = await askToLeave(worker.edge, worker, series(longAwaited, { do: 'burn', work }))
    await pause(comesMs)
    const [idle, isTold] = await Promise.all([worker.ask(waiting(staysMs)), busy.heard])
    busy.leave()
    return isEnded(idle) && !isTold
  })
  return votes > 0
}

/** What is wrong with a way of working, of which each is ended beyond a limit and served within. */
async function oddity(
  worker: Worker,
  { limitMs, ends, overrun, isServedBeside }: Overrunner & { limitMs: number }
): Promise<string | undefined> {
  while ([...ends.values()].some(({ served, ended }) => served + ended < lead)) await overrun()
  const odd = [...ends].find(([, { served, ended }]) => served > ended)
  if (odd) return `${beyondFactor * limitMs} ms of work ${odd[0]} are served ${odd[1].served} times`
  for (const [way, command] of Object.entries(ways)) {
    const act = async (work: number) =>
      (await votesFor(() => isServedBeside(command(work, fewParts)))) > -lead
    const seen = await worked(worker, { ms: withinFactor * limitMs, act })
    if (seen && !seen.isPassed && seen.to < mostFactor * limitMs)
      return `${withinFactor * limitMs} ms of work ${way} are not served`
  }
  return undefined
}

/**
 * Judges the limit of processor time of a function that overruns it consistently, since occasional
 * overruns are tolerated: each question is asked behind another overrun, and again until most
 * answers agree. Time without work must not count.
 */
export async function judgeOverruns(
  judge: Judge,
  { worker, clause, limitMs }: { worker: Overrunning; clause: string; limitMs: number }
): Promise<void> {
  const perMs = await workPerMs(worker)
  if (perMs === undefined) return
  const overrunning = overrunner(worker, { limitMs, perMs })
  const { replies, isServed, overrun } = overrunning
  const mostly = async (work: number) => {
    const votes = votesFor(async () => {
      await overrun()
      return isServed({ do: 'burn', work })
    })
    return (await votes) > 0
  }
  for (let count = 0; count < consistent; count++) await overrun()
  const waitMs = beyondFactor * limitMs
  const wait = () => worker.ask({ do: 'wait', ms: waitMs })
  let idle = await wait()
  // Who was ended may begin anew, and that takes some milliseconds once.
  for (let time = 1; time < inARow && outcomeOf(idle) === undefined; time++) idle = await wait()
  if (outcomeOf(idle) === undefined) {
    const saw = `${waitMs} ms without work: ${idle.because}, ${inARow} times in a row`
    judge.verify(clause, { holds: false, saw }, idle)
    return
  }
  if (await isMischarged(worker, { ...overrunning, limitMs, perMs })) {
    const saw = 'a request that waits is ended, and not the one that works beside it'
    return judge.verify(clause, { holds: false, saw }, idle)
  }
  const line = await lineAround(limitMs, (ms) => worked(worker, { ms, act: mostly }))
  if (line === undefined) return
  const odd = await oddity(worker, { ...overrunning, limitMs })
  // Of requests that were ended some were ended in the middle of an answer.
  const evidence = [idle, ...replies].filter(isAnswered) as [Reply, ...Reply[]]
  if (odd !== undefined) return judge.verify(clause, { holds: false, saw: odd }, ...evidence)
  const of = 'work that overruns again and again'
  judgeLine(judge, { clause, documented: limitMs, line, of, replies: evidence })
}
