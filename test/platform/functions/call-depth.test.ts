import { expect, test } from 'vitest'
import { createCallDepth } from '../../../src/platform/functions/call-depth.ts'

test('there is one port for each depth, and it tells the depth', async () => {
  let port = 100
  const { at, depthOf } = createCallDepth(async () => ({ host: '127.0.0.1', port: port++ }))
  const [second, first, again] = await Promise.all([at(2), at(1), at(2)])
  expect(again).toBe(second)
  expect([first.port, second.port, port].toSorted()).toEqual([100, 101, 102])
  expect([first.port, second.port, 80].map(depthOf)).toEqual([1, 2, 0])
})
