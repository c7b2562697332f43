import { overCap } from '../load/cap.ts'
import { summary } from '../load/figures/summary.ts'
import { routesOf, verifiesTls } from '../target/target.ts'
import { slowerThan } from '../verdict/judge-load.ts'
import type { LoadFound, LoadingParts } from './found.ts'
import { sendLoad } from './send-load.ts'
import type { Unit } from './unit.ts'

/** Sends the load of a unit, and holds it against the unit's objectives meanwhile. */
export async function runLoad(
  unit: Unit,
  { load, transport, objectives }: NonNullable<Unit['load']>,
  { target, pool, workers, stop, seed, signal, onWindow }: LoadingParts
): Promise<LoadFound> {
  const task = { unit, target, seed }
  const absent = overCap(load, target.caps) ?? (await pool.missing(task, signal))
  if (absent !== undefined) return { absent }
  const { needs } = unit
  const where = { routes: routesOf(target, needs), verifyTls: verifiesTls(target, needs) }
  const destination = { source: { unit, target }, transport, ...where }
  const sent = await sendLoad({ load, seed, destination, workers, stop, objectives, onWindow })
  const { result, broken, silence } = sent
  const slower = slowerThan(objectives, result)
  const evidence = { objectives, summary: summary(result), broken, slower, silence }
  return { result, evidence: { kind: 'load', ...evidence } }
}
