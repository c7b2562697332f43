import fc from 'fast-check'
import { plans } from '../../../src/platform/kernel/plan.ts'
import type { Announcement } from '../../../src/platform/platform.ts'
import { type Act, after, fresh, inForce, isProtected, type Model, stateOf } from './model.ts'
import { madeZone, type Zone } from './zone.ts'

const differs = (what: string, seen: unknown, expected: unknown) => {
  if (seen !== expected) throw new Error(`${what}: ${seen} and not ${expected}`)
}

const word = (isOn: boolean) => (isOn ? 'on' : 'off')

/** Everything that can be seen of a zone is as the model says. */
async function compare(model: Model, zone: Zone) {
  const status = await zone.status()
  const wafs = inForce(model)
  differs('state', status.migration_state, stateOf(model))
  differs('previous WAF', status.old_waf_status, word(wafs.previous))
  differs('new WAF', status.new_waf_status, word(wafs.new))
  differs('compatible', await zone.isCompatible(), model.overrides === 0)
  differs('previous API', await zone.previousApi(), stateOf(model) === 'complete' ? 410 : 200)
  differs('protected', await zone.isProtected(), isProtected(model))
}

const value = fc.constantFrom('pending', '1', 'validation', '2', 'start', undefined)
const body = fc.constantFrom('active', 'active', 'idle', 'empty', 'malformed')

/** Anything that can be done to a zone. */
export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update'), value, body }) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ kind: 'add override' }) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ kind: 'delete override' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('firewall rules'),
      count: fc.constantFrom(0, 200, 201)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1, 30_000) })
  }
) as fc.Arbitrary<Act>

/** The plan of a zone, and how long its migration takes. */
export const kind = fc.record({
  plan: fc.constantFrom(...plans, 'enterprise' as const),
  completionMs: fc.constantFrom(0, 60_000)
})

const step = fc.record({ zone: fc.nat({ max: 2 }), act })

/**
 * Whatever is done to several zones, each is afterwards as it should be, and so are the others.
 * `count` is told of every step that was taken.
 */
export function sequences(said: Announcement, count: () => void) {
  return fc.asyncProperty(
    fc.array(kind, { minLength: 3, maxLength: 3 }),
    fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }),
    async (kinds, steps) => {
      const zones = await Promise.all(kinds.map((given) => madeZone(said, given)))
      let models = kinds.map(fresh)
      for (const { zone, act } of steps) {
        const [status, model] = after(models[zone]!, act)
        // Time passes for all of them.
        models = models.map((other, index) => {
          if (index === zone) return model
          return act.kind === 'wait' ? after(other, act)[1] : other
        })
        differs(`status of ${JSON.stringify(act)}`, await zones[zone]!.statusOf(act), status)
        await compare(models[zone]!, zones[zone]!)
        count()
      }
      for (const [index, one] of zones.entries()) await compare(models[index]!, one)
    }
  )
}
