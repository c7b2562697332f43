import { clock } from '../clock.ts'
import { overCap } from '../load/cap.ts'
import { summary } from '../load/figures/summary.ts'
import type { Load } from '../load/load.ts'
import { routesOf, verifiesTls } from '../target/target.ts'
import { judgeDrift } from '../verdict/judge-drift.ts'
import { createStretches } from '../verdict/stretch.ts'
import { createDeadline, ownStop } from './deadline.ts'
import type { LoadFound, LoadingParts } from './found.ts'
import { withSender } from './send-load.ts'
import { beginningSeconds, soak, stretchSeconds } from './soak.ts'
import { unlessStopped } from './stop.ts'
import type { Unit } from './unit.ts'

/** The same load for another stretch of time. */
const lasting = (load: Load) => (seconds: number) => ({
  ...load,
  phases: load.phases.map((phase) => ({ ...phase, seconds }))
})

/** Loads a target for as long as the unit says, and watches what must not grow. */
export async function runSoak(
  unit: Unit,
  { load, budgets, transport, tells }: NonNullable<Unit['soak']>,
  { target, pool, workers, stop, seed, signal }: LoadingParts
): Promise<LoadFound> {
  const task = { unit, target, seed }
  const made = await pool.requests(task, signal)
  if ('absent' in made) return made
  const refused = overCap(load, target.caps)
  if (refused) return { absent: refused }
  const [{ seconds }] = load.phases as [Load['phases'][number]]
  const figures = async () =>
    tells === 'figures' ? { values: await pool.figures(task, signal) } : undefined
  const stretches = createStretches()
  const { needs } = unit
  const { connections, pipelining, timeoutMs } = load
  const where = { routes: routesOf(target, needs), verifyTls: verifiesTls(target, needs) }
  const shape = { connections, pipelining, timeoutMs, transport }
  const deadline = createDeadline(seconds + beginningSeconds, { clock })
  const { own, letGo } = ownStop(deadline, stop)
  let unanswered: string | undefined
  const soaked = withSender({ workers, stop: own }, [{ ...shape, ...where, source: made }], (to) =>
    soak({
      ...{ figures, seconds, deadline, seed, clock, loadFor: lasting(load), fromSeconds: 0 },
      stretchSeconds: stretchSeconds(seconds),
      trial: (load, seed) => to.trial(0, { load, seed }),
      stopped: own.requested,
      keep(stretch, result) {
        stretches.add(stretch)
        unanswered ??= summary(result).unanswered
      }
    })
  )
  const ended = await soaked.catch(unlessStopped).finally(letGo)
  if (ended === undefined) return { absent: 'no connection was made in the time there was' }
  if (ended === 'unanswered') return { absent: unanswered ?? 'the target never answered' }
  const terms = { budget: 0.05, budgets, seed }
  const all = [...stretches.all()]
  const metrics = Object.entries(judgeDrift(all, terms).metrics).map(([name, drift]) => {
    return { name: `${name} slope`, value: drift.slope, unit: `${drift.unit}/hour` }
  })
  return { evidence: { kind: 'soak', terms, stretches: all }, metrics }
}
