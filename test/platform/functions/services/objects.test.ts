import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { Call, Caller } from '../../../../src/platform/functions/isolate/contract.ts'
import { objectFiles, objectStorage } from '../../../../src/platform/functions/services/objects.ts'
import { type Files, openFiles } from '../../../../src/platform/kernel/data/files.ts'
import { filesOpenIn } from '../../open-files.ts'
import { bodyOf, stage, textOf } from '../stage.ts'

const temporary = openFiles()
const folder = mkdtempSync(join(tmpdir(), 'objects-'))
const kept = openFiles(folder, { lasting: true })
afterAll(() => {
  temporary.close()
  rmSync(folder, { recursive: true })
})

function bucket(files: Files = temporary) {
  const { store, time } = stage()
  const service = objectStorage({ store, time, files })
  const ask = (method: string, args: unknown[], body?: AsyncIterable<Uint8Array>) =>
    service[method]!({ service: 'objects', method, id: 'a/b', args, body } as Call, {} as Caller)
  const get = async (key: string, range?: object) => {
    const { value, body } = await ask('get', [key, { range }])
    return value === null ? null : textOf(body)
  }
  return { ask, get, time, store }
}

test.each([
  ['all', {}],
  ['a part', { range: { offset: 1, length: 190_000 } }]
])('who leaves an object before any of it came, %s, has it closed', async (_, options) => {
  const { ask } = bucket(kept)
  await ask('put', ['large', {}], bodyOf('x'.repeat(200_000)))
  const { body } = await ask('get', ['large', options])
  expect(filesOpenIn(folder)).toHaveLength(1)
  await body?.[Symbol.asyncIterator]().return?.()
  await vi.waitFor(() => expect(filesOpenIn(folder)).toEqual([]))
  await ask('delete', [['large']])
})

test('an object is what was put, with its facts', async () => {
  const { ask, get, time } = bucket()
  const given = { customMetadata: { a: '1' }, httpMetadata: { contentType: 'text/plain' } }
  const { value } = await ask('put', ['k', given], bodyOf('hel', 'lo'))
  const etag = '5d41402abc4b2a76b9719d911017c592'
  const facts = { key: 'k', size: 5, etag, httpEtag: `"${etag}"`, uploaded: new Date(time.now()) }
  expect(value).toMatchObject({ ...facts, ...given })
  expect((await ask('head', ['k'])).value).toEqual(value)
  expect(await get('k')).toBe('hello')
  await ask('put', ['k', {}], bodyOf('new'))
  expect(await get('k')).toBe('new')
  await ask('delete', [['k', 'none']])
  expect(await get('k')).toBeNull()
  expect((await ask('head', ['k'])).value).toBeNull()
})

test.each([
  [{ offset: 1, length: 3 }, 'ell'],
  [{ offset: 3 }, 'lo'],
  [{ offset: 3, length: 100 }, 'lo'],
  [{ suffix: 2 }, 'lo'],
  [{ suffix: 100 }, 'hello'],
  [{ offset: 5 }, '']
])('part %j of hello: %s', async (range, expected) => {
  const { ask, get } = bucket()
  await ask('put', ['k', {}], bodyOf('hello'))
  expect(await get('k', range)).toBe(expected)
})

test('an upload that fails leaves what was there', async () => {
  const { ask, get } = bucket()
  await ask('put', ['k', {}], bodyOf('old'))
  async function* broken() {
    yield Buffer.from('new')
    throw new Error('cut off')
  }
  await expect(ask('put', ['k', {}], broken())).rejects.toThrow('cut off')
  expect(await get('k')).toBe('old')
})

test('objects are listed by prefix, with folders, in parts', async () => {
  const { ask } = bucket()
  for (const key of ['a', 'd/1', 'd/2', 'd/e/1', 'f/1', 'g'])
    await ask('put', [key, {}], bodyOf(key))
  const list = async (options: object) => {
    const { objects, delimitedPrefixes, ...rest } = (await ask('list', [options])).value as any
    return { keys: objects.map(({ key }: any) => key), folders: delimitedPrefixes, ...rest }
  }
  expect(await list({ prefix: 'd/', delimiter: '/' })).toEqual({
    keys: ['d/1', 'd/2'],
    folders: ['d/e/'],
    truncated: false
  })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const part = await list({ delimiter: '/', limit: 2, cursor })
    seen.push([...part.keys, ...part.folders].join(' '))
    cursor = part.cursor
  } while (cursor)
  expect(seen).toEqual(['a d/', 'g f/'])
})

test('of puts at once each is acknowledged, one is kept, and one file is left', async () => {
  const { ask, get, store } = bucket(kept)
  const texts = Array.from({ length: 10 }, (_, number) => `text ${number}`)
  const put = texts.map((text) => ask('put', ['k', {}], bodyOf(text)))
  expect((await Promise.allSettled(put)).map(({ status }) => status)).toEqual(
    texts.map(() => 'fulfilled')
  )
  expect(texts).toContain(await get('k'))
  expect(readdirSync(folder)).toEqual([...objectFiles(store)])
})

test('who reads while it is replaced never sees nothing', async () => {
  const { ask, get } = bucket()
  await ask('put', ['k', {}], bodyOf('0'))
  let isOver = false
  const read = async () => {
    const seen = new Set<string | null>()
    while (!isOver) seen.add(await get('k'))
    return seen
  }
  const readers = [read(), read(), read()]
  for (let number = 1; number <= 200; number++) await ask('put', ['k', {}], bodyOf(`${number}`))
  isOver = true
  for (const seen of await Promise.all(readers)) expect(seen).not.toContain(null)
})

test('an object whose bytes are gone or others is an error, and not null', async () => {
  const { ask, get, store } = bucket(kept)
  await ask('put', ['other', {}], bodyOf('hello'))
  const [other] = objectFiles(store)
  writeFileSync(join(folder, other!), 'hallo')
  await expect(get('other')).rejects.toThrow('not what was put')
  rmSync(join(folder, other!))
  await expect(get('other')).rejects.toThrow('are lost')
})

test('files that no object names are swept, and nothing that others put there', async () => {
  const { ask, get, store } = bucket(kept)
  await ask('put', ['k', {}], bodyOf('kept'))
  const writing = await kept.begin()
  await writing.write(Buffer.from('orphan'))
  const orphan = await writing.end()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  expect(readdirSync(folder)).toContain(orphan)
  openFiles(folder).sweep(objectFiles(store))
  expect(new Set(readdirSync(folder))).toEqual(new Set(['notes.txt', ...objectFiles(store)]))
  expect(await get('k')).toBe('kept')
})

test('a range or a limit that makes no sense is an error', async () => {
  const { ask, get } = bucket()
  await ask('put', ['a'], bodyOf('x'.repeat(100_000)))
  for (const range of [{ offset: -1 }, { length: -1 }, { suffix: 0.5 }, { offset: '1' }])
    await expect(get('a', range)).rejects.toThrow(RangeError)
  for (const limit of [0, -5, Number.NaN])
    await expect(ask('list', [{ limit }])).rejects.toThrow(RangeError)
})

test('an object for which there is no row leaves no file', async () => {
  const { ask, store } = bucket(kept)
  const before = readdirSync(folder).length
  store.run(
    "CREATE TEMP TRIGGER full BEFORE INSERT ON stored_object BEGIN SELECT raise(ABORT, 'full'); END"
  )
  await expect(ask('put', ['k', {}], bodyOf('x'))).rejects.toThrow('full')
  expect(readdirSync(folder)).toHaveLength(before)
})
