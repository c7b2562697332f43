import { afterAll, describe, expect, test } from 'vitest'
import type { EventKind, Invocation } from '../../../../src/platform/functions/isolate/contract.ts'
import { versionedBy, wrapped } from '../../../../src/platform/functions/mutants/isolates.ts'
import { failing } from '../../../../src/platform/functions/mutants/transcript.ts'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

const cpuOf = (ms: number): Record<EventKind, number> => ({
  fetch: ms,
  scheduled: ms,
  queue: ms,
  alarm: ms
})

const code = codeOf('working')

const spec = specOf(code, { limits: limitsOf({ cpuMs: cpuOf(30) }) })
const strict = { overruns: { tolerated: 0, of: 20, factor: 3, leastExtraMs: 10 } }
const isolates = openTestIsolates({ spares: 1, rules: strict })
afterAll(isolates.close)

describe('processor time', () => {
  test('a loop is ended about when its limit is used up', async () => {
    const { failed, record } = await isolates.ask(spec, { path: '/loop' })
    expect(failed?.outcome).toBe('exceededCpu')
    expect(record.cpuUs).toBeGreaterThan(29_000)
    expect(record.cpuUs).toBeLessThan(600_000)
  })

  test('it is the sum over all of its turns', async () => {
    expect((await isolates.ask(spec, { path: '/parts?n=10000' })).record.outcome).toBe(
      'exceededCpu'
    )
  })

  test('waiting uses none', async () => {
    const { record } = await isolates.ask(spec, { path: '/naps?n=40' })
    expect(record.outcome).toBe('ok')
    expect(record.wallMs).toBeGreaterThan(790)
    expect(record.cpuUs).toBeLessThan(30_000)
  })

  test('by other rules waiting counts', async () => {
    await using wall = openTestIsolates({ rules: { ...strict, cpuMeasure: 'wall' } })
    expect((await wall.ask(spec, { path: '/naps?n=40' })).record.outcome).toBe('exceededCpu')
  })

  test('each kind of event has a limit of its own', async () => {
    const cpuMs = { ...cpuOf(20_000), scheduled: 20 }
    const uneven = { ...spec, id: 'uneven', limits: limitsOf({ cpuMs }) }
    const event = { kind: 'scheduled', cron: '*', scheduledMs: 0 } as Partial<Invocation>
    expect((await isolates.ask(uneven, event)).record.outcome).toBe('exceededCpu')
    expect((await isolates.ask(uneven, { path: '/parts?n=50' })).record.outcome).toBe('ok')
  })

  test('a function that overran three times is held to its limit', async () => {
    await using tolerant = openTestIsolates({ spares: 1 })
    const used: number[] = []
    for (let n = 0; n < 4; n++)
      used.push((await tolerant.ask(spec, { path: '/loop' })).record.cpuUs / 1_000)
    for (const ms of used.slice(0, 3)) expect(ms).toBeGreaterThan(89)
    expect(used[3]).toBeGreaterThan(29)
    expect(used[3]).toBeLessThan(Math.max(...used.slice(0, 3)))
  })

  test('what cannot be interrupted takes its instance down, and only that', async () => {
    const other = specOf(code)
    const innocent = isolates.ask(other, { path: '/sleep?n=1500' })
    const { failed } = await isolates.ask(spec, { path: '/bigint' })
    expect(failed?.outcome).toBe('exceededCpu')
    expect((await innocent).text).toBe('ok')
    expect((await isolates.ask(spec)).text).toBe('ok')
  })
})

describe('starting', () => {
  const module = (text: string) =>
    specOf(`${text}\nexport default { fetch() { return new Response('up') } }`)

  test.each([
    { what: 'a loop', text: 'for (;;);', kind: 'startup-cpu' },
    { what: 'a throw', text: 'throw new Error("not today")', kind: 'startup-error' },
    { what: 'nonsense', text: 'let let = {', kind: 'startup-error' },
    { what: 'a timer', text: 'setTimeout(() => {}, 1)', kind: 'startup-error' },
    { what: 'a fetch', text: 'await fetch("http://elsewhere.test/")', kind: 'startup-error' },
    {
      what: 'too much memory',
      // Filled at one go it could be asked nothing meanwhile, for longer than it may start on a
      // machine that is busy.
      text: `globalThis.kept = new Uint8Array(250e6)
        for (let at = 0; at < kept.length; at += 1e5) kept.fill(1, at, at + 1e5)
        for (let i = 0; i < 1e8; i++) Math.sqrt(i)`,
      kind: 'startup-memory'
    },
    { what: 'an import of what is not there', text: 'import "./other.js"', kind: 'startup-error' },
    { what: 'an import of what is Node’s', text: 'import "node:fs"', kind: 'startup-error' }
  ])('with $what fails: $kind', async ({ text, kind }) => {
    const bad = module(text)
    expect((await isolates.check(bad))?.kind).toBe(kind)
    expect((await isolates.ask(bad)).failed?.outcome).toBe('exception')
  })

  test('for ever is told apart from starting slowly', async () => {
    const limits = limitsOf({ startupMs: 100 })
    const bad = { ...module('await new Promise(() => {})'), limits }
    expect((await isolates.check(bad))?.message).toBe('The global scope never came to its end.')
  })

  test('and spinning afterwards is charged to who is there, on slow machines too', async () => {
    // Who asks is still there when the digest is, however soon that comes.
    const bad = specOf(`crypto.subtle.digest('SHA-256', new Uint8Array(9)).then(() => {
      for (;;);
    })
    export default {
      fetch: () => new Promise((up) => setTimeout(() => up(new Response('up')), 1_000))
    }`)
    await isolates.check(bad)
    const { failed, record } = await isolates.ask(bad)
    // It may have been found out before the request had come.
    if (failed?.message === 'Script startup exceeded CPU time limit.') return
    expect(record.outcome).toBe('internal')
    expect(record.cpuUs).toBeGreaterThanOrEqual(bad.limits.startupMs * 1_000)
  })

  test('without anything to call fails', async () => {
    expect((await isolates.check(specOf('export const a = 1')))?.kind).toBe('no-handlers')
  })

  test('a check leaves the function ready', async () => {
    const good = module('let sum = 0; for (let i = 0; i < 1e6; i++) sum += i')
    expect(await isolates.check(good)).toBeUndefined()
    expect((await isolates.ask(good)).text).toBe('up')
  })

  test('goes on although others need the room, or everything is evicted', async () => {
    await using crowded = openTestIsolates({ most: 1 })
    const three = [1, 2, 3].map((n) => module(`globalThis.n = ${n}`))
    const checks = three.map((spec) => crowded.check(spec))
    const asks = three.map((spec) => crowded.ask(spec))
    crowded.evict()
    expect(await Promise.all(checks)).toEqual([undefined, undefined, undefined])
    expect((await Promise.all(asks)).map(({ text }) => text)).toEqual(['up', 'up', 'up'])
  })

  test('modules may be text, JSON, bytes and WebAssembly', async () => {
    const modules = {
      'main.js': `
        import { b } from './lib/b.js'
        import data from './data.json'
        import bytes from './some.bin'
        import wasm from './empty.wasm'
        const all = [b, data, bytes.byteLength, wasm instanceof WebAssembly.Module]
        export default { fetch: () => Response.json(all) }`,
      'lib/b.js': `import { c } from '../c.js'; export const b = 'b' + c`,
      'c.js': `export const c = 'c'`,
      'data.json': '{"a":1}',
      'some.bin': new Uint8Array([1, 2, 3]),
      'empty.wasm': new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
    }
    const { text } = await isolates.ask(specOf('', { modules }))
    expect(JSON.parse(text!)).toEqual(['bc', { a: 1 }, 3, true])
  })
})

describe('console output', () => {
  const kept = (record: { logs: { text: string }[] }) =>
    record.logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

  test('is recorded as far as there is room, and never fails the request', async () => {
    const { text, record } = await isolates.ask(spec, { path: '/log?n=200' })
    expect([text, record.outcome, record.isTruncated]).toEqual(['ok', 'ok', true])
    const request = 'GET'.length + 'http://function.test/log?n=200'.length
    // A character of two bytes is not cut in half.
    expect(kept(record) + request).toBeGreaterThanOrEqual(131_071)
    expect(kept(record) + request).toBeLessThanOrEqual(131_072)
  })

  test('is recorded in full where there is room', async () => {
    const { record } = await isolates.ask(spec, { path: '/log?n=100' })
    expect([kept(record), record.isTruncated]).toEqual([102_400, false])
  })

  test('shows values', async () => {
    const { record } = await isolates.ask(spec, { path: '/values' })
    expect(record.logs.map(({ text }) => text)).toEqual(['a 1 { b: [ 2 ] } null undefined e'])
  })

  test('runs no code of the function', async () => {
    const { record } = await isolates.ask(spec, { path: '/inspected' })
    expect(record.logs[0]?.text).not.toBe('ran')
  })

  test('broken so, too much of it fails the request', async () => {
    await using harsh = openTestIsolates({ open: failing.openIsolates! })
    const { failed } = await harsh.ask(spec, { path: '/log?n=200' })
    expect(failed?.outcome).toBe('exception')
    expect((await harsh.ask(spec, { path: '/log?n=100' })).text).toBe('ok')
  })
})

test('broken so, no globals persist', async () => {
  const open = versionedBy((event) => event).openIsolates!
  await using forgetful = openTestIsolates({ open })
  const counting = specOf('let n = 0; export default { fetch: () => new Response(String(++n)) }')
  const counts = []
  for (let n = 0; n < 3; n++) counts.push((await forgetful.ask(counting)).text)
  expect(counts).toEqual(['1', '1', '1'])
})

test('broken so, nothing is evicted', async () => {
  const open = wrapped(() => ({ evict() {} }), { most: Infinity }).openIsolates!
  await using lasting = openTestIsolates({ open, most: 1 })
  const counting = specOf('let n = 0; export default { fetch: () => new Response(String(++n)) }')
  await lasting.ask(counting)
  lasting.evict()
  expect((await lasting.ask(counting)).text).toBe('2')
})

test('of many functions the one used least lately makes room', async () => {
  await using few = openTestIsolates({ most: 2 })
  const counting = () =>
    specOf('let n = 0; export default { fetch: () => new Response(String(++n)) }')
  const [a, b, c] = [counting(), counting(), counting()]
  for (const one of [a, b, a, c]) await few.ask(one)
  expect((await few.ask(a)).text).toBe('3')
  expect((await few.ask(b)).text).toBe('1')
})
