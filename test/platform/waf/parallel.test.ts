import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { type Act, after, fresh, type Model, type State, stateOf } from './model.ts'
import { act, kind } from './sequence.ts'
import { madeZone } from './zone.ts'

let running: Platform
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
})
afterAll(() => running.close())

const order: State[] = ['start', 'validation', 'pending', 'complete']

/** What one client did, and the status each of its acts was answered with. */
type History = { act: Act; status: number }[]

/** Whether the acts of two clients, in some order that both of them saw, explain the outcome. */
function isExplained(model: Model, histories: [History, History], final: State): boolean {
  if (histories.every((history) => history.length === 0)) return stateOf(model) === final
  return histories.some(([next, ...rest], client) => {
    if (next === undefined) return false
    const [status, moved] = after(model, next.act)
    if (status !== next.status) return false
    const left: [History, History] = client === 0 ? [rest, histories[1]] : [histories[0], rest]
    return isExplained(moved, left, final)
  })
}

// Deleting an override takes a read and a write, between which another client may come.
const acts = fc.array(
  act.filter((one) => one.kind !== 'delete override'),
  { minLength: 1, maxLength: 4 }
)

test('two clients at once come to what one of them after the other would', async () => {
  const property = fc.asyncProperty(kind, acts, acts, async (given, one, other) => {
    const zone = await madeZone(running.announcement, given)
    const perform = async (todo: Act[]) => {
      const history: History = []
      for (const act of todo) history.push({ act, status: await zone.statusOf(act) })
      return history
    }
    let isOver = false
    const seen: { migration_state: State; old_waf_status: string; new_waf_status: string }[] = []
    const watch = async () => {
      while (!isOver) seen.push(await zone.status())
    }
    const watching = watch()
    const histories = await Promise.all([perform(one), perform(other)])
    isOver = true
    await watching
    const final: State = (await zone.status()).migration_state
    const ranks = seen.map(({ migration_state }) => order.indexOf(migration_state))
    expect(ranks).toEqual(ranks.toSorted())
    expect(
      seen.filter((one) => one.old_waf_status === 'off' && one.new_waf_status === 'off')
    ).toEqual([])
    expect([histories, final, isExplained(fresh(given), histories, final)]).toEqual([
      histories,
      final,
      true
    ])
  })
  const numRuns = Math.ceil(Number(process.env.WAF_STEPS ?? 150) / 6)
  await fc.assert(property, { seed: 20_261_121, numRuns })
}, 1_800_000)

test('the same update sent many times at once migrates a zone once', async () => {
  const zone = await madeZone(running.announcement, { plan: 'pro', completionMs: 0 })
  const update: Act = { kind: 'update', value: 'pending', body: 'active' }
  const statuses = await Promise.all(Array.from({ length: 8 }, () => zone.statusOf(update)))
  expect(statuses).toEqual(Array(8).fill(200))
  expect(await zone.status()).toEqual({
    migration_state: 'complete',
    old_waf_status: 'off',
    new_waf_status: 'on'
  })
  expect(await zone.isProtected()).toBe(true)
})
