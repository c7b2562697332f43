import type { Source } from '../engine/drive.ts'
import { Refused } from '../engine/workforce.ts'
import { fileDigest } from '../fleet/file-digest.ts'
import type { Order, Part } from '../fleet/order.ts'
import { durationMs, peak } from '../load/load.ts'
import { originOf } from '../load/request.ts'
import { duration, grouped } from '../report/quantity.ts'
import { find } from '../scenario/find.ts'
import { permit, permitLoad } from './permit.ts'

type Own = { folder: string; authorisation: string }

/** Whom a part of a load goes to. */
function places(source: Source): string[] {
  if ('requests' in source) return [...new Set(source.requests.map(originOf))]
  const { target, unit } = source
  return unit.needs.flatMap((name) => target.endpoints[name]?.url ?? [])
}

/** The source as it is here: a scenario is this machine's own file, and has to be the same one. */
function ownSource(source: Source, digest: string | undefined, folder: string): Source {
  if ('requests' in source) return source
  const { unit, target } = source
  const found = find(folder).find(({ id }) => id === unit.scenario)
  if (found === undefined) throw new Error(`there is no scenario ${unit.scenario} in ${folder}`)
  if (fileDigest(found.file) !== digest) {
    throw new Error(`${found.file} is not what whoever sends the load has`)
  }
  return { unit: { ...unit, file: found.file }, target }
}

/**
 * A part of a load as one of this machine's own: with its own copy of the scenario, and by its own
 * authorisation. Throws `Refused` without that, an Error when the scenario is not the same here.
 */
export function adopt(
  { task, digest }: Pick<Order, 'task' | 'digest'>,
  { folder, authorisation }: Own
): Part {
  const seconds = durationMs(task.load.phases) / 1_000
  try {
    for (const place of places(task.source)) {
      permitLoad(task.load, permit(place, { authorisation, seconds }))
    }
  } catch (cause) {
    throw new Refused((cause as Error).message)
  }
  return { ...task, source: ownSource(task.source, digest, folder) }
}

/** A part of a load, in words. */
export function partText({ load, source, share }: Part): string {
  const what = 'requests' in source ? source.requests[0]!.url : source.unit.scenario
  const level = load.model === 'open' ? `${grouped(peak(load.phases))}/s` : 'as fast as it answers'
  const lasting = duration(durationMs(load.phases))
  return `part ${share.index + 1} of ${share.count}: ${what}, ${level}, ${lasting}`
}
