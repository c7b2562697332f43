import { expect, test } from 'vitest'
import { givingUp, withDisposable } from '../../src/target/disposable.ts'
import type { Target } from '../../src/target/target.ts'

const target: Target = {
  name: 'staging',
  endpoints: {},
  zones: { pro: 'a1', business: 'b2' },
  hosts: { pro: 'pro.test' },
  credentials: {}
}

test('a zone that was given up by name may be used up, and no other', async () => {
  const { disposableZone } = withDisposable({}, givingUp(target, ['pro']))
  expect(await disposableZone!('pro')).toEqual({ id: 'a1', host: 'pro.test' })
  const refused = '"business" would be used up: allow it with --allow-irreversible business'
  await expect(disposableZone!('business')).rejects.toThrow(refused)
  await expect(disposableZone!('free')).rejects.toThrow('the target has no zone "free"')
})

test('unless a person says so, no zone may be used up', async () => {
  const { disposableZone } = withDisposable({}, target)
  await expect(disposableZone!('pro')).rejects.toThrow('--allow-irreversible pro')
})

test('an adapter that makes such zones makes them itself, and keeps what else it can', async () => {
  const made = { id: 'c3', host: 'c3.test' }
  const adapter = withDisposable({ disposableZone: async () => made }, givingUp(target, ['pro']))
  expect(await adapter.disposableZone!('pro')).toBe(made)
})

test('a name that no zone has is refused', () => {
  expect(() => givingUp(target, ['prod'])).toThrow(
    '--allow-irreversible prod: the target names pro, business'
  )
})
