import { type Context, check, type Judge, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { fetching, outcomesOf, together } from './_command.ts'
import { ampleCpuMs } from './_quota.ts'
import { deployed, graceMs, openYard, patienceMs } from './_stage.ts'

const most = 6
const attempts = 20
const queued = 'connections.excess-queued'
const started = 'connections.start-when-closed'
const plans: Record<string, FunctionPlan[]> = { free: ['free'], paid: ['bundled', 'standard'] }

/** Lets two invocations have many connections at once, and tells what the backend saw of it. */
async function judge(context: Context & Judge, plan: FunctionPlan, kind: string) {
  const { verify } = context
  const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
  await using yard = await openYard(context)
  const [lane, other] = [yard.lane('one'), yard.lane('other')]
  const command = (url: string) =>
    together(...Array.from({ length: attempts }, () => fetching(url)))
  const asked = [lane, other].map((one) => probe.ask(command(one.url({ hold: 'head' }))))
  for (const one of [lane, other]) await one.until(({ open }) => open >= most, patienceMs)
  await lane.until(({ open }) => open > most, graceMs)
  const [peak, otherPeak] = [lane.seen().peak, other.seen().peak]
  lane.release(1)
  const hasStarted = await lane.until(({ requests }) => requests > most, patienceMs)
  lane.release()
  other.release()
  const replies = (await Promise.all(asked)) as [Reply, Reply]
  const outcomes = outcomesOf(replies[0])
  if (outcomes.length < attempts) return
  const saw = `${plan}: ${peak} and ${otherPeak} connections at once for two requests`
  const holds = peak === most && otherPeak === most
  verify(`limits.function.connections.${kind}`, { holds, saw }, ...replies)
  const succeeded = outcomes.filter(({ error }) => error === undefined).length
  const fate = `${succeeded} of ${attempts} attempts succeeded; ${outcomes.find(({ error }) => error)?.error ?? ''}`
  verify(queued, { holds: succeeded === attempts, saw: fate }, replies[0])
  // Whether one starts when another ends shows only where some had to wait.
  if (peak < attempts && succeeded === attempts) {
    verify(
      started,
      { holds: hasStarted, saw: `after one of ${peak} ended: ${hasStarted}` },
      replies[0]
    )
  }
}

export default check({
  title: 'A request has six connections at once; more wait, and begin when one is closed',
  clauses: [
    ...Object.keys(plans).map((kind) => `limits.function.connections.${kind}`),
    ...[queued, started]
  ],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    for (const [kind, those] of Object.entries(plans)) {
      for (const plan of those) await judge(context, plan, kind)
    }
  }
})
