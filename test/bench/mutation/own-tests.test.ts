import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSeenByTests, ownTestsOf } from './own-tests.ts'
import { mutationsOf } from './sites.ts'
import { createSlot } from './slot.ts'

const root = join(import.meta.dirname, '../../..')

test.each([
  ['src/platform/expression/parse.ts', /^test\/platform\/expression\/parse\.test\.ts$/],
  ['src/platform/waf/previous/previous-operations.ts', /^test\/platform\/waf\/previous\//],
  ['src/platform/kernel/id.ts', /^test\/platform\//]
])('of %s they import it or stand nearest to it', (file, nearest) => {
  const tests = ownTestsOf(file, root)
  expect(tests).not.toEqual([])
  expect(tests.some((one) => nearest.test(one))).toBe(true)
})

test('a fault that they see, and the copy as it was', async () => {
  const file = 'src/platform/kernel/nearest.ts'
  const [fault] = mutationsOf(readFileSync(join(root, file), 'utf8'), file).filter(
    ({ operator }) => operator === 'negate'
  )
  const slot = createSlot(root)
  try {
    const tests = ['test/platform/kernel/nearest.test.ts']
    slot.put(fault)
    expect(await isSeenByTests(tests, slot.folder)).toBe(true)
    slot.put()
    expect(await isSeenByTests(tests, slot.folder)).toBe(false)
    expect(await isSeenByTests([], slot.folder)).toBe(false)
  } finally {
    slot.close()
  }
})
