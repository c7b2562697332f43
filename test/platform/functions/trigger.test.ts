import { expect, test } from 'vitest'
import {
  addTrigger,
  countTriggers,
  dueTriggers,
  nextTrigger
} from '../../../src/platform/functions/trigger.ts'
import { stage } from './stage.ts'

const minuteMs = 60_000

function clockwork() {
  const at = stage()
  const account = at.account()
  const now = at.time.now()
  const count = () => countTriggers(at.store, account.id)
  const add = (target: ReturnType<typeof at.deployed>, cron: string) =>
    addTrigger(at.store, { target, cron, now }, { most: 5, count })
  return { ...at, account, now, add, count }
}

test('the triggers of all functions of an account count, and the same one once', () => {
  const { add, deployed, account, count } = clockwork()
  const [one, two] = [deployed(account, { name: 'one' }), deployed(account, { name: 'two' })]
  for (const minute of [1, 2, 3]) add(one, `${minute} * * * *`)
  for (const minute of [1, 2]) add(two, `${minute} * * * *`)
  expect(() => add(two, '3 * * * *')).toThrow('at most 5 scheduled triggers')
  add(one, '3 * * * *')
  expect(count()).toBe(5)
})

test('what is due is due again at the next moment', () => {
  const { add, deployed, account, store, now } = clockwork()
  const { id } = deployed(account)
  add({ ...deployed(account), id }, '*/10 * * * *')
  expect(nextTrigger(store)).toBe(now + 10 * minuteMs)
  expect(dueTriggers(store, now + 10 * minuteMs - 1)).toEqual([])
  const due = now + 10 * minuteMs
  expect(dueTriggers(store, due)).toEqual([{ function: id, cron: '*/10 * * * *', due }])
  expect(dueTriggers(store, due)).toEqual([])
  expect(nextTrigger(store)).toBe(now + 20 * minuteMs)
})

test.each([
  [35 * minuteMs, 30 * minuteMs],
  [86_400_000 + minuteMs, 86_400_000],
  [366 * 86_400_000 + minuteMs, 366 * 86_400_000]
])('a jump of %i ms fires once, for the last moment', (jumpMs, last) => {
  const { add, deployed, account, store, now } = clockwork()
  add(deployed(account), '*/10 * * * *')
  expect(dueTriggers(store, now + jumpMs).map(({ due }) => due - now)).toEqual([last])
})

test.each([
  ['0 0 30 2 *', 'never comes'],
  ['every day', 'is no schedule']
])('%s %s', (cron, because) => {
  const { add, deployed, account } = clockwork()
  expect(() => add(deployed(account), cron)).toThrow(because)
})
