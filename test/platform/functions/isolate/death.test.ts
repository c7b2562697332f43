import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { childrenOf, isAlive, until } from './children.ts'
import { codeOf, openTestIsolates, specOf } from './isolates.ts'

const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })

const code = `export default { async fetch(request) {
  if (request.method === 'PUT') for (;;);
  if (request.method === 'POST') await new Promise((resolve) => setTimeout(resolve, 1e6))
  return new Response('ok')
} }`
const limits = { ...specOf('').limits, cpuMs: { fetch: 1e6, scheduled: 1, queue: 1, alarm: 1 } }

test('closing leaves nothing: no process, no descriptor, no request without an end', async () => {
  const openAndClose = async () => {
    const isolates = openTestIsolates({ spares: 2 })
    const specs = [1, 2].map(() => specOf(code, { limits }))
    for (const spec of specs) expect((await isolates.ask(spec)).text).toBe('ok')
    const hanging = ['PUT', 'POST'].map((method, index) =>
      isolates.ask(specs[index]!, { method } as object)
    )
    await isolates.close()
    for (const { record } of await Promise.all(hanging)) expect(record.outcome).toBe('internal')
  }
  const children = childrenOf(process.pid).length
  const isSettled = () => childrenOf(process.pid).length <= children
  // What a process opens once and for all, it opens the first time.
  await openAndClose()
  await until(isSettled)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const files = openFiles().length
  await openAndClose()
  await openAndClose()
  await until(isSettled)
  // Pipes to a process end after it has.
  const none = () => expect(openFiles().length).toBeLessThanOrEqual(files)
  await vi.waitFor(none, { timeout: 5_000 })
})

test('after closing there is nothing to be had', async () => {
  const isolates = openTestIsolates()
  await isolates.close()
  expect((await isolates.ask(specOf(code))).record.outcome).toBe('internal')
})

test('instances that are not needed are not there', async () => {
  const isolates = openTestIsolates({ most: 2 })
  const before = childrenOf(process.pid)
  for (let n = 0; n < 6; n++) await isolates.ask(specOf(code))
  const own = () => childrenOf(process.pid).filter((id) => !before.includes(id))
  await until(() => own().length <= 2)
  isolates.evict()
  await until(() => own().length === 0)
  await isolates.close()
})

test.each(['PUT', 'POST'])('who is evicted is gone soon, whatever he does: %s', async (method) => {
  await using isolates = openTestIsolates()
  const spec = specOf(code, { limits })
  const before = childrenOf(process.pid)
  await isolates.ask(spec)
  const own = childrenOf(process.pid).filter((id) => !before.includes(id))
  expect(own.length).toBe(1)
  const held = isolates.ask(spec, { method } as object)
  await new Promise((resolve) => setTimeout(resolve, 100))
  isolates.evict(spec.id)
  // Left to himself he would stay for a quarter of an hour.
  expect((await held).record.outcome).toBe('internal')
  await until(() => !own.some(isAlive))
  // What a process has used is told by it as long as it lives, and by the kernel ever after.
  if (method === 'PUT') expect((await held).record.cpuUs).toBeGreaterThan(100_000)
})

test('who holds on to instances gets no more of them than there may be', async () => {
  await using isolates = openTestIsolates({ most: 2 })
  const before = childrenOf(process.pid)
  let most = 0
  const watching = setInterval(() => {
    const own = childrenOf(process.pid).filter((id) => !before.includes(id))
    most = Math.max(most, own.length)
  }, 10)
  const held = Array.from({ length: 6 }, () =>
    isolates.ask(specOf(code), { method: 'POST' } as object)
  )
  const innocent = await isolates.ask(specOf(code))
  clearInterval(watching)
  expect(innocent.text).toBe('ok')
  expect(most).toBe(2)
  await isolates.close()
  for (const { record } of await Promise.all(held)) expect(record.outcome).toBe('internal')
})

test('who holds on to instances takes none from another account', async () => {
  await using isolates = openTestIsolates({ most: 3 })
  const waiting = code.replace('1e6', '3_000')
  const innocent = isolates.ask(specOf(waiting, { owner: 'b' }), { method: 'POST' } as object)
  const greedy = Array.from({ length: 4 }, () =>
    isolates.ask(specOf(code, { owner: 'a' }), { method: 'POST' } as object)
  )
  const first = await Promise.any(greedy)
  expect(first.record.outcome).toBe('internal')
  expect((await innocent).text).toBe('ok')
  await isolates.close()
  await Promise.all(greedy)
})

test('an instance that is killed is replaced, and takes only its own with it', async () => {
  await using isolates = openTestIsolates()
  const [victim, other] = [specOf(code, { limits }), specOf(code, { limits })] as const
  const before = childrenOf(process.pid)
  await isolates.ask(victim)
  const [id] = childrenOf(process.pid).filter((one) => !before.includes(one))
  await isolates.ask(other)
  const [lost, kept] = [victim, other].map((spec) =>
    isolates.run(spec, { method: 'POST' } as object)
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  process.kill(id!, 'SIGKILL')
  await expect(lost!.answer).rejects.toMatchObject({ outcome: 'internal' })
  expect((await isolates.ask(victim)).text).toBe('ok')
  expect((await isolates.ask(other)).text).toBe('ok')
  kept!.answer.catch(() => {})
})

test('when the platform is killed its instances end, though one of them spins', async () => {
  const program = fork(new URL('program.ts', import.meta.url), { execArgv: [] })
  await once(program, 'message')
  const instances = childrenOf(program.pid!)
  expect(instances.length).toBeGreaterThanOrEqual(2)
  program.kill('SIGKILL')
  await until(() => !instances.some(isAlive))
})

test.each([{ what: 'a second', seconds: Number(process.env.ISOLATE_STRESS_SECONDS ?? 1) }])(
  'under load, with runaways and kills, no innocent is lost: $what',
  async ({ seconds }) => {
    const cpuMs = { fetch: 20, scheduled: 1, queue: 1, alarm: 1 }
    const spec = specOf(codeOf('shapes'), { limits: { ...limits, cpuMs } })
    await using isolates = openTestIsolates({
      spares: 1,
      rules: { overruns: { tolerated: Infinity, of: 1, factor: 3, leastExtraMs: 10 } }
    })
    const guilty = ['sync', 'microtask', 'timer', 'transform', 'storm', 'parts', 'interval']
    const until = Date.now() + seconds * 1_000
    let rounds = 0
    while (Date.now() < until || rounds === 0) {
      const innocents = Array.from({ length: 4 }, () => isolates.ask(spec, { path: '/innocent' }))
      const chosen = [0, 1, 2].map((n) => guilty[(rounds * 3 + n) % guilty.length]!)
      const runaways = chosen.map((name) => isolates.ask(spec, { path: `/${name}` }))
      for (const { text } of await Promise.all(innocents)) expect(text).toBe('fine')
      for (const { record } of await Promise.all(runaways))
        expect(record.outcome).toBe('exceededCpu')
      // Now and then somebody else ends an instance, at rest.
      if (rounds++ % 5 === 4) isolates.evict(spec.id)
    }
  },
  1_000_000
)
