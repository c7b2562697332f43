import { type Context, check, type Look, summary } from 'plimsoll'
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

/** Detections of each kind of which three have ids that any may have, and one has its own. */
function anyOf(ids: readonly string[], random: Context['random']): Record<Kind, Seed[]> {
  const all = lists.map(({ kind }) => {
    const own = seeds(kind, 'active', { count: ids.length + 1, random })
    return [kind, own.map((seed, n): Seed => ({ ...seed, id: ids[n] ?? seed.id }))]
  })
  return Object.fromEntries(all)
}

export default check({
  title: 'A zone shows its own detections, each as what it is, also where others have the same ids',
  clauses: lists.flatMap(({ name }) => [clause(name, 'list'), clause(name, 'get')]),
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    // A script, a connection and a cookie may have one id, too, and in two zones.
    const ids = Array.from({ length: 3 }, () => freshId(random))
    const zones: { path: string; placed: Record<Kind, Seed[]> }[] = []
    for (let n = 0; n < 2; n++) {
      const { id } = await adapter.zone('enterprise')
      const placed = anyOf(ids, random)
      await adapter.detections(id, placed)
      zones.push({ path: `/zones/${id}/page_shield`, placed })
    }
    for (const { kind, name, known } of lists) {
      const [listed, read]: [Look[], Look[]] = [[], []]
      for (const [n, { path, placed }] of zones.entries()) {
        const own = placed[kind]
        const tellsOwn = (one: object, shown: unknown) =>
          known in one && (one as Record<string, unknown>)[known] === shown
        const list = await management.get(`${path}/${kind}`, { query: { per_page: smallPage } })
        const shown = items(list).map((one) => one[known])
        const isOwn = own.every((one) => shown.some((other) => tellsOwn(one, other)))
        const saw = `${shown.length} items, ${isOwn ? 'its own' : 'not its own'}`
        const isAll = isOwn && shown.length === own.length
        if (isServed(list)) listed.push({ asked: kind, holds: isAll, saw, reply: list })
        let told = 0
        for (const one of own) {
          const reply = await management.get(`${path}/${kind}/${one.id}`)
          const seen = item(reply)[known]
          if (seen === undefined) continue
          told++
          read.push({ asked: one.id, holds: tellsOwn(one, seen), saw: quoted(seen), reply })
        }
        const others = lists.filter((other) => other.kind !== kind)
        const strays = [
          [`a ${name} of the other zone`, zones[1 - n]!.placed[kind]] as const,
          ...others.map((other) => [`a ${other.name} of the zone`, placed[other.kind]] as const)
        ]
        for (const [asked, its] of strays) {
          const reply = await management.get(`${path}/${kind}/${its.at(-1)!.id}`)
          // Who turns everything down keeps nothing apart.
          read.push({ asked, holds: isTurnedDown(reply), saw: reply.because, reply, of: told })
        }
      }
      for (const [operation, looks] of Object.entries({ list: listed, get: read })) {
        const found = summary(looks)
        if (found) verify(clause(name, operation), ...found)
      }
    }
  }
})
