import { expect, test } from 'vitest'
import type { Call, Caller } from '../../../../src/platform/functions/isolate/contract.ts'
import { keyValueStore } from '../../../../src/platform/functions/services/kv.ts'
import { bodyOf, stage, textOf } from '../stage.ts'

function shelf() {
  const { store, time } = stage()
  const service = keyValueStore({ store, time, valueBytes: 10 })
  const ask = (method: string, args: unknown[], text?: string, id = 'a/n') =>
    service[method]!(
      {
        service: 'kv',
        method,
        id,
        args,
        body: text === undefined ? undefined : bodyOf(text)
      } as Call,
      {} as Caller
    )
  const get = async (key: string, id?: string) => {
    const { value, body } = await ask('get', [key], undefined, id)
    return value === null ? null : [await textOf(body), (value as any).metadata]
  }
  const list = async (options: object) => (await ask('list', [options])).value as any
  return { time, ask, get, list }
}

test('keeps values and what is said about them, by namespace', async () => {
  const { ask, get } = shelf()
  await ask('put', ['a', { metadata: { x: 1 } }], 'one')
  await ask('put', ['b', {}], '')
  expect(await get('a')).toEqual(['one', { x: 1 }])
  expect(await get('b')).toEqual(['', null])
  expect(await get('a', 'a/other')).toBeNull()
  await ask('put', ['a', {}], 'two')
  expect(await get('a')).toEqual(['two', null])
  await ask('delete', ['a'])
  expect(await get('a')).toBeNull()
})

test('a value has a size', async () => {
  const { ask, get } = shelf()
  await ask('put', ['a', {}], '0123456789')
  await expect(ask('put', ['a', {}], '01234567890')).rejects.toThrow('at most 10 bytes')
  expect(await get('a')).toEqual(['0123456789', null])
})

test('values expire by the platform’s time', async () => {
  const { ask, get, list, time } = shelf()
  await ask('put', ['ttl', { expirationTtl: 60 }], 'x')
  await ask('put', ['at', { expiration: time.now() / 1_000 + 120 }], 'x')
  time.forward(59_999)
  expect(await get('ttl')).not.toBeNull()
  time.forward(1)
  expect(await get('ttl')).toBeNull()
  expect((await list({})).keys).toEqual([{ name: 'at', expiration: time.now() / 1_000 + 60 }])
})

test('keys are listed in order, by prefix, in parts', async () => {
  const { ask, list } = shelf()
  for (const key of ['b%', 'a', 'b_', 'b', 'c']) await ask('put', [key, {}], 'x')
  const names = ({ keys }: { keys: { name: string }[] }) => keys.map(({ name }) => name)
  expect(names(await list({}))).toEqual(['a', 'b', 'b%', 'b_', 'c'])
  const first = await list({ prefix: 'b', limit: 2 })
  expect([names(first), first.list_complete]).toEqual([['b', 'b%'], false])
  const second = await list({ prefix: 'b', limit: 2, cursor: first.cursor })
  expect(second).toEqual({ keys: [{ name: 'b_' }], list_complete: true })
})

test('a list is never longer than a page, whatever was asked for', async () => {
  const { ask, list } = shelf()
  await ask('put', ['a', {}], 'x')
  for (const limit of [0, -5, Number.NaN, '1'])
    await expect(list({ limit })).rejects.toThrow(RangeError)
  expect((await list({ limit: 5_000 })).keys).toHaveLength(1)
})
