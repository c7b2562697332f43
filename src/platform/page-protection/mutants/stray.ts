import type { Mutant } from '../../kernel/mutant.ts'
import { allZones, type Zone } from '../../kernel/zone.ts'
import { type Kind, kinds } from '../detection.ts'
import { readDetection } from '../detection-table.ts'
import type { PageProtectionRules } from '../rules.ts'
import { instead } from './operation.ts'

/** Reads of a kind that find what is not in the zone, or not of the kind. */
export function strayMutants(kind: Kind): Mutant<PageProtectionRules>[] {
  const get = `page-protection.${kind.name}.get`
  return [
    {
      name: `${kind.name}-of-another-zone`,
      clause: get,
      description: `A ${kind.name} is read as another zone has it that has one with this id.`,
      change: instead([get], (call, run) => {
        const place = { kind: kind.name, id: call.id }
        const isThere = ({ id }: Zone) => readDetection(call.store, { ...place, zone: id })
        return run({ ...call, zone: allZones(call.store).find(isThere) ?? call.zone })
      })
    },
    {
      name: `${kind.name}-of-another-kind`,
      clause: get,
      description: `What is of another kind is read as a ${kind.name} by its id.`,
      change: instead([get], (call, run) => {
        const place = { zone: call.zone.id, id: call.id }
        const result = [kind, ...kinds]
          .map(({ name }) => readDetection(call.store, { ...place, kind: name }))
          .find((record) => record !== undefined)
        return result ? { result } : run(call)
      })
    }
  ]
}
