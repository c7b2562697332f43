import { expect, test } from 'vitest'
import { prefixed } from '../../../src/platform/edge/prefix.ts'

/** Four pieces of ten bytes, how many were asked for, and whether they were left. */
function source() {
  const seen = { pieces: 0, isLeft: false }
  async function* body() {
    try {
      for (const letter of 'abcd') {
        seen.pieces++
        yield Buffer.alloc(10, letter)
      }
    } finally {
      seen.isLeft = true
    }
  }
  return { seen, body: body() }
}

async function whole(body: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of body) text += piece
  return text
}
const all = 'abcd'.replaceAll(/./g, (letter) => letter.repeat(10))

test.each([
  [0, 0],
  [10, 1],
  [11, 2],
  [40, 4],
  [41, 4]
])('of %i bytes as many pieces as that takes, and then all of it', async (least, pieces) => {
  const { seen, body } = source()
  const { first, body: rest } = await prefixed(body, least)
  expect([seen.pieces, first.toString()]).toEqual([pieces, all.slice(0, pieces * 10)])
  expect(await whole(rest)).toBe(all)
  expect(seen.isLeft).toBe(true)
})

test('who leaves early leaves the source too', async () => {
  const { seen, body } = source()
  for await (const _piece of (await prefixed(body, 1)).body) break
  expect(seen.isLeft).toBe(true)
})
