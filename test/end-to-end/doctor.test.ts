import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

test('doctor says what there is, what for, and what to do', async () => {
  const { code, json } = await plimsollJson('doctor')
  const byName = Object.fromEntries(json.checks.map((check: any) => [check.name, check]))
  expect(byName.Node).toMatchObject({ status: 'ok', found: process.version })
  expect(byName.cores.found).toContain(`${availableParallelism()}`)
  // This repository has them all.
  expect(byName['packages of platform'].status).toBe('ok')
  expect(byName.noise.found).toMatch(/% of \d/)
  const limited = json.checks.filter(({ status }: any) => status === 'limited')
  expect(json.limited).toEqual(limited.map(({ name }: any) => name))
  expect(code).toBe(limited.length > 0 ? 2 : 0)
  const { stdout } = await plimsoll('doctor')
  for (const { name, purpose } of json.checks) {
    expect(stdout).toContain(name)
    expect(stdout).toContain(purpose)
  }
}, 30_000)

test('a quiet search path has no programs', async () => {
  const { start } = await import('./plimsoll.ts')
  const { stdout } = await start(['doctor', '--json'], { env: { PATH: '/nowhere' } }).ended
  const found = JSON.parse(stdout).checks.find(({ name }: any) => name === 'redis')
  expect(found).toMatchObject({ advice: expect.stringMatching(/Redis/) })
}, 30_000)
