import { check, type Look, type Reply, summary } from 'plimsoll'
import { differences, draft, type Policy } from '../_policy.ts'
import { isServed, isTurnedDown, item, items } from '../_reply.ts'

/** A policy of one of the zones: what was sent, and where it is. */
type Kept = { policy: Policy; zone: string; id: string; reply: Reply }

export default check({
  title: 'The policies of a zone are its own: another zone neither shows nor touches them',
  clauses: ['policy.list-contains-created', 'policy.get', 'policy.update', 'policy.delete'],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, verify }) {
    const zones = [(await adapter.zone('enterprise')).id, (await adapter.zone('enterprise')).id]
    const pathOf = (zone: string, id = '') => `/zones/${zone}/page_shield/policies${id && `/${id}`}`
    const kept: Kept[] = []
    for (const zone of [...zones, ...zones, zones[0]!]) {
      const policy = draft(random)
      const reply = await management.post(pathOf(zone), { json: policy })
      const { id } = item(reply)
      if (typeof id === 'string') kept.push({ policy, zone, id, reply })
    }
    const lists = async (when: string): Promise<Look[]> => {
      const looks: Look[] = []
      for (const zone of zones) {
        const reply = await management.get(pathOf(zone))
        const own = kept.filter((one) => one.zone === zone).map(({ id }) => id)
        const ids = items(reply).map(({ id }) => id)
        const holds = ids.length === own.length && own.every((id) => ids.includes(id))
        if (isServed(reply))
          looks.push({ asked: when, holds, saw: `${ids.length} of ${own.length}`, reply })
      }
      return looks
    }
    const other = (zone: string) => zones.find((one) => one !== zone)!
    const ways: { [clause: string]: (path: string) => Promise<Reply> } = {
      'policy.get': (path) => management.get(path),
      'policy.update': (path) => management.put(path, { json: draft(random) }),
      'policy.delete': (path) => management.delete(path)
    }
    const remove = async (zone: string, id: string) => {
      await management.delete(pathOf(zone, id))
      return management.get(pathOf(zone, id))
    }
    const judge = (clause: string, looks: Look[]) => {
      const found = summary(looks)
      if (found) verify(clause, ...found)
    }

    const listed = await lists('after five were created')
    let isKept = true
    // Those that cannot even be read in their own zone show nothing by not being read in another.
    const sound: Kept[] = []
    for (const one of kept) {
      const own = await management.get(pathOf(one.zone, one.id))
      if (isServed(own) && differences(item(own), one.policy).length === 0) sound.push(one)
    }
    for (const [clause, ask] of Object.entries(ways)) {
      const looks: Look[] = []
      for (const { policy, zone, id } of sound) {
        const reply = await ask(pathOf(other(zone), id))
        const own = await management.get(pathOf(zone, id))
        const odd = isServed(own) ? differences(item(own), policy) : []
        const isLeft = { 'policy.update': odd.length === 0, 'policy.delete': own.status !== 404 }
        const holds = isTurnedDown(reply) && (isLeft[clause as keyof typeof isLeft] ?? true)
        const saw = `${reply.because}, in its own zone ${own.because} ${odd.join(', ')}`
        looks.push({ asked: 'through the other zone', holds, saw, reply })
      }
      isKept &&= looks.every(({ holds }) => holds)
      judge(clause, looks)
    }
    const gone = kept.splice(1, 2)
    const deleted = await Promise.all(gone.map(({ zone, id }) => remove(zone, id)))
    // What is not deleted, or is by way of another zone, is the matter of that.
    if (isKept && deleted.every(isTurnedDown))
      listed.push(...(await lists(`after ${gone.length} of them were deleted`)))
    judge('policy.list-contains-created', listed)
    for (const { zone, id } of kept) await management.delete(pathOf(zone, id))
  }
})
