import { expect, test } from 'vitest'
import { endpoints } from '../../scenarios/_endpoints.ts'
import type { Client } from '../../src/client/client.ts'
import { random } from '../../src/random.ts'
import { Blocked, createContext, Undeclared } from '../../src/scenario/context.ts'

const client = (name: string) => ({ url: name, as: (host: string) => client(`${name} as ${host}`) })
const context = (needs: string[], adapter = {}) =>
  createContext({
    target: {
      name: 'a target',
      endpoints: { management: { url: 'http://127.0.0.1' }, edge: { url: 'http://127.0.0.1' } },
      zones: { pro: 'f00' },
      hosts: { pro: 'pro.example.test' },
      credentials: {}
    },
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
