import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDocument } from '../../../src/cli/document.ts'
import { createPlanCache } from '../../../src/cli/saved/plan-cache.ts'
import type { Inventory } from '../../../src/scenario/clause.ts'
import { find } from '../../../src/scenario/find.ts'

const inventory: Inventory = new Map([
  ['c', { id: 'c', kind: 'rule', documented: 'so', presupposes: [] } as never]
])

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-plan-'))
  vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(join(tmpdir(), 'plimsoll-cache-')))
})
afterEach(() => vi.unstubAllEnvs())

/** Writes a file of the document so that its size and its times tell nothing about it. */
function write(name: string, text: string): void {
  const file = join(folder, name)
  writeFileSync(file, text.padEnd(400))
  utimesSync(file, 1, 1)
}

const scenario = (title: string, before = '') => `import { check } from 'plimsoll'
${before}
export default check({ title: ${title}, clauses: ['c'], async run() {} })`

/** Titles of all there is, and whether it had to be loaded to know them. */
async function read() {
  const found = find(folder)
  const { planned, faults, sources } = await createPlanCache(folder, found)(found, inventory)
  expect(faults).toEqual([])
  return { titles: planned.map((one) => one.scenario.title), isLoaded: sources !== undefined }
}

test('what is known of scenarios is known without loading them again', async () => {
  write('a.ts', scenario("'one'"))
  write('b.ts', scenario("'two'"))
  expect(await read()).toEqual({ titles: ['one', 'two'], isLoaded: true })
  expect(await read()).toEqual({ titles: ['one', 'two'], isLoaded: false })
})

test('numbers that JSON has not are kept', async () => {
  const imports = "import { closed, load } from 'plimsoll'\n"
  const call = "load({ title: 'x', load: closed({ users: 1, seconds: 1 }), objectives: {},"
  write('a.ts', `${imports}export default ${call} needs: [], request: () => ({}) as never })`)
  const found = find(folder)
  const first = await createPlanCache(folder, found)(found, inventory)
  const second = await createPlanCache(folder, found)(found, inventory)
  expect(second.sources).toBeUndefined()
  expect(second.planned).toEqual(first.planned)
  expect(second.planned[0]!.units[0]!.load!.load.iterations).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  ['a scenario', 'a.ts', scenario("'three'")],
  ['a module it imports', '_title.ts', "export const title = 'three'"],
  ['data it imports', '_data.json', '"three"']
])('nothing stale is told once %s has changed', async (_, name, text) => {
  write('_title.ts', "export const title = 'one'")
  write('_data.json', '"one"')
  const data = "import data from './_data.json' with { type: 'json' }"
  write('a.ts', scenario('title', "import { title } from './_title.ts'"))
  write('b.ts', scenario('data', data))
  expect(await read()).toEqual({ titles: ['one', 'one'], isLoaded: true })
  expect((await read()).isLoaded).toBe(false)
  write(name, text)
  const { titles, isLoaded } = await read()
  expect(isLoaded).toBe(true)
  expect(titles).toContain('three')
})

test('one that came, and one that went, are seen', async () => {
  write('a.ts', scenario("'one'"))
  await read()
  write('b.ts', scenario("'two'"))
  expect(await read()).toEqual({ titles: ['one', 'two'], isLoaded: true })
})

test.each([
  ['the environment', 'process.env.TITLE', ''],
  ['the time', 'String(Date.now())', ''],
  ['the day', 'new Date().toISOString()', ''],
  ['chance', 'String(Math.random())', ''],
  ['an id', 'crypto.randomUUID()', ''],
  [
    'a file',
    "readFileSync(import.meta.filename, 'utf8')",
    "import { readFileSync } from 'node:fs'"
  ],
  ['a list of files', "fs.readdirSync('.').join()", "import fs from 'node:fs'"],
  ['where it is started', "resolve('x')", "import { resolve } from 'node:path'"],
  ['a name', 'hostname()', "import { hostname } from 'node:os'"]
])('what depends on %s is read each time', async (_, title, imports) => {
  vi.stubEnv('TITLE', 'one')
  write('a.ts', scenario(title, imports))
  await read()
  expect(readdirSync(process.env.XDG_CACHE_HOME!)).toEqual([])
})

test.each([
  ['which time it was then', 'new Date(0).toISOString()'],
  ['a buffer', "Buffer.from('a')"],
  ['a class of Node', "class extends Socket {}.name || 'x'"],
  ['a digest', "createHmac('sha256', 'a').update(typeof existsSync).digest('hex')"]
])('what asks only for %s is kept', async (_, title) => {
  const imports = `import { Buffer } from 'node:buffer'
    import { createHmac } from 'node:crypto'
    import { existsSync } from 'node:fs'
    import { Socket } from 'node:net'`
  write('a.ts', scenario(`String(${title})`, imports))
  const first = await read()
  expect(readdirSync(process.env.XDG_CACHE_HOME!)).toEqual(['plimsoll'])
  expect(await read()).toEqual({ ...first, isLoaded: false })
})

test('a cache that cannot be written does no harm, nor does what is not a plan', async () => {
  write('a.ts', scenario("'one'"))
  const cache = process.env.XDG_CACHE_HOME!
  writeFileSync(join(cache, 'plimsoll'), 'a file')
  expect((await read()).titles).toEqual(['one'])
  expect((await read()).titles).toEqual(['one'])
  vi.stubEnv('XDG_CACHE_HOME', join(cache, 'other'))
  await read()
  const own = join(cache, 'other', 'plimsoll')
  for (const name of readdirSync(own)) writeFileSync(join(own, name), 'no plan')
  expect(await read()).toEqual({ titles: ['one'], isLoaded: true })
})

test('the plan of our own document is kept', async () => {
  const own = join(import.meta.dirname, '../../../scenarios')
  const found = find(own)
  const { inventory } = await openDocument({ ids: [], tier: 'long' })
  await createPlanCache(own, found)(found, inventory)
  expect(readdirSync(process.env.XDG_CACHE_HOME!)).toEqual(['plimsoll'])
})

test('documents do not evict each other, and no more than sixteen are kept', async () => {
  const cache = join(process.env.XDG_CACHE_HOME!, 'plimsoll')
  const folders: string[] = []
  for (let n = 0; n < 18; n++) {
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-plan-'))
    folders.push(folder)
    write('a.ts', scenario("'one'"))
    expect(await read()).toEqual({ titles: ['one'], isLoaded: true })
    expect(readdirSync(cache)).toHaveLength(Math.min(n + 1, 16))
  }
  folder = folders[10]!
  expect(await read()).toEqual({ titles: ['one'], isLoaded: false })
}, 60_000)
