import { type Context, check, isAnswered, type Judge } from 'plimsoll'
import { outcomesOf } from './_command.ts'
import { most, occupy } from './_connections.ts'
import { oneOf, paidPlans } from './_plan.ts'
import { ampleCpuMs, anyProbe, deployed, type Probe } from './_stage.ts'

const queued = 'connections.excess-queued'
const started = 'connections.start-when-closed'

/** Attempts on whatever plan, on one with 50 subrequests, and on one with 1,000. */
const [fewest, few] = [20, 48]
const many = { quick: 150, full: 900, long: 900 }

/** Judges so many attempts of one request, on a probe that may make them. */
async function judge(context: Context & Judge, [probe, attempts]: [Probe, number]): Promise<void> {
  const { peaks, hasStarted, made, replies } = await occupy(context, probe, attempts)
  const [reply] = replies
  if (!isAnswered(reply)) {
    // What came of the six was seen here: that no other follows is no matter of a lost answer.
    const saw = `${made} of ${attempts} attempts are ever made, and no answer comes`
    if (peaks[0] === most && made < attempts) context.verify(queued, { holds: false, saw }, reply)
    return
  }
  const outcomes = outcomesOf(reply)
  if (outcomes.length < attempts) return
  const failed = outcomes.filter(({ error }) => error !== undefined)
  const fate = `${attempts - failed.length} of ${attempts} attempts succeeded`
  const saw = failed.length > 0 ? `${fate}; ${failed[0]!.error}` : fate
  context.verify(queued, { holds: failed.length === 0, saw }, reply)
  // Whether one begins when another ends shows only where some had to wait.
  if (peaks[0] < most || peaks[0] === attempts || failed.length > 0) return
  const words = hasStarted ? 'another begins' : 'none begins'
  context.verify(started, { holds: hasStarted, saw: `one of ${peaks[0]} ended: ${words}` }, reply)
}

export default check({
  title: 'Attempts beyond six connections wait, and begin when one of the six is closed',
  clauses: [queued, started],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  async run(context) {
    // How many may wait is not said: all that may be made.
    const plan = oneOf(paidPlans, context)
    const probe = await deployed(context, { plan, cpuMs: ampleCpuMs }).catch(() => undefined)
    const attempts = plan === 'bundled' ? few : many[context.tier]
    await judge(context, probe ? [probe, attempts] : [await anyProbe(context), fewest])
  }
})
