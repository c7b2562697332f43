import { isSuccess } from '../../limit/baseline.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import { duration, grouped } from '../../report/quantity.ts'
import { layerLines } from './layer-entry.ts'
import { entryLines } from './line-entry.ts'
import {
  type Entry,
  isClear,
  type ProbeLine,
  type RateEntry,
  type SizeEntry
} from './probe-entry.ts'
import { timeLines } from './time-entry.ts'

/** The widest name of a limit, and of a variant below it. */
const nameWidth = 14
const indent = ' '.repeat(nameWidth + 2)

function amount(value: number, unit: string): string {
  return `${grouped(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`
}

/** Where a line is, in words: `8,177 bytes accepted, 8,178 refused (414)`. */
function lineText(line: ProbeLine, { unit, usual }: SizeEntry): string {
  const { kind, accepted, rejected, status, because } = line
  // Whoever says no to any size has not said yes to this one.
  const taken = usual < 400 ? '' : ` (as usual: ${usual})`
  const refusal = status === null ? '' : ` (${status})`
  if (kind === 'found') {
    return `${amount(accepted!, unit)} accepted${taken}, ${grouped(rejected!)} refused${refusal}`
  }
  if (kind === 'unlimited') {
    const doubt = isSuccess(usual) ? '' : `, but all is answered ${usual}: that shows none`
    return `no limit up to ${amount(accepted!, unit)}${doubt}`
  }
  return kind === 'closed' ? `nothing accepted: ${because}` : `unclear: ${because}`
}

/** What all variants have in common is said once, and after each of them what they have not. */
function sizeLines(entry: SizeEntry): string[] {
  const { variants } = entry
  const isCommon = new Set(variants.map(({ reading }) => reading)).size === 1
  const counted = (reading: string | null) => (reading === null ? [] : [`counted: ${reading}`])
  const texts = variants.map((one) => lineText(one, entry))
  if (isCommon && new Set(texts).size === 1) return [texts[0]!, ...counted(entry.reading)]
  const alike = Map.groupBy(variants, (one) => `${lineText(one, entry)} ${one.reading}`)
  const lines = [...alike.values()].flatMap((group) => {
    const [{ reading }] = group as [(typeof group)[number]]
    const named = group.map(({ variant }) => variant).join(', ')
    return [`${named}: ${lineText(group[0]!, entry)}`, ...(isCommon ? [] : counted(reading))]
  })
  return isCommon ? [...lines, ...counted(entry.reading)] : lines
}

function rateLines(entry: RateEntry): string[] {
  const { algorithm, burst, perSecond, windowMs, windowIn } = entry
  const { queue, delayMs, banMs, status, because } = entry
  if (algorithm === 'none') return ['no limit seen', because]
  if (algorithm === 'unclear') return ['unclear', because]
  const facts = [
    burst === null ? [] : [`${grouped(burst)} at once`],
    perSecond === null ? [] : [`${grouped(Number(perSecond.toPrecision(3)))} a second`],
    queue === null ? [] : [`${grouped(queue)} more wait`],
    delayMs === null ? [] : [`then ${duration(delayMs)} later`],
    banMs === null ? [] : [`then none for ${duration(banMs)}`],
    windowMs === null ? [] : [`window ${duration(windowMs)}`],
    windowIn === undefined ? [] : [`window ${betweenText(windowIn)}`],
    status === null || status >= 400 ? [] : [refusedText(status)]
  ]
  return [
    `${algorithm.replace('-', ' ')}: ${facts.flat().join(', ') || 'open connections'}`,
    because
  ]
}

/** Between which two times it is, rounded outwards: `3.9 to 4.4 s`. */
function betweenText({ from, to }: NonNullable<RateEntry['windowIn']>): string {
  const [least, most] = [Math.floor(from / 100) / 10, Math.ceil(to / 100) / 10]
  return `${least.toFixed(1)} to ${most.toFixed(1)} s`
}

/** How it refuses that gives no status of an error. */
function refusedText(status: number): string {
  if (status === 0) return 'refused by closing the connection'
  if (status >= 300) return `refused by a redirect: ${status}`
  return `refused softly: ${status}, but not as usual`
}

/** Which layer it is, where that was asked about. */
function layersOf({ layer, refusedBy }: Pick<SizeEntry, 'layer' | 'refusedBy'>): string[] {
  return [
    ...(refusedBy === undefined ? [] : [`refused by: ${refusedBy}`]),
    ...(layer === undefined ? [] : [`drawn by: ${layerNames[layer.by]}; ${layer.because}`])
  ]
}

const layerNames = { front: 'the front', origin: 'the origin', unclear: 'unclear' }

function linesOf(entry: Entry): string[] {
  if ('algorithm' in entry) return [...rateLines(entry), ...layersOf(entry)]
  if ('verdict' in entry || 'counted' in entry) return layerLines(entry)
  if ('ways' in entry || 'use' in entry) return timeLines(entry)
  if ('lines' in entry || 'opensAfter' in entry) return entryLines(entry)
  return 'outcome' in entry
    ? [`not to be found: ${entry.because}`]
    : [...sizeLines(entry), ...layersOf(entry)]
}

/** What was found out about one limit, its name in front. */
export function entryText(entry: Entry): string {
  const lines = linesOf(entry)
  const mark = isClear(entry) ? ' ' : '?'
  return lines
    .map(
      (line, index) =>
        (index === 0 ? `${mark} ${entry.limit.padEnd(nameWidth - 1)} ` : indent) + line
    )
    .join('\n')
}

/** What came of holding headers to their word, a line each. */
export function claimsText(findings: readonly ClaimFinding[]): string {
  if (findings.length === 0) return '  no header says anything about limits'
  const width = Math.max(...findings.map(({ field }) => field.length))
  const marks = { true: '✔', false: '✘', unsaid: '?' }
  return findings
    .map(({ field, verdict, because }) => {
      return `${marks[verdict]} ${field.padEnd(width)}  ${verdict.padEnd(6)}  ${because}`
    })
    .join('\n')
}
