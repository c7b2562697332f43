import { openIsolates } from '../../../src/platform/functions/isolate/isolates.ts'
import { type Random, random } from '../../../src/random.ts'

/** For how long a function stays on an instance; what is left out ends nothing. */
type Life = { events?: number; ageMs?: number }

/** An instance of a function by its number, the events that may still begin on it, and its end. */
type Living = { nth: number; left: number; untilMs: number }

/** Between a version and the number of its instance. */
const mark = ' on instance '

/** A runtime whose functions go over to a new instance; what is in flight ends on the old one. */
export const letGoAfter =
  (lifeOf: (chance: Random) => Life): typeof openIsolates =>
  (options) => {
    const honest = openIsolates(options)
    const chance = random(1, 'instances')
    const living = new Map<string, Living>()
    return {
      ...honest,
      evict: (id, isMeant = () => true) =>
        honest.evict(id, (version) => isMeant(version.split(mark)[0]!)),
      invoke(spec, invocation) {
        const key = JSON.stringify([spec.id, spec.version])
        const now = performance.now()
        const known = living.get(key)
        const stays = known !== undefined && known.left > 0 && now < known.untilMs
        const one = stays ? known : begun(known, { now, life: lifeOf(chance) })
        living.set(key, one)
        one.left--
        const version = `${spec.version}${mark}${one.nth}`
        return honest.invoke({ ...spec, version }, invocation)
      }
    }
  }

function begun(before: Living | undefined, { now, life }: { now: number; life: Life }): Living {
  const { events = Infinity, ageMs = Infinity } = life
  return { nth: (before?.nth ?? 0) + 1, left: events, untilMs: now + ageMs }
}
