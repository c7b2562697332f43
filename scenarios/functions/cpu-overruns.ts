import { check, type Judge, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { recordsOf } from './_records.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const tolerated = 'runtime.cpu-occasional-overrun-tolerated'
const terminated = 'runtime.cpu-consistent-overrun-terminated'
const cpuMs = 40
/** Requests without work before one that overruns, so that it is an occasional one. */
const quiet = 25
/** So many of them are occasional still: what is long past is no more consistent than one. */
const occasions = 5
/** By how much it overruns; more is tried only where the first turned out to be none. */
const factors = [1.4, 1.8, 2.2]
/** How many times the limit an overrun may have had that is ended for being one. */
const endedAt = { least: 0.9, most: 1.7 }
const overruns = 20
const consistent = 10

/** A reply, and how much processor time its record says it took. */
type Run = { reply: Reply; usedMs: number }

/** Judges a single overrun among many requests that are none. */
async function judgeOnce(
  { verify }: Judge,
  { run, rest }: { run: (ms: number) => Promise<Run>; rest: () => Promise<unknown> }
) {
  for (const factor of factors) {
    for (let request = 0; request < quiet; request++) await rest()
    const { reply, usedMs } = await run(factor * cpuMs)
    // Work that turned out smaller than it was meant to be shows nothing, nor does far larger work.
    const isServed = outcomeOf(reply) !== undefined
    const times = usedMs / cpuMs
    if (isServed ? times <= 1 : times < endedAt.least || times > endedAt.most) continue
    const took = `${Math.round(usedMs)} ms where ${cpuMs} are configured`
    const saw = `one request of ${quiet + 1} took ${took}: ${reply.because}`
    verify(tolerated, { holds: isServed, saw }, reply)
    return
  }
}

/** Judges overruns without anything in between. */
async function judgeAlways({ verify }: Judge, run: (ms: number) => Promise<Run>) {
  const runs: Run[] = []
  for (let request = 0; request < overruns; request++) runs.push(await run(8 * cpuMs))
  const last = runs.slice(-consistent)
  const ended = last.filter(({ reply }) => outcomeOf(reply) === undefined)
  const most = Math.max(...last.map(({ usedMs }) => usedMs))
  const saw =
    `${ended.length} of the last ${consistent} of ${overruns} overruns were ended, ` +
    `after ${Math.round(most)} ms of processor time at most, where ${cpuMs} are configured`
  // How soon an overrun is noticed is nobody's promise; twice as much is not the configured limit.
  const holds = ended.length === consistent && most < 2 * cpuMs
  verify(terminated, { holds, saw }, last[0]!.reply, ...last.map(({ reply }) => reply))
}

export default check({
  title: 'Occasional overruns of processor time are tolerated, consistent ones are terminated',
  tier: 'full',
  clauses: [tolerated, terminated],
  expectedReplies: [503],
  needs: ['edge', 'account', 'deploy', 'invocations'],
  async run(context) {
    const { edge, adapter } = context
    const { ask, attempt, id } = await versions(context, 'standard')
    const { refused } = await attempt({ cpuMs }, { do: 'count' })
    const perMs = await workPerMs({ edge, ask })
    if (refused !== undefined || perMs === undefined) return
    const run = async (ms: number): Promise<Run> => {
      const count = (await adapter.invocations(id)).length + 1
      const reply = await ask({ do: 'burn', work: Math.round(ms * perMs) })
      const records = await recordsOf(context, { probe: { function: id }, count })
      return { reply, usedMs: (records.at(-1)?.cpuUs ?? 0) / 1_000 }
    }
    const rest = () => ask({ do: 'burn', work: 0 })
    for (let occasion = 0; occasion < occasions; occasion++) await judgeOnce(context, { run, rest })
    await judgeAlways(context, run)
  }
})
