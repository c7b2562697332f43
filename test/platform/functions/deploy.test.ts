import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { deployer } from '../../../src/platform/functions/deploy.ts'
import { type Deployment, deploymentSchema } from '../../../src/platform/functions/deployment.ts'
import type { DeployError, FunctionSpec } from '../../../src/platform/functions/isolate/contract.ts'
import type { FunctionPlan } from '../../../src/platform/functions/plan.ts'
import type { Failure } from '../../../src/platform/kernel/api/failure.ts'
import { deployment, stage } from './stage.ts'

/** An account to deploy to, where every version starts unless an error is given. */
function shop(plan: FunctionPlan = 'free', error?: DeployError) {
  const at = stage()
  const account = at.account(plan)
  const checked: FunctionSpec[] = []
  let failure = error
  const fail = (next: DeployError) => {
    failure = next
  }
  let held: { count: number; all: PromiseWithResolvers<void> } | undefined
  /** Has none be started until so many are to be. */
  const hold = (count: number) => {
    held = { count, all: Promise.withResolvers<void>() }
  }
  const check = async (spec: FunctionSpec) => {
    checked.push(spec)
    if (checked.length === held?.count) held.all.resolve()
    await held?.all.promise
    return failure
  }
  const kept = new Map<string, string>()
  const isolates = {
    check: async (spec: FunctionSpec) => {
      kept.set(spec.version, spec.id)
      return check(spec)
    },
    evict(functionId?: string, isMeant = (_version: string) => true) {
      for (const [version, id] of kept)
        if (id === functionId && isMeant(version)) kept.delete(version)
    }
  }
  const deploy = deployer({ ...at, isolates })
  const given = (some: Partial<Deployment>) => deploy(account, deployment(some))
  const codeOf = (some: Partial<Deployment>) =>
    given(some).then(
      () => 'deployed',
      ({ status, faults }: Failure) => [status, faults[0]!.code].join(' ')
    )
  return { ...at, account, checked, kept, fail, hold, given, codeOf }
}

const variables = (count: number, prefix = 'V') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'v']))

test.each([
  ['free', 64, 0, 'deployed'],
  ['free', 65, 0, '422 10055'],
  ['free', 32, 32, 'deployed'],
  ['free', 32, 33, '422 10055'],
  ['free', 0, 65, '422 10055'],
  ['bundled', 128, 0, 'deployed'],
  ['standard', 64, 65, '422 10055']
] as const)('on %s %i variables and %i secrets: %s', async (plan, texts, secrets, expected) => {
  const given = { env: variables(texts), secrets: variables(secrets, 'S') }
  expect(await shop(plan).codeOf(given)).toBe(expected)
})

test.each([
  ['x'.repeat(5_120), 'deployed'],
  ['x'.repeat(5_121), '422 10054'],
  ['é'.repeat(2_560), 'deployed'],
  ['é'.repeat(2_561), '422 10054']
])('a value is measured in bytes (%#)', async (value, expected) => {
  expect(await shop().codeOf({ env: { A: value } })).toBe(expected)
  expect(await shop().codeOf({ secrets: { A: value } })).toBe(expected)
})

test('a function is measured compressed, all modules together, texts and bytes', async () => {
  const noise = (bytes: number) => ({ base64: randomBytes(bytes).toString('base64') })
  const main = { 'main.js': 'export default {}' }
  const size = (bytes: number) => ({
    modules: { ...main, a: noise(bytes / 2), b: noise(bytes / 2) }
  })
  const { codeOf } = shop()
  expect(await codeOf(size(1_040_000))).toBe('deployed')
  expect(await codeOf(size(1_060_000))).toBe('422 10027')
  expect(await codeOf({ modules: { 'main.js': ' '.repeat(3_000_000) } })).toBe('deployed')
  expect(await shop('bundled').codeOf(size(1_060_000))).toBe('deployed')
})

test('modules of bytes are base64, however large they are', () => {
  const given = (base64: string) => ({ name: 'shop', main: 'a', modules: { a: { base64 } } })
  const isTaken = (base64: string) => v.is(deploymentSchema, given(base64))
  expect(isTaken(randomBytes(9_000_000).toString('base64'))).toBe(true)
  expect(['', 'YQ==', 'YWI='].map(isTaken)).toEqual([true, true, true])
  expect(['YQ', 'Y!==', 'é', 'YQ== '].map(isTaken)).toEqual([false, false, false, false])
})

test('what does not start is not deployed', async () => {
  const message = 'Script startup exceeded CPU time limit.'
  const { codeOf, given } = shop('free', { kind: 'startup-cpu', message })
  expect(await codeOf({})).toBe('422 10021')
  await expect(given({})).rejects.toThrow(message)
})

test('modules that have started are not started for each function', async () => {
  const { given, checked } = shop()
  await given({ name: 'one' })
  await given({ name: 'two', env: { A: 'a' } })
  await given({ name: 'one', modules: { 'main.js': 'export default { }' } })
  expect(checked.length).toBe(2)
})

test('an account has as many functions as its plan allows, and any can be replaced', async () => {
  const { codeOf, given } = shop()
  const ids = new Set<string>()
  for (let number = 0; number < 100; number++) ids.add((await given({ name: `f${number}` })).id)
  expect(ids.size).toBe(100)
  expect(await codeOf({ name: 'one-more' })).toBe('422 10037')
  const again = await given({ name: 'f7', env: { A: 'a' } })
  expect(ids.has(again.id)).toBe(true)
})

test('a version replaces the one before under the same id and host', async () => {
  const { given, account } = shop()
  const first = await given({})
  const second = await given({ env: { A: 'a' } })
  expect(second).toEqual({ ...first, version: second.version })
  expect(second.version).not.toBe(first.version)
  expect(first.host).toBe(`fn.${account.subdomain}`)
})

test.each([
  [{ main: 'nowhere.js' }, '400 1004'],
  [{ env: { A: 'a' }, secrets: { A: 'b' } }, '400 1004'],
  [{ env: { KV: 'a' }, bindings: { KV: { kind: 'kv', name: 'n' } } }, '400 1004'],
  [{ cpuMs: 30_000 }, 'deployed'],
  [{ cpuMs: 30_001 }, '422 10079']
] as [Partial<Deployment>, string][])('%j: %s', async (given, expected) => {
  expect(await shop().codeOf(given)).toBe(expected)
})

test('a queue has one consumer', async () => {
  const { codeOf } = shop()
  expect(await codeOf({ name: 'one', consumes: ['orders', 'returns'] })).toBe('deployed')
  expect(await codeOf({ name: 'two', consumes: ['orders'] })).toBe('422 10076')
  expect(await codeOf({ name: 'one', consumes: ['returns'] })).toBe('deployed')
  expect(await codeOf({ name: 'two', consumes: ['orders'] })).toBe('deployed')
})

test('an isolate is given texts, secrets, bindings, and the limits of the plan', async () => {
  const { given, checked, account } = shop('standard')
  await given({
    env: { TEXT: 't' },
    secrets: { SECRET: 's' },
    bindings: {
      KV: { kind: 'kv', name: 'n' },
      STATE: { kind: 'stateful', className: 'Counter' },
      OTHER: { kind: 'service', function: 'other' }
    },
    cpuMs: 70
  })
  const { env, limits } = checked[0]!
  expect(env).toMatchObject({
    TEXT: 't',
    SECRET: 's',
    KV: { kind: 'kv', id: `${account.id}/n` },
    STATE: { kind: 'stateful', id: expect.stringMatching(/^[0-9a-f]{32}\/Counter$/) },
    OTHER: { kind: 'service', id: `${account.id}/other` }
  })
  expect(limits).toMatchObject({ subrequests: 1_000, connections: 6, startupMs: 400 })
  expect(limits.cpuMs).toEqual({ fetch: 70, scheduled: 70, queue: 70, alarm: 70 })
  expect(limits.durationMs).toEqual({ scheduled: 900_000, alarm: 900_000, queue: 900_000 })
})

test('what was started to see whether it starts is what its events meet', async () => {
  const { given, kept } = shop()
  const { id, version } = await given({ modules: { 'main.js': 'export default { a: 1 }' } })
  expect([...kept]).toEqual([[`${version}-free`, id]])
  const next = await given({ modules: { 'main.js': 'export default { b: 1 }' } })
  expect([...kept]).toEqual([[`${next.version}-free`, id]])
  await given({ env: { A: 'a' }, modules: { 'main.js': 'export default { b: 1 }' } })
  expect([...kept]).toEqual([])
})

test('what does not start is let go, and the version before it is not', async () => {
  const at = shop()
  const { id, version } = await at.given({})
  at.fail({ kind: 'startup-cpu', message: 'slow' })
  expect(await at.codeOf({ modules: { 'main.js': 'export default { a: 1 }' } })).toBe('422 10021')
  expect([...at.kept]).toEqual([[`${version}-free`, id]])
})

test('what has started, and is refused all the same, is let go', async () => {
  const { codeOf, given, kept } = shop()
  const { id } = await given({ consumes: ['orders'] })
  const modules = { 'main.js': 'export default { a: 1 }' }
  expect(await codeOf({ name: 'two', consumes: ['orders'], modules })).toBe('422 10076')
  expect([...kept.values()]).toEqual([id])
})

test('of two first versions of a name, the later takes the place of the other', async () => {
  const at = shop()
  at.hold(2)
  const [one, other] = await Promise.all(
    ['a', 'b'].map((a) => at.given({ modules: { 'main.js': `export default { ${a}: 1 }` } }))
  )
  expect(one!.id).toBe(other!.id)
  expect(new Set(at.checked.map(({ id }) => id)).size).toBe(2)
  expect([...at.kept]).toEqual([])
})
