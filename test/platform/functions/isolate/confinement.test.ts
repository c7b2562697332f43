import { afterAll, expect, test } from 'vitest'
import { childrenOf, isAlive, until } from './children.ts'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

// Every way in which a function has got out of its limits, each in a process of its own, with two
// innocents served beside it. A process that has not been ended by itself is evicted: it must go.
const code = codeOf('escapes')
const ruses = codeOf('ruses')
const names = [
  ...`${code}${ruses}`.matchAll(/^ {2}(\w+): (?:steals|spinsIn|traps|fromStart|onRequest|\{)/gm)
].map(([, name]) => name!)
const cpuMs = { fetch: 20, scheduled: 20, queue: 20, alarm: 20 }
/** What is tolerated of an overrun. */
const mostMs = 3 * cpuMs.fetch
const limits = limitsOf({ cpuMs })
const innocent = specOf(codeOf('shapes'), { limits })
const isolates = openTestIsolates({
  rules: { overruns: { tolerated: Infinity, of: 1, factor: 3, leastExtraMs: 10 } },
  spares: 1
})
afterAll(isolates.close)

test('there are enough of them', () => {
  expect(names.length).toBeGreaterThanOrEqual(60)
})

/** How an attack ended, and what it had used when it did. */
async function attack(name: string) {
  const modules = { 'main.js': code.replaceAll('SHAPE', name), 'ruses.js': ruses }
  const spec = specOf('', { modules, limits })
  const innocents = [1, 2].map(() => isolates.ask(innocent, { path: '/innocent' }))
  const gone = new AbortController()
  const leaving = setTimeout(() => gone.abort(), 20_000)
  const told = await isolates.ask(spec, { gone: gone.signal })
  clearTimeout(leaving)
  isolates.evict(spec.id)
  const served = await Promise.all(innocents)
  return { told, served }
}

test.each(names)('%s: is ended and charged, and nobody else is', async (name) => {
  const { told, served } = await attack(name)
  for (const one of served) expect(one).toMatchObject({ text: 'fine', record: { outcome: 'ok' } })
  const { outcome, cpuUs } = told.record
  // Who never gets past his global scope has not begun: there is nobody to charge.
  if (told.failed?.message === 'Script startup exceeded CPU time limit.') return
  // An attack that came to nothing has waited, used next to nothing, and answered.
  if (outcome === 'ok') return expect(cpuUs).toBeLessThan(mostMs * 1_000)
  expect(outcome).toMatch(/^(exceeded(Cpu|Memory)|internal)$/)
  expect(cpuUs).toBeGreaterThan(outcome === 'exceededMemory' ? 0 : cpuMs.fetch * 1_000)
})

test('none of their processes is left', async () => {
  isolates.evict()
  const own = childrenOf(process.pid)
  // One waits for a function that has yet to come.
  await until(() => own.filter(isAlive).length <= 1)
})
