import type { SoakHeader, SoakReport } from '../../src/report/soak-record.ts'
import { judgeDrift } from '../../src/verdict/judge-drift.ts'
import type { Stretch } from '../../src/verdict/stretch.ts'

export const header: SoakHeader = {
  ...{ t: 'soak', schema: 'plimsoll-soak/1', tool: 'plimsoll@0.0.0' },
  startedAt: '2026-11-21T10:00:00.000Z',
  host: { cpu: 'Some CPU <b>', cores: 2, node: 'v24.0.0' },
  url: 'http://127.0.0.1:1/',
  request: 'digest',
  load: { connections: 4, pipelining: 1, timeoutMs: 1_000, workers: 1, engine: 'wire', rate: 100 },
  ...{ seconds: 3_600, stretchSeconds: 60 },
  terms: { budget: 0.05, seed: 1, budgets: { rss: 0.05 } }
}

/** An hour of minutes whose memory is as told for each share of the hour. */
export function minutes(rssMb: (share: number) => number, count = 60): Stretch[] {
  return Array.from({ length: count }, (_, minute) => ({
    ...{ seconds: 60, voidSeconds: 0, process: '1 2' },
    floors: { rss: 1e6 * rssMb(minute / count), '<i>own</i>': 7 }
  }))
}

/** A soak of those minutes, judged. */
export function soakOf(stretches: readonly Stretch[]): SoakReport {
  return { header, stretches, conclusion: judgeDrift(stretches, header.terms) }
}
