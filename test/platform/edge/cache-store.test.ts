import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCache } from '../../../src/platform/edge/cache-store.ts'
import { openFiles } from '../../../src/platform/kernel/data/files.ts'
import { bodyOf, textOf } from '../functions/stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const keeping = (key: string) => ({
  ...{ key, request: [], lifetimeMs: 1_000, limitBytes: 100 },
  ...{ status: 200, headers: [] }
})

test('of answers that are kept at once under one key, one is, and nothing else', async () => {
  const cache = openCache({ files: openFiles(folder), mostBytes: 100, now: () => 0 })
  const texts = Array.from({ length: 20 }, (_, index) => `answer ${index}`)
  await Promise.all(texts.map((text) => textOf(cache.keeping(bodyOf(text), keeping('a')))))
  const hit = await cache.match('a', [])
  expect(texts).toContain(await textOf(hit!.body))
  expect(readdirSync(folder)).toHaveLength(1)
  // What is counted is what is there: nothing has to go for one more.
  await textOf(cache.keeping(bodyOf('x'.repeat(80)), keeping('b')))
  expect(await cache.match('a', [])).toBeDefined()
  await cache.purge('')
  expect(readdirSync(folder)).toEqual([])
})

test('an answer is given though there is no room for it in the cache', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const files = {
    ...openFiles(folder),
    begin: async () => ({
      write: () => Promise.reject(full),
      end: () => Promise.reject(full),
      abandon: async () => {}
    })
  }
  const cache = openCache({ files, mostBytes: 100, now: () => 0 })
  expect(await textOf(cache.keeping(bodyOf('an ', 'answer'), keeping('a')))).toBe('an answer')
  const declared = { ...keeping('a'), declaredBytes: 9 }
  expect(await textOf(cache.keeping(bodyOf('an ', 'answer'), declared))).toBe('an answer')
  expect(await cache.match('a', [])).toBeUndefined()
})
