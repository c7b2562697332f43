import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pets, type Rules, rules, startPets } from '../import/pets.ts'
import { start } from './plimsoll.ts'

const env = { AUTHORIZATION: 'Bearer secret' }
const by: Rules = { ...rules }
const service = await startPets(by)
afterAll(() => void service.server.close().closeAllConnections())

const fresh = () => mkdtempSync(join(tmpdir(), 'plimsoll-init-'))
const run = (cwd: string, ...args: string[]) => start(args, { cwd, env }).ended

/** What each clause came to. */
async function outcomes(cwd: string): Promise<{ code: number | null; by: Record<string, string> }> {
  const { code, stdout } = await run(cwd, 'run', '--json')
  const { verdicts } = JSON.parse(stdout)
  const told = verdicts.map(({ clause, outcome }: Record<string, string>) => [clause, outcome])
  // A clause that two scenarios ask about holds where it does in both.
  const passed = told.filter(([, outcome]: string[]) => outcome === 'pass')
  return {
    code,
    by: {
      ...Object.fromEntries(passed),
      ...Object.fromEntries(told.filter(([, outcome]: string[]) => outcome !== 'pass'))
    }
  }
}

test('with nothing it writes a project that runs, and leaves alone what is there', async () => {
  const home = fresh()
  const { code, stdout } = await run(home, 'init', '--target', service.url)
  expect([code, stdout.includes('written  plimsoll.config.ts')]).toEqual([0, true])
  expect(existsSync(join(home, '.github/workflows/limits.yml'))).toBe(true)
  expect(await outcomes(home)).toEqual({ code: 0, by: { 'service.answers': 'pass' } })
  writeFileSync(join(home, 'limits/answers.ts'), '// mine')
  expect((await run(home, 'init')).stdout).toContain('kept     limits/answers.ts')
  expect(readFileSync(join(home, 'limits/answers.ts'), 'utf8')).toBe('// mine')
}, 120_000)

test('where there are no scenarios, list and run say how one begins', async () => {
  const empty = fresh()
  for (const command of ['list', 'run']) {
    const { code, stdout, stderr } = await run(empty, command)
    expect([command, code, stdout]).toEqual([command, 64, ''])
    expect(stderr).toContain('there are no scenarios here: npx plimsoll init')
  }
})

const home = fresh()

type Written = { id: string; kind: string; documented: string; unit?: string; section?: string }

test('a document becomes clauses and scenarios, and an honest service passes', async () => {
  writeFileSync(join(home, 'pets.yaml'), pets)
  const header = ['--header', 'Authorization: Bearer secret']
  const { code, stdout } = await run(home, 'init', 'pets.yaml', '--target', service.url, ...header)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/limits: \d+ clauses of 5 operations/)])
  const { clauses } = JSON.parse(readFileSync(join(home, 'limits/clauses.json'), 'utf8'))
  expect(clauses).toContainEqual({
    ...{ id: 'create-pet.body.name.max-length', kind: 'limit', documented: '40' },
    ...{ unit: 'characters', section: 'POST /pets', lines: '13', source: 'pets.yaml' },
    pointer: '#/components/schemas/Pet/properties/name/maxLength'
  })
  const everything = JSON.stringify(readFileSync(join(home, 'limits/target.json'), 'utf8'))
  expect(everything).not.toContain('secret')
  const found = await outcomes(home)
  expect(Object.entries(found.by).filter(([, outcome]) => outcome !== 'pass')).toEqual([])
  // A rate takes a longer tier.
  expect([found.code, Object.keys(found.by).length]).toEqual([0, clauses.length - 1])
}, 120_000)

test('what was run is published, and read back it is what was imported', async () => {
  const isLimit = ({ kind }: Written) => kind === 'limit'
  const isRate = ({ id }: Written) => id === 'count-visits.rate'
  const forms: [format: string, file: string, isHeld: (clause: Written) => boolean][] = [
    ['limits', 'limits.json', () => true],
    ['openapi', 'limits.overlay.json', isLimit],
    ['markdown', 'limits.md', isLimit],
    ['well-known', 'well-known-limits.json', isRate],
    // A window of two seconds has no name.
    ['api-commons', 'rate-limits.json', () => false],
    ['sla4oai', 'sla4oai.json', isRate]
  ]
  // Whatever is published, rates are but where they were found to hold.
  const { out } = await run(home, 'run', 'count-visits/rate')
  const published = ['publish', join(out, 'latest'), '--to', 'docs']
  await run(home, ...published, '--format', forms.map(([name]) => name).join())
  const clausesIn = (folder: string): Written[] => {
    const read = JSON.parse(readFileSync(join(home, folder, 'clauses.json'), 'utf8'))
    return read.clauses ?? read
  }
  for (const [name, file, isHeld] of forms) {
    const folder = `from-${name}`
    const { code } = await run(home, 'clauses', '--from', join('docs', file), '--scenarios', folder)
    const said = ({ unit, documented, ...clause }: Written) => {
      if (name === 'limits' || name === 'openapi') return { ...clause, documented, unit }
      // For others a number and its unit are one text.
      const whole = { ...clause, documented: unit ? `${documented} ${unit}` : documented }
      const { id, kind, section } = whole
      // A table has no room for where a clause was imported from, nor has a list of rates.
      if (name === 'markdown') return { id, kind, section, documented: whole.documented }
      if (name === 'sla4oai') {
        return { id: 'quotas.requests.2-seconds', kind, documented: whole.documented }
      }
      return name === 'well-known' ? { id, kind, documented: whole.documented } : whole
    }
    const known = clausesIn('limits').filter(isHeld).map(said)
    expect([name, code, clausesIn(folder)]).toEqual([name, 0, known])
  }
}, 120_000)

/** What is broken at once has nothing to do with each other: a run asks all there is. */
const breaks: [change: Partial<Rules>, clauses: string[]][] = [
  [
    { nameMost: 41, types: ['application/json', 'application/x-plimsoll'], limitMost: 99 },
    [
      'create-pet.body.content-type',
      'create-pet.body.name.max-length',
      'list-pets.query.limit.maximum'
    ]
  ],
  [
    { nameMost: 39, kinds: ['cat'], ageMost: 31, isQueryNeeded: false },
    [
      'create-pet.body.age.maximum',
      'create-pet.body.kind.enum',
      'create-pet.body.name.max-length',
      'list-pets.query.q.required'
    ]
  ],
  [
    { nameLeast: 1, ageLeast: -1, tagMost: 11, made: 200 },
    [
      'create-pet.answers.status',
      'create-pet.body.age.minimum',
      'create-pet.body.name.min-length',
      'create-pet.body.tags.items.max-length'
    ]
  ],
  [
    { nameLeast: 3, tagsMost: 6, isKeyCompared: false },
    [
      ...['create-pet.auth.altered', 'create-pet.auth.wrong', 'create-pet.body.name.min-length'],
      ...['create-pet.body.tags.max-items', 'delete-pet.auth.altered', 'delete-pet.auth.wrong'],
      ...['get-pet.auth.altered', 'get-pet.auth.wrong']
    ]
  ],
  [
    { tagPattern: /[a-z0-9]+/, isKindNeeded: false, isKeyChecked: false },
    [
      ...['create-pet.auth.none', 'create-pet.body.kind.required'],
      ...['create-pet.body.tags.items.pattern', 'delete-pet.auth.none', 'get-pet.auth.none']
    ]
  ],
  [
    { isUnique: false, isClosed: false, kinds: ['cat', 'dog', 'CAT'], hasTotal: false },
    [
      ...['create-pet.body.additional-properties', 'create-pet.body.kind.enum'],
      ...['create-pet.body.tags.unique-items', 'list-pets.answers.header.x-total']
    ]
  ]
]

test.each(breaks)(
  'off by one at %j, exactly %j fall',
  async (change, clauses) => {
    Object.assign(by, change)
    const found = await outcomes(home)
    Object.assign(by, rules)
    const fallen = Object.entries(found.by).filter(([, outcome]) => outcome === 'fail')
    expect(fallen.map(([id]) => id).sort()).toEqual(clauses)
  },
  120_000
)

test.each([
  [5, 'pass'],
  [6, 'fail'],
  [4, 'fail']
])(
  'a rate of 5 in 2 s that is %i is a %s',
  async (most, outcome) => {
    Object.assign(by, { visitsMost: most })
    const { stdout } = await run(home, 'run', 'count-visits/rate', '--json')
    Object.assign(by, rules)
    expect(JSON.parse(stdout).verdicts).toMatchObject([{ clause: 'count-visits.rate', outcome }])
  },
  120_000
)

test('published limits are clauses, too', async () => {
  const own = fresh()
  const search = { limits: [{ type: 'requests', maxRequests: 10, windowSeconds: 60 }] }
  writeFileSync(join(own, 'known.json'), JSON.stringify({ service: 'x', limits: { search } }))
  const { code, stdout } = await run(own, 'init', 'known.json')
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 clauses of x')])
  expect(readFileSync(join(own, 'limits/clauses.json'), 'utf8')).toContain('"id": "search"')
  writeFileSync(join(own, 'hello.json'), '{ "hello": 1 }')
  expect((await run(own, 'init', 'hello.json')).code).toBe(64)
  writeFileSync(join(own, 'none.json'), '[]')
  const none = await run(own, 'init', 'none.json')
  expect([none.code, none.stderr]).toEqual([64, expect.stringContaining('none.json says no limit')])
})

test('an import of which nothing is left is told, and is no success', async () => {
  const own = fresh()
  writeFileSync(join(own, 'api.yaml'), 'openapi: 3.1.0\npaths: { /a: { $ref: other.yaml } }\n')
  const { code, stdout, stderr } = await run(own, 'init', 'api.yaml')
  expect([code, stdout.includes('Next:')]).toEqual([4, false])
  expect(stdout).toContain('left out /a: #/paths/~1a refers to other.yaml, which is not fetched')
  expect(stderr).toContain('Nothing of the document can be asked about')
})

test('a source from elsewhere is copied, and what is left out of it is told', async () => {
  const own = fresh()
  const text = pets.replace(/( {6}operationId: createPet)/, '$1\n      x-ratelimit: fast')
  writeFileSync(join(home, 'elsewhere.yml'), text)
  const { code, stdout } = await run(own, 'init', join(home, 'elsewhere.yml'))
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/ {2}left out elsewhere.yml:\d+: a rate/)
  ])
  expect(stdout).toContain('limits/left-out.md')
  expect(readFileSync(join(own, 'limits/elsewhere.yml'), 'utf8')).toBe(text)
  expect(readFileSync(join(own, 'limits/left-out.md'), 'utf8')).toMatch(
    /^## 1 × elsewhere.yml:\d+/m
  )
  const { code: refused, stderr } = await run(own, 'init', '--rates', 'plans.yaml')
  expect([refused, stderr]).toEqual([64, expect.stringContaining('--rates is about operations')])
}, 60_000)

test.each<[headers: Record<string, string>, clause: object, isAsked: boolean]>([
  [{ 'ratelimit-policy': '"default";q=7;w=2' }, { unit: 'requests/2 seconds' }, true],
  [{ 'x-ratelimit-limit': '7' }, { unit: 'requests' }, false],
  [
    { 'x-ratelimit-limit': '7', 'x-ratelimit-remaining': '6', 'x-ratelimit-reset': '3600' },
    { unit: 'requests/3600 seconds' },
    false
  ]
])(
  'a rate that headers %j tell is a candidate',
  async (headers, clause, isAsked) => {
    const own = fresh()
    let asked = ''
    const server = createServer(({ method, url, headers: sent }, response) => {
      asked += `${method} ${url} ${sent.authorization};`
      response.writeHead(200, headers).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const get = '{ get: { operationId: list, responses: { 200: { description: done } } } }'
    writeFileSync(join(own, 'api.yaml'), `openapi: 3.1.0\npaths:\n  /things: ${get}\n`)
    const first = ['init', 'api.yaml', '--target', target, '--header', 'Authorization: mine']
    expect((await run(own, ...first)).code).toBe(0)
    // As everywhere, the environment has the value.
    expect(asked).toBe('GET /things Bearer secret;')
    const found = () => JSON.parse(readFileSync(join(own, 'limits/clauses.json'), 'utf8')).clauses
    const known = found()
    expect(known.at(-1)).toMatchObject({
      ...{ id: 'list.rate', documented: '7', derived: true, ...clause },
      notes: expect.stringContaining('A candidate: seen in an answer')
    })
    expect(existsSync(join(own, 'limits/list/rate.ts'))).toBe(isAsked)
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    const again = await run(own, 'init', 'api.yaml')
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('were not read')])
    expect(found()).toEqual(known)
  },
  60_000
)

test('what a run needs to be let in is said, wherever it is shown', async () => {
  const cwd = fresh()
  const key = { type: 'apiKey', in: 'query', name: 'api_key' }
  const get = { security: [{ key: [] }], responses: { 204: { description: 'done' } } }
  const document = { openapi: '3.1.0', paths: { '/a': { get } } }
  const components = { securitySchemes: { key } }
  writeFileSync(join(cwd, 'api.json'), JSON.stringify({ ...document, components }))
  const { stdout } = await run(cwd, 'init', 'api.json', '--header', 'X-Key: secret')
  expect(stdout).toContain(
    'key is shown in the query: set api_key among the parameters of limits/samples.yaml'
  )
  expect(stdout).toContain('Next: npx plimsoll run, with X_KEY in the environment')
  const first = await run(fresh(), 'init', '--header', 'X-Key: secret')
  expect(first.stdout).toContain('then: npx plimsoll run, with X_KEY in the environment')
}, 60_000)

test('what was written last and cannot be read is told', async () => {
  const own = fresh()
  mkdirSync(join(own, 'limits'))
  writeFileSync(join(own, 'pets.yaml'), pets)
  for (const text of ['{', '{ "files": { "a": 1 } }', 'null']) {
    writeFileSync(join(own, 'limits/_import.json'), text)
    const { code, stderr } = await run(own, 'init', 'pets.yaml')
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('limits/_import.json cannot be read')
    ])
  }
}, 60_000)

test('what was written last names no file beside its folder, by a link either', async () => {
  const own = fresh()
  mkdirSync(join(own, 'limits'))
  mkdirSync(join(own, 'beside'))
  symlinkSync(join(own, 'beside'), join(own, 'limits/link'))
  writeFileSync(join(own, 'pets.yaml'), pets)
  writeFileSync(join(own, 'beside/mine.txt'), 'mine')
  const absolute = join(own, 'beside/mine.txt')
  for (const path of [
    'limits/../beside/mine.txt',
    'beside/mine.txt',
    absolute,
    'limits/link/mine.txt'
  ]) {
    writeFileSync(join(own, 'limits/_import.json'), JSON.stringify({ files: { [path]: 'mine' } }))
    const { code, stderr } = await run(own, 'init', 'pets.yaml')
    expect([code, stderr]).toEqual([64, expect.stringContaining('is not below limits')])
    expect(readdirSync(join(own, 'limits')).sort()).toEqual(['_import.json', 'link'])
    expect(readFileSync(absolute, 'utf8')).toBe('mine')
  }
}, 60_000)

test('imported again, edits by hand are kept, and changes of the source shown', async () => {
  const place = (name: string) => join(home, 'limits', name)
  const text = (name: string) => readFileSync(place(name), 'utf8')
  const edit = (name: string, from: string, to: string) =>
    writeFileSync(place(name), text(name).replace(from, to))
  edit('create-pet/body-name-max-length.ts', 'ceiling: 2', 'ceiling: 8')
  edit('create-pet/body-tags-max-items.ts', 'max: 5', 'max: 6')
  edit('clauses.json', '"documented": "no item of tags comes twice"', '"documented": "no twins"')
  rmSync(place('get-pet/auth.ts'))
  writeFileSync(place('mine.ts'), "import { request } from './delete-pet/_request.ts'\n")
  const next = pets
    .replace('maxLength: 40', 'maxLength: 50')
    .replace('maxItems: 5', 'maxItems: 7')
    .replace('operationId: deletePet', 'operationId: removePet')
  writeFileSync(join(home, 'pets.yaml'), next)
  const before = text('create-pet/body-name-max-length.ts')
  const shown = await run(home, 'init', 'pets.yaml', '--diff')
  expect([shown.code, text('create-pet/body-name-max-length.ts')]).toEqual([1, before])
  const { code, stdout, stderr } = await run(home, 'init', 'pets.yaml')
  expect(stdout).toContain('-  max: 40,')
  expect(stdout).toContain('+  max: 50,')
  expect(stderr).toContain('limits/create-pet/body-tags-max-items.ts: changed by hand')
  expect(code).toBe(1)
  const merged = text('create-pet/body-name-max-length.ts')
  expect(merged).toContain('max: 50')
  expect(merged).toContain('ceiling: 8')
  expect(text('create-pet/body-tags-max-items.ts')).toContain('max: 6')
  expect(text('clauses.json')).toContain('no twins')
  expect(text('clauses.json')).not.toContain('delete-pet.')
  expect([place('get-pet/auth.ts'), place('delete-pet/answers.ts')].filter(existsSync)).toEqual([])
  expect(existsSync(place('remove-pet/answers.ts'))).toBe(true)
  // Who deletes by hand what makes a pet still has what that is asked with.
  expect(stdout).toContain(
    'kept     limits/delete-pet/_request.ts: no more in the source, and used'
  )
  const again = await run(home, 'init', 'pets.yaml')
  expect([again.code, again.stdout.includes('@@'), again.stderr]).toEqual([1, false, stderr])
  expect(stderr).toMatch(/ {2}by hand: .*max: 6,/)
  expect(stderr).toMatch(/ {2}source: {2}.*max: 7,/)
  const codes = []
  for (const flags of [['--mine'], []]) {
    codes.push((await run(home, 'init', 'pets.yaml', ...flags)).code)
  }
  expect(codes).toEqual([0, 0])
  expect(text('create-pet/body-tags-max-items.ts')).toContain('max: 6')
}, 120_000)
