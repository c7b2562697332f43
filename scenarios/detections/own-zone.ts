import { check, type Look, summary } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { freshId } from '../_id.ts'
import { isServed, isTurnedDown, item, items, quoted } from '../_reply.ts'
import { type Seed, seeds, smallPage } from '../_seed.ts'

/** Each list, with what its clauses call one of its items and the field that tells items apart. */
const lists: { kind: Kind; name: string; known: 'url' | 'name' }[] = [
  { kind: 'scripts', name: 'script', known: 'url' },
  { kind: 'connections', name: 'connection', known: 'url' },
  { kind: 'cookies', name: 'cookie', known: 'name' }
]
const clause = (name: string, operation: string) => `page-protection.${name}.${operation}`

export default check({
  title: 'A zone shows its own detections, also where another zone has some with the same ids',
  clauses: lists.flatMap(({ name }) => [clause(name, 'list'), clause(name, 'get')]),
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zones = [await adapter.zone('enterprise'), await adapter.zone('enterprise')]
    const ids = Array.from({ length: 4 }, () => freshId(random))
    for (const { kind, name, known } of lists) {
      // A script, a connection and a cookie may have one id, too.
      const first = seeds(kind, 'active', { count: 4, random }).map(
        (seed, n): Seed => ({ ...seed, id: ids[n]! })
      )
      // Three ids are in both zones, and one of each zone in no other.
      const second = seeds(kind, 'active', { count: 4, random }).map(
        (seed, n): Seed => (n < 3 ? { ...seed, id: first[n]!.id } : seed)
      )
      const [listed, read]: [Look[], Look[]] = [[], []]
      for (const [n, own] of [first, second].entries()) {
        await adapter.detections(zones[n]!.id, { [kind]: own })
      }
      for (const [n, own] of [first, second].entries()) {
        const path = `/zones/${zones[n]!.id}/page_shield/${kind}`
        const tellsOwn = (one: object, shown: unknown) =>
          known in one && (one as Record<string, unknown>)[known] === shown
        const list = await management.get(path, { query: { per_page: smallPage } })
        const shown = items(list).map((one) => one[known])
        const isOwn = own.every((one) => shown.some((other) => tellsOwn(one, other)))
        const saw = `${shown.length} items, ${isOwn ? 'its own' : 'not its own'}`
        if (isServed(list))
          listed.push({
            asked: kind,
            holds: isOwn && shown.length === own.length,
            saw,
            reply: list
          })
        let told = 0
        for (const one of own) {
          const reply = await management.get(`${path}/${one.id}`)
          const seen = item(reply)[known]
          if (seen === undefined) continue
          told++
          read.push({ asked: one.id, holds: tellsOwn(one, seen), saw: quoted(seen), reply })
        }
        const foreign = (n === 0 ? second : first)[3]!
        const reply = await management.get(`${path}/${foreign.id}`)
        const asked = `${foreign.id} of the other zone`
        const holds = isTurnedDown(reply)
        // Who turns everything down keeps nothing apart.
        read.push({ asked, holds, saw: reply.because, reply, of: told })
      }
      for (const [operation, looks] of Object.entries({ list: listed, get: read })) {
        const found = summary(looks)
        if (found) verify(clause(name, operation), ...found)
      }
    }
  }
})
