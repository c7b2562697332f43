import type { ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, test, vi } from 'vitest'
import { childrenOf, isAlive, until } from './children.ts'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

/** The processes of functions, by the text of the main module that each was given to load. */
const { processes } = vi.hoisted(() => ({ processes: new Map<string, ChildProcess>() }))

vi.mock('node:child_process', async (original) => {
  const theirs = await original<{ fork: typeof fork }>()
  const forked = (...given: Parameters<typeof fork>) => {
    const child = theirs.fork(...given)
    const { send } = child
    child.send = ((messages: any[], ...rest: []) => {
      for (const { t, spec } of messages)
        if (t === 'load') processes.set(spec.modules['main.js'], child)
      return send.call(child, messages as object, ...rest)
    }) as typeof send
    return child
  }
  return { ...theirs, fork: forked }
})

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

/** Who has been evicted, and resolves once his process is no more. */
const leaving = new Map<string, Promise<unknown>>()

/** How an attack ended, and what it had used when it did. */
async function attack(name: string) {
  const main = code.replaceAll('SHAPE', name)
  const modules = { 'main.js': main, 'ruses.js': ruses }
  const spec = specOf('', { modules, limits })
  const innocents = [1, 2].map(() => isolates.ask(innocent, { path: '/innocent' }))
  const gone = new AbortController()
  const patience = setTimeout(() => gone.abort(), 50_000)
  const told = await isolates.ask(spec, { gone: gone.signal })
  clearTimeout(patience)
  isolates.evict(spec.id)
  const child = processes.get(main)!
  const isGone = child.exitCode !== null || child.signalCode !== null
  leaving.set(name, isGone ? Promise.resolve() : once(child, 'exit'))
  const served = await Promise.all(innocents)
  return { told, served }
}

// Each has a process of its own, and mostly waits for it: several are under way at once.
test.concurrent.each(names)('%s: is ended and charged, and nobody else is', async (name) => {
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

test('each of their processes ended by itself or by being evicted', async () => {
  expect([...leaving.keys()].toSorted()).toEqual(names.toSorted())
  for (const [, gone] of leaving) await gone
  const alive = [...processes].filter(
    ([main, { pid }]) => main.includes('ruses.js') && isAlive(pid!)
  )
  expect(alive).toEqual([])
})

test('none of their processes is left', async () => {
  isolates.evict()
  const own = childrenOf(process.pid)
  // One waits for a function that has yet to come.
  await until(() => own.filter(isAlive).length <= 1)
})
