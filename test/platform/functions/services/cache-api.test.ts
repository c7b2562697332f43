import { afterAll, expect, test } from 'vitest'
import { openCache } from '../../../../src/platform/edge/cache-store.ts'
import type { Call, Caller } from '../../../../src/platform/functions/isolate/contract.ts'
import { cacheService } from '../../../../src/platform/functions/services/cache-api.ts'
import { openFiles } from '../../../../src/platform/kernel/data/files.ts'
import { bodyOf, stoppedTime, textOf } from '../stage.ts'

const files = openFiles()
afterAll(() => files.close())
const url = 'http://c.test/a'

function till(limitBytes = 10) {
  const { now, forward } = stoppedTime()
  const cache = openCache({ files, mostBytes: 1_000, now })
  const accountOf = ({ spec }: Caller) => spec.id
  const service = cacheService({ cache, accountOf, limitOf: () => limitBytes, now })
  const ask = (method: string, args: unknown[], text?: string, account = 'a', id = 'default') =>
    service[method]!(
      {
        service: 'cache',
        method,
        id,
        args,
        body: text === undefined ? text : bodyOf(text)
      } as Call,
      { spec: { id: account } } as Caller
    )
  const get = { method: 'GET', url, headers: [] }
  const put = (text: string, headers: [string, string][] = [], more = {}) =>
    ask(
      'put',
      [
        { ...get, ...more },
        { status: 200, headers }
      ],
      text
    )
  const match = async (account?: string, id?: string) => {
    const { value, body } = await ask('match', [get, {}], undefined, account, id)
    return value === null ? null : textOf(body)
  }
  return { ask, put, match, get, forward }
}

test('finds what was put, in the same cache of the same account', async () => {
  const { put, match } = till()
  await put('hello')
  expect(await match()).toBe('hello')
  expect(await match('b')).toBeNull()
  expect(await match('a', 'other')).toBeNull()
  await put('again')
  expect(await match()).toBe('again')
})

test('an object has a size, and what is too large leaves nothing', async () => {
  const { put, match } = till()
  await put('0123456789')
  await expect(put('01234567890')).rejects.toThrow('at most 10 bytes')
  await expect(put('', [['Content-Length', '11']])).rejects.toThrow('at most 10 bytes')
  expect(await match()).toBe('0123456789')
})

test('deleting tells whether there was something', async () => {
  const { ask, put, get } = till()
  await put('x')
  expect((await ask('delete', [get])).value).toBe(true)
  expect((await ask('delete', [get])).value).toBe(false)
})

test.each([
  [[['Cache-Control', 'max-age=1']], 1_000],
  [[], 7_200_000]
] as [[string, string][], number][])('with %j kept for %i ms', async (headers, lifetimeMs) => {
  const { put, match, forward } = till()
  await put('x', headers)
  forward(lifetimeMs - 1)
  expect(await match()).toBe('x')
  forward(1)
  expect(await match()).toBeNull()
})

test('what forbids to be kept replaces what was there by nothing', async () => {
  const { put, match } = till()
  await put('old')
  await put('new', [['Cache-Control', 'no-store']])
  expect(await match()).toBeNull()
})

test('only whole answers to GET can be put, and only GET finds them', async () => {
  const { ask, put, get } = till()
  await expect(put('x', [], { method: 'POST' })).rejects.toThrow(TypeError)
  await expect(put('x', [['Vary', '*']])).rejects.toThrow(TypeError)
  const part = [get, { status: 206, headers: [] }]
  await expect(ask('put', part, 'x')).rejects.toThrow(TypeError)
  await put('x')
  const head = { ...get, method: 'HEAD' }
  expect((await ask('match', [head, {}])).value).toBeNull()
  expect((await ask('match', [head, { ignoreMethod: true }])).value).toMatchObject({ status: 200 })
})
