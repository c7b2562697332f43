import { expect, test } from 'vitest'
import { importOpenApi } from '../../src/import/openapi.ts'
import { parseSource } from '../../src/import/source.ts'
import { pets } from './pets.ts'

const api = (paths: string, more = '') => `openapi: 3.1.0\n${more}paths:\n${paths}`
const imported = (text: string) => importOpenApi(parseSource(text, 'api.yaml'), 'limits')
const get = (schema: string) =>
  `  /a: { get: { operationId: a, responses: {},\n` +
  `      parameters: [{ name: q, in: query, schema: ${schema} }] } }\n`

test('JSON and YAML give the same clauses, each with the line of its constraint', () => {
  const own = imported(pets).clauses
  const json = JSON.stringify(parseSource(pets, 'pets').value, null, 2)
  const other = imported(json).clauses
  const bare = ({ lines: _, ...clause }: (typeof own)[number]) => clause
  expect(other.map(bare)).toEqual(own.map(bare))
  for (const { pointer, lines } of other) {
    const keyword = pointer!.split('/').at(-1)!
    const line = json.split('\n')[Number(lines) - 1]
    if (!/^\d+$/.test(keyword)) expect(line).toContain(`"${keyword}":`)
  }
})

const letters = [...'bcdefghi']
const tenfold = letters.map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(10)}]`)
const laughs = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${tenfold.join('\n')}`

const bombs: [what: string, text: string, why: RegExp][] = [
  ['no document', 'hello', /no "openapi"/],
  ['a version without quotes', 'openapi: 3.1\npaths: {}', /number as "openapi", 3\.1: write it/],
  ['lists in lists', `openapi: 3.1.0\nx: ${'['.repeat(20_000)}`, /is nested too deep$/],
  ['broken YAML', 'openapi: "3.0.0', /cannot be read/],
  ['two', 'openapi: 3.0.0\npaths: {}\n---\nopenapi: 3.1.0\n', /line 3 begins a second document/],
  ['Swagger', 'swagger: "2.0"', /Swagger 2.0/],
  ['no paths', 'openapi: 3.0.0', /no "paths"/],
  ['another version', 'openapi: 4.0.0\npaths: {}', /3.2/],
  ['a billion laughs', laughs, /alias/i],
  ['what is in itself', 'openapi: 3.0.0\npaths: &p { /a: *p }', /in itself|alias|cannot be read/i],
  ['nests', `openapi: 3.0.0\npaths: ${'['.repeat(20_000)}`, /nested|cannot be read/],
  ['deep nests', `{"openapi":"3.0.0","paths":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`, /deeper/],
  [
    '100,000 paths',
    api(Array.from({ length: 100_000 }, (_, n) => `  /p${n}: { get: {} }`).join('\n')),
    /more than 20000 paths/
  ]
]

test.each(bombs)(
  '%s ends with a clear error',
  (_, text, why) => {
    expect(() => imported(text)).toThrow(why)
  },
  30_000
)

test('remote references are left out, and told', () => {
  const { clauses, left } = imported(
    `${api(get('{ $ref: "http://127.0.0.1:1/schema.json" }'))}` +
      "  /b: { get: { responses: { '200': { description: b } } } }\n"
  )
  expect(clauses.map(({ id }) => id)).toEqual(['get-b.answers.status'])
  expect([...left.keys()]).toEqual([expect.stringContaining('not fetched')])
})

test.each([
  ['in a circle', '{ $ref: "#/paths/~1c" }\n  /c: { $ref: "#/paths/~1b" }', /itself/],
  ['to nothing', '{ $ref: "#/nowhere" }', /\/b: there is no #\/nowhere/],
  ['to a schema that is not there', get('{ $ref: "#/x" }').slice(6), /GET \/b: there is no #\/x/],
  ['to an anchor that is not there', get('{ $ref: "#x" }').slice(6), /GET \/b: there is no #x/],
  ['to another file', '{ $ref: "other.yaml#/b" }', /not fetched: put all of it into one file/]
])('a reference %s leaves out its operation alone, and is told', (_, item, why) => {
  const text = api(`  /a: { get: { operationId: own, responses: { 200: {} } } }\n  /b: ${item}\n`)
  const { clauses, left } = imported(text)
  expect(clauses.map(({ id }) => id)).toEqual(['own.answers.status'])
  expect([...left.keys()].join('\n')).toMatch(why)
})

test.each([
  ['an anchor', '#pet'],
  ['its own name', 'api.yaml#/components/schemas/Pet'],
  ['its own name in its folder', './api.yaml#pet'],
  ['what it calls itself', 'https://example.com/api#/components/schemas/Pet'],
  ['an id', 'https://example.com/pet'],
  ['what is in what has an id', 'https://example.com/all#/properties/pet']
])('a reference by %s leads into the document', (_, ref) => {
  const pet = '{ $anchor: pet, $id: "https://example.com/pet", type: string, maxLength: 7 }'
  const all = '{ $id: "https://example.com/all", properties: { pet: { $ref: "#pet" } } }'
  const schemas = `components: { schemas: { Pet: ${pet}, All: ${all} } }\n`
  const text = api(get(`{ $ref: "${ref}" }`), `$self: https://example.com/api\n${schemas}`)
  const { clauses, left } = imported(text)
  expect([clauses.map(({ documented }) => documented), [...left]]).toEqual([['7'], []])
})

test('schemas that hold themselves end', () => {
  const next = 'required: [next], properties: { next: { $ref: "#/components/schemas/N" } }'
  const more = `components: { schemas: { N: { type: object, ${next} } } }\n`
  const media = '{ application/json: { schema: { $ref: "#/components/schemas/N" } } }'
  const body = `requestBody: { required: true, content: ${media} }`
  const path = `  /a: { post: { operationId: a, ${body}, responses: {} } }\n`
  const { files } = imported(api(path, more))
  expect(files['limits/a/_request.ts']).toContain("missing: { 'body.next': 'no valid value")
})

test('a pattern that never ends is given up', () => {
  const { clauses } = imported(api(get("{ type: string, pattern: '^(a+)+$', maxLength: 60 }")))
  expect(clauses.length).toBeGreaterThan(0)
}, 30_000)

test('words of a document are never code', () => {
  const evil = "'}) + process.exit(1) /* */ // \\u2028"
  const json = JSON.stringify({
    openapi: '3.0.0',
    paths: {
      [`/${evil}`]: {
        post: {
          operationId: evil,
          summary: `*/ ${evil}`,
          parameters: [{ name: evil, in: 'query', required: true, schema: { enum: [evil] } }],
          responses: {}
        }
      }
    }
  })
  const { files } = imported(json)
  for (const [path, text] of Object.entries(files)) {
    expect(path).toMatch(/^limits\/[\w./-]+$/)
    if (path.endsWith('.ts')) expect(text.split(/\n\/\*\*|\*\/\n/)[1]).not.toContain('*/')
  }
})

test('an answer of which nothing is said names nothing that was made', () => {
  const { operations } = imported(
    api(
      '  /a:\n    post: { responses: { 201: { content: { application/json: } } } }\n' +
        '  /a/{id}: { get: {} }\n'
    )
  )
  expect(operations).toBe(2)
})

const rated = (rates: string, plan?: string) => {
  const paths = '  /a: { post: { operationId: add } }\n  /b: { get: { operationId: list } }\n'
  const source = parseSource(rates, 'plans.yaml')
  return importOpenApi(parseSource(api(paths), 'api.yaml'), 'limits', { rates: { source, plan } })
}
const plans =
  'quotas: {}\nplans:\n  free:\n    rates:\n      /a:\n        post:\n          requests:\n' +
  '            - { max: 5, period: minutely }\n'

test.each<[string, string | undefined, object, string]>([
  [plans, 'free', { id: 'add.rate', documented: '5', lines: '8' }, 'requests: 5, seconds: 60'],
  [
    '[{ name: a, limit: 9, metric: request, timeframe: second }]',
    undefined,
    { id: 'list.rate', documented: '9', source: 'plans.yaml' },
    'requests: 9, seconds: 1'
  ],
  [
    'limits:\n  a:\n    endpoint: /a\n    method: POST\n' +
      '    limits: [{ maxRequests: 7, windowSeconds: 10 }]',
    undefined,
    { id: 'add.rate', unit: 'requests/10 seconds' },
    'requests: 7, seconds: 10'
  ]
])('rates of %j, plan %s, are asked', (stated, plan, clause, asked) => {
  const { clauses, files } = rated(stated, plan)
  expect(clauses).toMatchObject([clause])
  const rates = Object.entries(files).filter(([path]) => path.endsWith('/rate.ts'))
  expect(rates.map(([, text]) => text.includes(asked))).toEqual([true])
})

test('a plan overrides what the base plan and the file say of the same', () => {
  const of = (max: number) => `{ /*: { all: { requests: [{ max: ${max}, period: second }] } } }`
  const whole = (free: string) => {
    return `rates: ${of(5)}\nplans: { base: { rates: ${of(6)} }, free: ${free} }`
  }
  const stated = (rates: string) => rated(rates, 'free').clauses.map(({ documented }) => documented)
  expect(stated(whole(`{ rates: ${of(7)} }`))).toEqual(['7'])
  expect(stated(whole('{}'))).toEqual(['6'])
})

test('rates of other tiers are not those of a plan', () => {
  const tier = (limit: number, more: string) => {
    return `- { name: a, limit: ${limit}, timeframe: second${more} }\n`
  }
  const list = `${tier(5, ', tier: free')}${tier(6, ', tier: pro')}`
  expect(rated(list, 'pro').clauses).toMatchObject([{ documented: '6' }])
  expect(() => rated(list)).toThrow(/--plan, free, pro/)
  expect(rated(list + tier(7, '')).clauses).toMatchObject([{ documented: '7' }])
})

test.each([plans, '[{ name: a, limit: 9, timeframe: second, tier: free }]'])(
  'a plan that there is not is no plan, in %j',
  (rates) => {
    for (const plan of ['fre', 'constructor'])
      expect(() => rated(rates, plan)).toThrow(`plans.yaml has no plan ${plan}: free`)
  }
)

test('a plan has to be named where rates are but of plans', () => {
  expect(() => rated(plans)).toThrow(/plans.yaml states no rate .* --plan, free/)
})
