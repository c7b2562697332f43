import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import type { Boundary } from '../../src/limit/boundary.ts'
import type { Limit } from '../../src/limit/limit.ts'
import { random } from '../../src/random.ts'
import { coverageOf } from '../../src/report/coverage.ts'
import type { HistogramRecord, Report, VerdictRecord } from '../../src/report/record.ts'
import { judge } from '../../src/verdict/judge.ts'
import type { Evidence, Observation } from '../../src/verdict/verdict.ts'
import { boundary } from '../verdict/boundaries.ts'
import { exchanged, seen } from '../verdict/observations.ts'

type Limited = Pick<Limit, 'clause' | 'unit' | 'readings'> & {
  documented: string
  scenario: string
}

function limited(
  given: Limited,
  ...boundaries: [variant: string, boundary: Boundary][]
): VerdictRecord {
  const { clause, unit, readings, documented, scenario } = given
  return verdict(scenario, clause, documented, {
    kind: 'boundary',
    limit: { clause, max: readings[0]!, unit, readings },
    boundaries: boundaries.map(([variant, found]) => ({ variant, boundary: found }))
  })
}

function verdict(
  scenario: string,
  clause: string,
  documented: string,
  evidence: Evidence
): VerdictRecord {
  const ms = 120 + clause.length
  return {
    t: 'verdict',
    scenario,
    clause,
    documented,
    ...judge(evidence, { clause, documented }),
    evidence,
    ms
  }
}

function observations(...attempts: Observation[][]): Evidence {
  return { kind: 'observations', attempts }
}

/** A skewed distribution of latencies in microseconds. */
function histogram(scenario: string, name: 'response' | 'service', from: number): HistogramRecord {
  const recorded = build({
    highestTrackableValue: 3_600_000_000,
    numberOfSignificantValueDigits: 3
  })
  const next = random(7, name)
  for (let index = 0; index < 20_000; index++) {
    recorded.recordValue(Math.round(from * Math.exp(4 * next() * next() * next())))
  }
  return { t: 'histogram', scenario, name, encoded: encodeIntoCompressedBase64(recorded) }
}

function verdicts(): VerdictRecord[] {
  const url =
    '16000+ 16001+ 32000- 24000- 20000- 18000- 17000- 16500- 16250+ 16384+ 16385- 16384+ 16385-'
  const created = exchanged({
    status: 500,
    because: 'HTTP 500',
    sent: 61,
    request: { method: 'POST', url: '/zones/0a1b/page_shield/policies', bodyBytes: 61 },
    excerpt: '{"result":null,"success":false,"errors":[{"code":1,"message":"<b>oops</b>"}]}'
  })
  const broken = seen('policy.create.id', { holds: false, observed: 'no id', exchanges: [created] })
  const silent = seen('script.status', {
    holds: true,
    answered: false,
    observed: 'nothing came for 5 s',
    exchanges: [
      exchanged({ kind: 'timeout', status: 0, because: 'nothing came for 5 s', excerpt: '' })
    ]
  })
  const subrequests = 'limits.function.subrequests'
  return [
    limited(
      {
        scenario: 'edge/url-length',
        clause: 'limits.request.url-length',
        documented: '16 KB',
        unit: 'bytes',
        readings: [16_000, 16_384]
      },
      ['', boundary('found', `1+ ${url} 16384+ 16385-`)]
    ),
    limited(
      {
        scenario: 'edge/subrequests',
        clause: `${subrequests}.free`,
        documented: '50',
        unit: 'subrequests',
        readings: [50]
      },
      ['fetch', boundary('found', '1+ 50+ 51- 50+ 51- 50+ 51-')],
      ['cache', boundary('found', '1+ 50+ 51+ 100- 75- 62- 56- 53- 51+ 52- 51+ 52-')]
    ),
    limited(
      {
        scenario: 'edge/subrequests',
        clause: `${subrequests}.bundled`,
        documented: '50',
        unit: 'subrequests',
        readings: [50]
      },
      ['fetch', boundary('unlimited', '1+ 50+ 51+ 100+ 200+')]
    ),
    limited(
      {
        scenario: 'edge/env-vars',
        clause: 'limits.function.env-vars.free',
        documented: '64',
        unit: 'variables',
        readings: [64]
      },
      ['', boundary('closed', '1!')]
    ),
    limited(
      {
        scenario: 'edge/body',
        clause: 'limits.request.body.pro',
        documented: '100 MB',
        unit: 'bytes',
        readings: [100_000_000, 104_857_600]
      },
      [
        '',
        boundary(
          'unclear',
          '1+ 100000000+ 104857601+ 104857600- 104857601-',
          '104857601 was accepted once and refused once'
        )
      ]
    ),
    verdict(
      'policy/create',
      'policy.create.id',
      'the created policy carries an id assigned by the service',
      observations([broken], [broken], [broken])
    ),
    verdict(
      'policy/create',
      'policy.create.echo',
      'the answer repeats what was sent',
      observations([seen('policy.create.echo', { holds: true })])
    ),
    verdict('scripts/status', 'script.status', 'active or infrequent', observations([silent])),
    verdict(
      'policy/list',
      'policy.list.body',
      'the body is not shown',
      observations([seen('policy.list.body', { observed: 'an array with result_info' })])
    ),
    verdict('functions/deploy', 'limits.function.size.free', '1 MB', {
      kind: 'none',
      outcome: 'blocked',
      because: 'the adapter cannot deploy functions'
    }),
    verdict('functions/deploy', 'limits.function.size.paid', '10 MB', {
      kind: 'none',
      outcome: 'blocked',
      because: 'the adapter cannot deploy functions'
    }),
    verdict('functions/cpu', 'limits.runtime.cpu.free', '10 ms', {
      kind: 'none',
      outcome: 'error',
      because: 'scenarios/functions/cpu.ts: boom is not a function'
    })
  ]
}

/** A run in which nearly everything that can happen has happened. */
export function sample(): Report {
  const all = verdicts()
  const { counts, coverage } = coverageOf(all, 20)
  const probes = all.flatMap(({ clause, evidence }) =>
    evidence.kind === 'boundary'
      ? [[clause, evidence.boundaries.flatMap((one) => one.boundary.asked).length] as const]
      : []
  )
  return {
    header: {
      t: 'header',
      schema: 'plimsoll/1',
      tool: 'plimsoll@0.1.0',
      seed: 42,
      startedAt: '2026-11-21T06:18:03.120Z',
      target: {
        name: 'staging',
        endpoints: { management: 'http://127.0.0.1:8787/client/v4', edge: 'http://127.0.0.1:8789' }
      },
      document: { sha256: '9f2c'.repeat(16), clauses: 20 },
      host: { cpu: 'AMD EPYC', cores: 2, node: 'v24.21.0' },
      scenarios: [...new Set(all.map((one) => one.scenario)), 'load/list-scripts'],
      flags: ['--target', 'staging.json']
    },
    verdicts: all,
    metrics: [
      {
        t: 'metric',
        scenario: 'load/list-scripts',
        name: 'throughput',
        value: 1_998.4,
        unit: 'requests/s'
      },
      { t: 'metric', scenario: 'load/list-scripts', name: 'dropped', value: 0, unit: 'requests' }
    ],
    histograms: [
      histogram('load/list-scripts', 'response', 820),
      histogram('load/list-scripts', 'service', 610)
    ],
    probes: Object.fromEntries(probes),
    footer: { t: 'footer', counts, coverage, exit: 1, complete: true, ms: 41_300 }
  }
}
