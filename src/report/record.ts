import type { Tier } from '../scenario/tier.ts'
import type { Advice } from '../verdict/exit-code.ts'
import type { Expectations } from '../verdict/expectation.ts'
import type { ExpectationMismatch } from '../verdict/expectation-mismatch.ts'
import type { OutcomeCounts } from '../verdict/outcome.ts'
import type { Coverage, Verdict } from '../verdict/verdict.ts'

/** First line of a results file: what was run, by what, against what. */
export type Header = {
  t: 'header'
  schema: 'plimsoll/1'
  tool: string
  seed: number
  /** ISO 8601, UTC. */
  startedAt: string
  target: { name: string; endpoints: Record<string, string> }
  document: {
    /** Of `clauses.json`. */
    sha256: string
    clauses: number
    /** How many of them the document leaves open; a run of an older version does not tell. */
    open?: number
    /** Where both are, seen from the folder of the command; unknown where that is elsewhere. */
    folder?: string
    /** What the clauses quote, where they quote something. */
    source?: { file: string; sha256: string }
  }
  host: { cpu: string; cores: number; node: string }
  /** Ids of the selected scenarios, in plan order. */
  scenarios: string[]
  /** What `plimsoll run` needs besides an id to repeat part of this run: `--target`, `--seed`, … */
  flags?: string[]
  /**
   * The words after `plimsoll` of a run without a document, as of one load on a URL; what in them
   * is secret is left out.
   */
  command?: string[]
  /** What whoever made the run says of it, by name. */
  tags?: Record<string, string>
  /** What broken advice is worth; by default it fails the run. */
  advice?: Advice
  /** What its verdicts were held against. */
  expectations?: ExpectationSource
  /** The machines that sent its loads, where it was not the host; milliseconds. */
  agents?: readonly { id: string; threads: number; clockErrorMs: number }[]
}

/** The day a run began, in UTC; what is accepted until a day is measured by it, now and later. */
export function dayOf({ startedAt }: Header): string {
  return startedAt.slice(0, 10)
}

/** The expectation file of a run, and how strictly the run was held to it. */
export type ExpectationSource = {
  /** Where it is, seen from the folder the command was given in. */
  file: string
  sha256: string
  /** Whether an accepted deviation that is none any more fails the run. */
  strict: boolean
  /** What fails the run although the document is silent about it. */
  gate?: 'observed'
  /** What the file said when the run was made, so that a report need not look for it. */
  entries?: Expectations
}

/** A clause of the document as it was when the run was made; one line for each there is. */
export type ClauseRecord = {
  t: 'clause'
  id: string
  kind: string
  /** What the document says, in its own unit. */
  documented: string
  /** The unit at its end, where `clauses.json` has that beside it. */
  unit?: string
  /** Whether it is advice drawn from the document, which it does not state itself. */
  derived?: boolean
  /** In which words, and where in the document they stand. */
  quote?: string
  section?: string
  lines?: string
  /** The file it was imported from, and the JSON pointer to its place there. */
  source?: string
  pointer?: string
  /** What else `clauses.json` says of it, where it does. */
  plan?: string
  restates?: string
  presupposes?: string[]
  notes?: string
}

/**
 * A scenario of the document's folder, run or not. What one says of itself is known where it was
 * loaded.
 */
export type ScenarioRecord = {
  t: 'scenario'
  id: string
  title?: string
  tier?: Tier
  /** The clauses it claims; a load may claim none. */
  clauses?: string[]
}

/** One question about one value. */
export type ProbeRecord = {
  t: 'probe'
  scenario: string
  clause: string
  /** Counts from 1 within one scenario and clause. */
  seq: number
  input: { value: number; unit: string; variant: string }
  outcome: {
    kind: 'accepted' | 'rejected' | 'unclear'
    proper: boolean
    status: number
    phase: string
    because: string
  }
}

/** What was concluded, with the evidence that lets a saved run be judged again. */
export type VerdictRecord = { t: 'verdict' } & Verdict & {
    /** Whether a report of very many leaves its evidence out, which is in results.ndjson. */
    evidenceLeftOut?: boolean
  }

/** One number a scenario measured. */
export type MetricRecord = {
  t: 'metric'
  scenario: string
  name: string
  value: number
  unit: string
}

/** A latency distribution: HdrHistogram V2, compressed, base64; values in microseconds. */
export type HistogramRecord = {
  t: 'histogram'
  scenario: string
  name: 'response' | 'service'
  encoded: string
}

/** What happened in one stretch of a load; response times in microseconds, null where none came. */
export type WindowRecord = {
  t: 'window'
  scenario: string
  /** From the load's beginning. */
  fromMs: number
  toMs: number
  /** Requests that ended, those of them that were measured, those that failed. */
  finished: number
  measured: number
  failed: number
  /** Arrivals that could not be sent. */
  dropped: number
  inFlight: number
  p50Us: number | null
  p99Us: number | null
}

/** What happened to a load at some time of it, or for a while; from the load's beginning. */
export type EventRecord = {
  t: 'event'
  scenario: string
  /** The rate changes, the generator collected garbage, or somebody ended it. */
  kind: 'ramp' | 'gc' | 'stop'
  fromMs: number
  toMs: number
  /** In words. */
  text: string
}

/** Last line of a results file; a file without it is an interrupted or crashed run. */
export type Footer = {
  t: 'footer'
  counts: OutcomeCounts
  coverage: Coverage
  /** Percentage that `--require-coverage` asked for. */
  requireCoverage?: number
  /** What there is to say about the expectation file. */
  remarks?: ExpectationMismatch[]
  exit: number
  complete: boolean
  ms: number
}

/** One line of `results.ndjson`. */
export type ResultRecord =
  | Header
  | ClauseRecord
  | ScenarioRecord
  | ProbeRecord
  | VerdictRecord
  | MetricRecord
  | HistogramRecord
  | WindowRecord
  | EventRecord
  | Footer

/** Lines of a results file that could not be read and are left out. */
export type Lost = {
  count: number
  /** The first of them: which, and what is wrong with it. */
  first: readonly { line: number; because: string }[]
}

/** A whole run as read back from its lines, in their order; without a footer it is incomplete. */
export type Report = {
  header: Header
  verdicts: VerdictRecord[]
  metrics: MetricRecord[]
  histograms: HistogramRecord[]
  /** Loads over time; a file of an older version does not tell. */
  windows?: WindowRecord[]
  /** What happened to them on the way; absent where nothing did. */
  events?: EventRecord[]
  /** How many probes each clause took. */
  probes: Record<string, number>
  /** What the document and its folder hold; unknown in a file of an older version. */
  inventory?: ClauseRecord[]
  plan?: ScenarioRecord[]
  /** Absent where every line was read. */
  lost?: Lost
  footer?: Footer
}
