import { percent } from '../number.ts'
import { judge } from '../verdict/judge.ts'
import { duration, grouped } from './quantity.ts'
import type { Report, VerdictRecord } from './record.ts'
import { shellWords } from './repeat.ts'
import type { SoakHeader, SoakReport } from './soak-record.ts'

function loadText({ connections, rate, engine }: SoakHeader['load']): string {
  const pace = rate === undefined ? 'as fast as it answers' : `${grouped(rate)} requests a second`
  return `${pace} over ${connections} connections, by ${engine}`
}

/** Flags of the request, which whoever goes on has to give again: none of them is kept. */
const ofRequest = /^(-[mHb]|--(method|header|body|cookie|user)\b)/

/** The words that go on with a soak until it can tell. */
function resumeText({ header, conclusion }: SoakReport, folder: string): string {
  const seconds = Math.ceil(conclusion.seconds + conclusion.furtherSeconds)
  const words = shellWords(['plimsoll', 'soak', '--resume', folder, '-d', `${seconds}s`])
  const isGiven = header.command?.some((word) => ofRequest.test(word))
  return isGiven ? `${words}, with the same -m, -H, -b, --cookie and --user as then` : words
}

/** What there is to say besides: how much longer it would take, and what does not count. */
function remarksOf(soak: SoakReport, folder: string): string[] {
  const { furtherSeconds, voidShare } = soak.conclusion
  const further = duration(furtherSeconds * 1_000)
  return [
    ...(furtherSeconds > 0
      ? [`To tell, it would take about ${further} more: ${resumeText(soak, folder)}`]
      : []),
    ...(voidShare > 0
      ? [
          `The generator was at fault in ${percent(voidShare, 2)} of the time; what was answered ` +
            'then is left out.'
        ]
      : [])
  ]
}

/**
 * A soak as a run without a document, whose one verdict is about drift; every format takes it. Its
 * folder is where it goes on.
 */
export function soakRun(
  soak: SoakReport,
  { exit, folder }: { exit: number; folder: string }
): Report {
  const { header, stretches, conclusion, lost } = soak
  const { url, load, terms, tool, startedAt, host, agents, tags } = header
  const rate = load.rate === undefined ? [] : ['--rate', `${load.rate}`]
  const { command = ['soak', url, '--duration', `${header.seconds}s`, ...rate] } = header
  const evidence = { kind: 'soak' as const, terms, stretches }
  const documented = `no drift of more than ${percent(terms.budget, 2)} an hour, ${loadText(load)}`
  const judged = judge(evidence, { clause: url, documented })
  // Where much of its journal is lost it is inconclusive, whatever the rest of it shows.
  const isWhole = conclusion.verdict !== 'inconclusive' || judged.outcome === 'error'
  const outcome = isWhole ? judged.outcome : 'inconclusive'
  const verdict: VerdictRecord = {
    ...{ t: 'verdict', scenario: url, clause: url, documented, outcome },
    observed: `${conclusion.verdict}: ${judged.observed}`,
    because: conclusion.because,
    evidence,
    ms: Math.round(conclusion.seconds * 1_000)
  }
  return {
    header: {
      ...{ t: 'header', schema: 'plimsoll/1', tool, seed: terms.seed, startedAt },
      target: { name: url, endpoints: {} },
      document: { sha256: '', clauses: 0 },
      host,
      scenarios: [url],
      command,
      agents,
      ...(tags && { tags })
    },
    verdicts: [verdict],
    ...{ metrics: [], histograms: [], probes: {} },
    ...(lost && { lost }),
    footer: {
      t: 'footer',
      counts: { [outcome]: 1 },
      coverage: { clauses: 0, judged: 0, observed: 0, untested: 0 },
      remarks: remarksOf(soak, folder).map((text) => ({ clause: url, text, failing: false })),
      ...{ exit, complete: true, ms: verdict.ms }
    }
  }
}
