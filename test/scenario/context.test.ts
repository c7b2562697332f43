import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../scenarios/_endpoints.ts'
import type { Client } from '../../src/client/client.ts'
import { random } from '../../src/random.ts'
import { createAskingContext } from '../../src/scenario/asking.ts'
import { Blocked } from '../../src/scenario/blocked.ts'
import { createContext, Undeclared } from '../../src/scenario/context.ts'

const client = (name: string) => ({ url: name, as: (host: string) => client(`${name} as ${host}`) })
const target = {
  name: 'a target',
  file: resolve('targets/one.json'),
  endpoints: { management: { url: 'http://127.0.0.1' }, edge: { url: 'http://127.0.0.1' } },
  zones: { pro: 'f00' },
  hosts: { pro: 'pro.example.test' },
  credentials: {}
}
const context = (needs: string[], adapter = {}) =>
  createContext({
    target,
    needs,
    key: 'pro',
    adapter,
    random: random(1),
    seed: 1,
    tier: 'quick',
    connect: (name) => client(name) as unknown as Client,
    parts: endpoints
  })

test('endpoints that are declared can be used, others say what to add', () => {
  expect(context(['management']).management.url).toBe('management')
  expect(() => context([]).management).toThrow(Undeclared)
  expect(() => context([]).management).toThrow(/add it to the scenario's `needs`/)
})

test('a zone of the edge is a client that speaks to its host', () => {
  expect(context(['edge']).edge.zone('pro').url).toBe('edge as pro.example.test')
})

test('an adapter that fails blocks: it says nothing about the target', async () => {
  const adapter = { zone: async () => Promise.reject(new Error('no more zones')) }
  await expect(context(['zone'], adapter).adapter.zone('pro')).rejects.toThrow(Blocked)
  await expect(context(['zone'], adapter).adapter.zone('pro')).rejects.toThrow(/no more zones/)
  expect(() => context([], adapter).adapter.zone).toThrow(Undeclared)
})

test('an entry that a table has not blocks who reads it, and is named with its file', async () => {
  const { edge, zones, credentials } = context(['edge'])
  expect([zones.pro, 'free' in zones, { ...zones }.free]).toEqual(['f00', false, undefined])
  expect(JSON.stringify(zones)).toBe('{"pro":"f00"}')
  expect(await credentials).toEqual({})
  expect(() => zones.free).toThrow(Blocked)
  expect(() => zones.free).toThrow('no "free" in "zones": add it to targets/one.json')
  expect(edge.zone('free')).toMatchObject({ url: 'edge as free' })
  const { management } = createAskingContext(target, ['management'])
  const { zones: named } = createAskingContext(target, [])
  expect(management.get(`/${named.pro}`).url).toBe('http://127.0.0.1/f00')
  expect(() => management.get(`/${named.free}`)).toThrow(Blocked)
})
