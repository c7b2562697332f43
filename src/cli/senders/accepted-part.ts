import type { Source } from '../../engine/drive.ts'
import { readScenarios } from '../../engine/reader.ts'
import { Refused } from '../../engine/workforce.ts'
import type { Adopted } from '../../fleet/agent.ts'
import { fileDigest } from '../../fleet/file-digest.ts'
import type { Order, Part } from '../../fleet/order.ts'
import { durationMs, peak } from '../../load/load.ts'
import { originOf } from '../../load/request.ts'
import { duration, grouped } from '../../report/quantity.ts'
import type { Route } from '../../route.ts'
import { find } from '../../scenario/find.ts'
import { authoriseUrl, insistOnCaps } from '../targets/authorised-url.ts'
import type { Budgets } from './budgets.ts'

type Own = { folder: string; authorisation: string; budgets: Budgets }

type Foreign = Extract<Part['source'], { scenario: string }>

/**
 * A scenario's load as it is here: of this machine's own file, which has to be the same one, and to
 * the endpoints that this file needs, whatever else the sender knows.
 */
async function ownSource(
  { scenario, target }: Foreign,
  digest: string | undefined,
  folder: string
): Promise<Extract<Source, { unit: object }>> {
  const found = find(folder).find(({ id }) => id === scenario)
  if (found === undefined) throw new Error(`there is no scenario ${scenario} in ${folder}`)
  if (fileDigest(found.file) !== digest) {
    throw new Error(`${found.file} is not what whoever sends the load has`)
  }
  const { planned, faults } = await readScenarios([found], new Map())
  if (faults[0]) throw new Error(`${found.file} does not load: ${faults[0].message}`)
  const unit = planned[0]?.units[0]
  if (unit?.kind !== 'load') throw new Error(`${found.file} is no load`)
  const endpoints = unit.needs.map((name) => {
    const endpoint = target.endpoints[name]
    if (endpoint === undefined) throw new Error(`${target.name} offers no ${name}`)
    return [name, endpoint] as const
  })
  return { unit, target: { ...target, endpoints: Object.fromEntries(endpoints) } }
}

/** Whom a part of a load goes to. */
function places(source: Source): string[] {
  if ('requests' in source) return [...new Set(source.requests.map(originOf))]
  return Object.values(source.target.endpoints).map(({ url }) => url)
}

/**
 * A part of a load as one of this machine's own: with its own copy of the scenario, by its own
 * authorisation, and within what that allows to all that it sends at once. Throws `Refused` where
 * it has no leave, an Error when the scenario is not the same here.
 */
export async function acceptPart(
  { task, digest }: Pick<Order, 'task' | 'digest'>,
  { folder, authorisation, budgets }: Own
): Promise<Adopted> {
  const source =
    'requests' in task.source ? task.source : await ownSource(task.source, digest, folder)
  const seconds = durationMs(task.load.phases) / 1_000
  const routes: Record<string, Route> = {}
  try {
    for (const place of places(source)) {
      const leave = await authoriseUrl(place, { authorisation, seconds })
      insistOnCaps(task.load, leave)
      routes[leave.origin] = leave.route
    }
  } catch (cause) {
    throw new Refused((cause as Error).message)
  }
  const over = budgets.admit(routes, task)
  return { task: { ...task, source, routes }, over }
}

/** A part of a load, in words. */
export function partText({ load, source, share }: Pick<Part, 'load' | 'source' | 'share'>): string {
  const what = 'requests' in source ? source.requests[0]!.url : source.scenario
  const level = load.model === 'open' ? `${grouped(peak(load.phases))}/s` : 'as fast as it answers'
  const lasting = duration(durationMs(load.phases))
  return `part ${share.index + 1} of ${share.count}: ${what}, ${level}, ${lasting}`
}
