import { afterAll, expect, test } from 'vitest'
import { openFiles } from '../../../../src/platform/functions/files.ts'
import type { Call, Caller } from '../../../../src/platform/functions/isolate/contract.ts'
import { objectStorage } from '../../../../src/platform/functions/services/objects.ts'
import { bodyOf, stage, textOf } from '../stage.ts'

const files = openFiles()
afterAll(() => files.close())

function bucket() {
  const { store, time } = stage()
  const service = objectStorage({ store, time, files })
  const ask = (method: string, args: unknown[], body?: AsyncIterable<Uint8Array>) =>
    service[method]!({ service: 'objects', method, id: 'a/b', args, body } as Call, {} as Caller)
  const get = async (key: string, range?: object) => {
    const { value, body } = await ask('get', [key, { range }])
    return value === null ? null : textOf(body)
  }
  return { ask, get, time }
}

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
