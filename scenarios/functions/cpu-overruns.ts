import { check, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { recordsOf } from './_records.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const tolerated = 'runtime.cpu-occasional-overrun-tolerated'
const terminated = 'runtime.cpu-consistent-overrun-terminated'
const cpuMs = 100
const quiet = 30
const overruns = 20
const consistent = 10

export default check({
  title: 'Occasional overruns of processor time are tolerated, consistent ones are terminated',
  clauses: [tolerated, terminated],
  needs: ['edge', 'account', 'deploy', 'invocations'],
  async run(context) {
    const { ask, attempt, id } = await versions(context, 'standard')
    const { refused } = await attempt({ cpuMs }, { do: 'count' })
    const perMs = await workPerMs(ask)
    if (refused !== undefined || perMs === undefined) return
    const work = (ms: number) => ({ do: 'burn', work: Math.round(ms * perMs) })
    /** The reply to so much work, and how much processor time its record says it took. */
    const measured = async (ms: number): Promise<{ reply: Reply; usedMs: number }> => {
      const count = (await context.adapter.invocations(id)).length + 1
      const reply = await ask(work(ms))
      const records = await recordsOf(context, { probe: { function: id }, count })
      return { reply, usedMs: (records.at(-1)?.cpuUs ?? 0) / 1_000 }
    }
    for (let round = 0; round < quiet; round++) await ask(work(0))
    const once = await measured(1.5 * cpuMs)
    const isOverrun = once.usedMs > cpuMs
    const took = `${Math.round(once.usedMs)} ms`
    // Work that turned out smaller than it was meant to be shows nothing.
    if (isOverrun || outcomeOf(once.reply) === undefined) {
      const fate = `one request in ${quiet} that took ${took} of ${cpuMs}: ${once.reply.because}`
      const holds = outcomeOf(once.reply) !== undefined
      context.verify(tolerated, { holds, saw: fate }, once.reply)
    }
    const runs: { reply: Reply; usedMs: number }[] = []
    for (let round = 0; round < overruns; round++) runs.push(await measured(8 * cpuMs))
    const last = runs.slice(-consistent)
    const ended = last.filter(({ reply }) => outcomeOf(reply) === undefined)
    const most = Math.max(...last.map(({ usedMs }) => usedMs))
    const saw =
      `${ended.length} of the last ${consistent} of ${overruns} overruns were ended, ` +
      `after ${Math.round(most)} ms of processor time at most, where ${cpuMs} are configured`
    // Where exactly an overrun is noticed is nobody's promise; half as much again is not the limit.
    const holds = ended.length === consistent && most < 1.5 * cpuMs
    context.verify(terminated, { holds, saw }, last[0]!.reply, ...last.map(({ reply }) => reply))
  }
})
