import { expect, test } from 'vitest'
import { closed, hold, open, ramp } from '../../src/load/load.ts'
import { soak } from '../../src/scenario/soak.ts'

const request = () => ({ url: 'http://127.0.0.1:1/' })
const common = { title: 'Nothing grows', budgets: { rss: 0.05 }, request }

test('a soak is a load of one level, and runs by itself', () => {
  const load = open(hold({ rate: 5, seconds: 60 }))
  expect(soak({ ...common, load })).toMatchObject({
    ...{ kind: 'soak', clauses: [], alone: ['everything'], transport: 'http1' },
    ...{ load, budgets: { rss: 0.05 } }
  })
})

test.each([
  ['two levels', open(hold({ rate: 5, seconds: 6 }), hold({ rate: 6, seconds: 6 })), /single/],
  ['a ramp', open(ramp({ from: 1, to: 5, seconds: 60 })), /single/],
  ['no end', closed({ users: 1, iterations: 5 }), /must end/]
])('%s is refused', (_, load, message) => {
  expect(() => soak({ ...common, load })).toThrow(message)
})

test('nothing that may not grow is refused', () => {
  const load = open(hold({ rate: 5, seconds: 60 }))
  expect(() => soak({ ...common, load, budgets: {} })).toThrow('`budgets` has to be')
})
