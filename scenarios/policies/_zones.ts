import type { Context, Look, Reply } from 'plimsoll'
import { differences, draft, type Policy } from '../_policy.ts'
import { isServed, item, items } from '../_reply.ts'

/** A policy of one of two zones: what was sent, and where it is. */
export type Kept = { policy: Policy; zone: string; id: string }

type Asking = Pick<Context, 'management' | 'adapter' | 'random'>

/** Two fresh zones with three policies and two, and what can be asked of them. */
export async function twoZones({ management, adapter, random }: Asking) {
  const zones = [(await adapter.zone('enterprise')).id, (await adapter.zone('enterprise')).id]
  const pathOf = (zone: string, id = '') => `/zones/${zone}/page_shield/policies${id && `/${id}`}`
  const kept: Kept[] = []
  for (const zone of [...zones, ...zones, zones[0]!]) {
    const policy = draft(random)
    const { id } = item(await management.post(pathOf(zone), { json: policy }))
    if (typeof id === 'string') kept.push({ policy, zone, id })
  }
  const read = ({ zone, id }: Kept) => management.get(pathOf(zone, id))
  return {
    kept,
    read,
    /** The same policy by way of the zone that it is not in. */
    astray: ({ zone, id }: Kept) => pathOf(zones.find((one) => one !== zone)!, id),
    async remove(one: Kept): Promise<Reply> {
      kept.splice(kept.indexOf(one), 1)
      await management.delete(pathOf(one.zone, one.id))
      return read(one)
    },
    /** Whether each zone lists its own policies and no others. */
    async lists(when: string): Promise<Look[]> {
      const looks = zones.map(async (zone): Promise<Look[]> => {
        const reply = await management.get(pathOf(zone))
        const own = kept.filter((one) => one.zone === zone).map(({ id }) => id)
        const ids = items(reply).map(({ id }) => id)
        const holds = ids.length === own.length && own.every((id) => ids.includes(id))
        const saw = `${ids.length} listed of ${own.length}`
        return isServed(reply) ? [{ asked: when, holds, saw, reply, of: own.length }] : []
      })
      return (await Promise.all(looks)).flat()
    }
  }
}

/** The fields in which a policy that was read is not as it was sent; undefined where it is none. */
export function oddFields(reply: Reply, { policy }: Kept): string[] | undefined {
  return isServed(reply) ? differences(item(reply), policy) : undefined
}
