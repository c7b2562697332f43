import { expect, test } from 'vitest'
import { BodyTooLarge, metered } from '../../../src/platform/edge/metered.ts'
import type { EdgeRequest } from '../../../src/platform/edge/request.ts'

async function* pieces(...sizes: number[]) {
  for (const size of sizes) yield Buffer.alloc(size)
}

/** How many bytes come through, and how it ends. */
async function through(limitBytes: number, ...sizes: number[]) {
  const request = { body: pieces(...sizes) } as unknown as EdgeRequest
  let bytes = 0
  try {
    for await (const chunk of metered(request, limitBytes)) bytes += chunk.length
    return { bytes, end: 'whole' }
  } catch (error) {
    return { bytes, end: error instanceof BodyTooLarge ? 'too large' : error }
  }
}

test.each([
  [10, [], 0, 'whole'],
  [10, [4, 6], 10, 'whole'],
  [10, [4, 6, 1, 5], 10, 'too large'],
  [10, [11], 0, 'too large'],
  [0, [0], 0, 'whole'],
  [Infinity, [7, 7], 14, 'whole']
])('with a limit of %d, %j', async (limit, sizes, bytes, end) => {
  expect(await through(limit, ...sizes)).toEqual({ bytes, end })
})
