import type * as v from 'valibot'
import { expect, test } from 'vitest'
import { accepted } from '../../src/limit/answer.ts'
import type { Load } from '../../src/load/load.ts'
import { closed, hold, open } from '../../src/load/load.ts'
import { capacity } from '../../src/scenario/capacity.ts'
import { check, limit, load } from '../../src/scenario/define.ts'
import type {
  CapacityScenario,
  CheckScenario,
  LimitScenario,
  LoadScenario,
  SoakScenario
} from '../../src/scenario/scenario.ts'
import type { loadSchema, objectivesSchema } from '../../src/scenario/schema.ts'
import { scenarioSchemas } from '../../src/scenario/schema.ts'
import { soak } from '../../src/scenario/soak.ts'
import { validate } from '../../src/scenario/validate.ts'
import type { Objectives } from '../../src/verdict/judge-load.ts'

const request = () => ({ url: 'http://127.0.0.1:1/' })
const limited = { title: 'x', max: 4, clause: 'c', unit: 'bytes', async probe() {} }
const checked = { title: 'x', clauses: ['c'], async run() {} }
const loaded = { title: 'x', load: closed({ users: 1, seconds: 1 }), objectives: {}, request }
const searched = { title: 'x', perSecond: 5, p99Ms: 20, request }
const soaked = { title: 'x', load: open(hold({ rate: 1, seconds: 9 })), budgets: { a: 1 }, request }

const { title: _, ...untitled } = checked

/** A load with objectives about metrics of its own. */
const about = (metrics: object) => ({ ...loaded, objectives: { metrics } })
const n = { kind: 'counter', unit: 'orders' } as const

test.each<[string, (options: any) => unknown, unknown, RegExp]>([
  ['nothing', limit, undefined, /^limit: takes an object with the fields of a scenario$/],
  ['null', check, null, /^check: takes an object/],
  ['a text', load, 'x', /^load: takes an object/],
  ['no title', check, untitled, /^check: `title` is missing: it has to be a sentence$/],
  ['a misspelt max', limit, { ...limited, maxx: 4 }, /^limit: `maxx` is no field .*nearest: max$/],
  ['a field nobody has', limit, { ...limited, colour: 4 }, /^limit: `colour` is no field of it$/],
  ['a text for a number', limit, { ...limited, max: '40' }, /`max` has to be .*, and is '40'$/],
  ['no number', limit, { ...limited, max: Number.NaN }, /`max` has to be a number .*is NaN$/],
  ['a boundless one', limit, { ...limited, max: Infinity }, /`max` has to be .*is Infinity$/],
  ['neither max nor each', limit, { ...limited, max: undefined }, /either `max` .*or `each`/],
  ['both', limit, { ...limited, each: { a: 1 } }, /either `max` .*or `each`/],
  ['an empty each', limit, { ...limited, max: undefined, each: {} }, /`each` has to be numbers/],
  ['a text in each', limit, { ...limited, each: { a: '1' } }, /`each\.a` has to be numbers .*'1'/],
  ['a tier', check, { ...checked, tier: 'ful' }, /`tier` has to be 'quick', 'full' .*is 'ful'$/],
  ['one need', check, { ...checked, needs: 'x' }, /`needs` has to be a list of names.*is 'x'$/],
  ['no clauses', check, { ...checked, clauses: undefined }, /`clauses` is missing: .*a list of/],
  ['a number among ids', check, { ...checked, clauses: [4] }, /`clauses\.0` has to be a list .*4/],
  ['no code', check, { ...checked, run: 'x' }, /`run` has to be a function, and is 'x'$/],
  [
    'a misspelt objective',
    load,
    { ...loaded, objectives: { p99ms: 20 } },
    /`objectives\.p99ms` is no field of it; nearest: p99Ms/
  ],
  [
    'an objective of a stretch',
    load,
    { ...loaded, objectives: { every: { second: 1 } } },
    /`objectives\.every\.second` is no field of it; nearest: seconds/
  ],
  [
    'a share above all',
    load,
    { ...loaded, objectives: { errorRatio: 5 } },
    /from 0 to 1, and is 5/
  ],
  ['no load', load, { ...loaded, load: undefined }, /`load` is missing: .*`open` or `closed`/],
  [
    'connections of a load',
    load,
    { ...loaded, load: { ...loaded.load, connections: Number.NaN } },
    /`load\.connections` has to be a whole number from 1, and is NaN/
  ],
  [
    'a level of a load',
    load,
    {
      ...loaded,
      load: { ...loaded.load, phases: [{ ...loaded.load.phases[0]!, to: Number.NaN }] }
    },
    /`load\.phases\.0\.to` has to be a number .*NaN/
  ],
  [
    'a misspelt part of a load',
    load,
    { ...loaded, load: { ...loaded.load, conections: 3 } },
    /`load\.conections` is no field of it; nearest: connections/
  ],
  [
    'a transport',
    load,
    { ...loaded, transport: 'curl' },
    /`transport` has to be 'http1' or 'wire' or 'uring' or 'http2' or 'undici'/
  ],
  ['a rate', capacity, { ...searched, perSecond: 0 }, /`perSecond` has to be a number above 0/],
  ['a misspelt rate', capacity, { ...searched, perSeconds: 1 }, /nearest: perSecond/],
  ['an objective', load, about({ wait: { atMost: 1 } }), /`objectives\.metrics\.wait` needs/],
  [
    'an objective that is always kept',
    load,
    { ...loaded, objectives: { p50Ms: 20, maxMs: 20_001 } },
    /`objectives\.maxMs` is always kept: no .* 20000 ms, .*; give less, or its load a longer/
  ],
  [
    'one of every stretch',
    load,
    { ...loaded, objectives: { every: { seconds: 5, p99Ms: 30_000 } } },
    /`objectives\.every\.p99Ms` is always kept/
  ],
  [
    'a statistic',
    load,
    { ...about({ 'n p99': { atMost: 1 } }), metrics: { n } },
    /none of n, n per/
  ],
  ['no bound', load, { ...about({ n: {} }), metrics: { n } }, /`objectives\.metrics\.n` has to be/],
  ['a taken name', load, { ...loaded, metrics: { rps: n } }, /`metrics\.rps` has to be at most 50/],
  [
    'a metric',
    load,
    { ...loaded, metrics: { n: { kind: 'sum', unit: '' } } },
    /`metrics\.n\.kind`/
  ],
  ['no budgets', soak, { ...soaked, budgets: {} }, /`budgets` has to be numbers from 0/],
  ['a budget', soak, { ...soaked, budgets: { rss: '5' } }, /`budgets\.rss` has to be .*'5'/]
])('%s is told with its field', (_, define, options, message) => {
  expect(() => define(options)).toThrow(message)
})

test('what the functions make is what a file may export, by whatever means it was made', () => {
  const probe = async () => accepted({} as never)
  const made = [
    limit({ ...limited, probe }),
    limit({ ...limited, probe, max: undefined, each: { a: 1 }, clause: String } as never),
    check(checked),
    load(loaded),
    capacity(searched),
    soak(soaked)
  ]
  for (const one of made) {
    expect(validate(one.kind, scenarioSchemas[one.kind], one)).toEqual({ ...one })
    const more = { ...one, nonsense: 1 }
    expect(() => validate(one.kind, scenarioSchemas[one.kind], more)).toThrow(
      /`nonsense` is no field/
    )
  }
})

/** Whether two types have the same fields, which take the same; optional ones among them. */
type Same<One, Other> = [One, Required<One>] extends [Other, Required<Other>]
  ? [Other, Required<Other>] extends [One, Required<One>]
    ? [keyof One, keyof Other] extends [keyof Other, keyof One]
      ? true
      : false
    : false
  : false
type Out<Schema extends v.GenericSchema> = v.InferOutput<Schema>
type Schemas = typeof scenarioSchemas

test('the schemas and the types cannot drift apart', () => {
  const same: [
    Same<Out<Schemas['limit']>, LimitScenario>,
    Same<Out<Schemas['check']>, CheckScenario>,
    Same<Out<Schemas['load']>, LoadScenario>,
    Same<Out<Schemas['capacity']>, CapacityScenario>,
    Same<Out<Schemas['soak']>, SoakScenario>,
    Same<Out<typeof objectivesSchema>, Objectives>,
    Same<NonNullable<Out<typeof objectivesSchema>['every']>, NonNullable<Objectives['every']>>,
    Same<Extract<Out<typeof loadSchema>, { model: 'open' }>, Extract<Load, { model: 'open' }>>,
    Same<Extract<Out<typeof loadSchema>, { model: 'closed' }>, Extract<Load, { model: 'closed' }>>,
    Same<Out<typeof loadSchema>['phases'][number], Load['phases'][number]>
  ] = [true, true, true, true, true, true, true, true, true, true]
  expect(same).not.toContain(false)
})
