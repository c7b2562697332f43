import { expect, test } from 'vitest'
import type { Call, Caller } from '../../../../src/platform/functions/isolate/contract.ts'
import {
  dueAlarms,
  nextAlarm,
  objectState,
  settleAlarm
} from '../../../../src/platform/functions/services/stateful.ts'
import { stage } from '../stage.ts'

function object() {
  const at = stage()
  const target = at.deployed(at.account())
  let woken = 0
  const service = objectState(at.store, () => woken++)
  const address = { binding: `${target.id}/Counter`, className: 'Counter', id: 'x' }
  const ask = async (method: string, ...args: unknown[]) =>
    (await service[method]!({ method, args: [address, ...args] } as Call, {} as Caller)).value
  return { ...at, target, address, ask, woken: () => woken }
}
const none: ReadonlySet<string> = new Set()

test('keeps whatever can be cloned, under keys, in order', async () => {
  const { ask } = object()
  const date = new Date(0)
  await ask('put', [
    ...[
      ['b', { date }],
      ['a', 1],
      ['c', new Map([[1, 2]])],
      ['d', undefined]
    ]
  ])
  expect(await ask('get', ['a', 'nothing', 'b'])).toEqual([
    ['a', 1],
    ['b', { date }]
  ])
  const keys = async (options?: object) =>
    ((await ask('list', options)) as [string][]).map(([key]) => key)
  expect(await keys()).toEqual(['a', 'b', 'c', 'd'])
  expect(await keys({ start: 'b', end: 'd' })).toEqual(['b', 'c'])
  expect(await keys({ reverse: true, limit: 1 })).toEqual(['d'])
  expect(await keys({ prefix: 'c' })).toEqual(['c'])
  expect(await ask('delete', ['a', 'b', 'nothing'])).toBe(2)
  await ask('deleteAll')
  expect(await keys()).toEqual([])
})

test('a list too large to be read at once is refused, and can be had in parts', async () => {
  const { ask } = object()
  const entries = (first: number) =>
    Array.from({ length: 80 }, (_, index) => [`k${first + index}`, 'x'.repeat(131_000)])
  for (const first of [100, 200]) await ask('put', entries(first))
  await expect(ask('list')).rejects.toThrow('with a limit')
  expect(await ask('list', { limit: 100 })).toHaveLength(100)
  expect(await ask('list', { prefix: 'k2' })).toHaveLength(80)
  for (const limit of [0, -1, 1.5, '1', Number.NaN])
    await expect(ask('list', { limit })).rejects.toThrow(RangeError)
})

test('an object has one alarm, which can be set anew and taken back', async () => {
  const { ask, store, target, address, woken } = object()
  expect(await ask('getAlarm')).toBeNull()
  await ask('setAlarm', 2_000)
  await ask('setAlarm', 1_000)
  expect([await ask('getAlarm'), nextAlarm(store, none), woken()]).toEqual([1_000, 1_000, 2])
  expect(dueAlarms(store, 999, none)).toEqual([])
  expect(dueAlarms(store, 1_000, none)).toMatchObject([
    { function: target.id, address, at: 1_000, attempts: 0 }
  ])
  await ask('deleteAlarm')
  expect(nextAlarm(store, none)).toBeUndefined()
  await expect(ask('setAlarm', Number.NaN)).rejects.toThrow(TypeError)
})

test('an alarm that failed is put off, and one that was set meanwhile stays', async () => {
  const { ask, store } = object()
  await ask('setAlarm', 1_000)
  const [alarm] = dueAlarms(store, 1_000, none)
  settleAlarm(store, alarm!, 5_000)
  expect([nextAlarm(store, none), await ask('getAlarm')]).toEqual([5_000, 1_000])
  const [again] = dueAlarms(store, 5_000, none)
  expect(again).toMatchObject({ at: 1_000, attempts: 1 })
  expect(dueAlarms(store, 5_000, new Set([again!.object]))).toEqual([])
  await ask('setAlarm', 9_000)
  settleAlarm(store, again!)
  expect(await ask('getAlarm')).toBe(9_000)
})
