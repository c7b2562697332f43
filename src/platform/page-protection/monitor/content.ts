import { hash as digest } from 'node:crypto'
import { timestamp } from '../../kernel/time.ts'
import type { Script } from '../detection.ts'

/** What is known of a script once its content was seen. */
export type Content = Pick<
  Script,
  'hash' | 'js_integrity_score' | 'obfuscation_score' | 'dataflow_score'
>

/** A script that was reported, whose content may not have been seen yet. */
export type SeenScript = Omit<Script, keyof Content | 'fetched_at'> &
  Partial<Content & Pick<Script, 'fetched_at'>>

/** What is hashed of the content of a script. */
export type Hashed = (content: Buffer) => Buffer | string

/** All of it, as it came. */
export const whole: Hashed = (content) => content

const best = 99
const mostVersions = 20

/** Ways to hide what a script does, and how much each costs. */
const disguises: [RegExp, number][] = [
  [/\beval\s*\(|\bFunction\s*\(/, 30],
  [/\batob\s*\(|\bunescape\s*\(|\bfromCharCode\b/, 20],
  [/(?:\\x[0-9a-f]{2}){16}|(?:\\u[0-9a-f]{4}){16}|(?:%[0-9a-f]{2}){16}/i, 25],
  [/\b_0x[0-9a-f]{4,}/i, 25]
]

/** Where a script can read what visitors enter or are known by. */
const readings: RegExp[] = [
  /\bdocument\s*\.\s*cookie\b/,
  /\b(?:local|session)Storage\b/,
  /\baddEventListener\s*\(\s*['"](?:key\w+|input|change|submit)['"]/,
  /\bFormData\b|\.\s*value\b/,
  /\b(?:password|card\s*number|cardNumber|cvv|cvc)\b/i
]

/** Ways to send something elsewhere. */
const sendings = /\bfetch\s*\(|\bXMLHttpRequest\b|\bsendBeacon\b|\bWebSocket\b|\bnew\s+Image\b/

/**
 * A script's content, hashed and scored: lower is worse, 99 the best. The scores are a simple
 * reading of its text: disguises cost as listed; a script that can send loses 18 for each kind of
 * thing it can read; its integrity is the worse of the two.
 */
export function contentOf(bytes: Buffer, hashed = whole): Content {
  const source = bytes.toString('utf8')
  const cost = disguises.reduce((sum, [sign, each]) => sum + (sign.test(source) ? each : 0), 0)
  const reads = readings.filter((sign) => sign.test(source)).length
  const obfuscation_score = Math.max(1, best - cost)
  const dataflow_score = Math.max(1, best - (sendings.test(source) ? 18 * reads : 0))
  return {
    hash: digest('sha256', hashed(bytes)),
    js_integrity_score: Math.min(obfuscation_score, dataflow_score),
    obfuscation_score,
    dataflow_score
  }
}

/** The script with what was seen of its content; other content than the last is a new version. */
export function withContent(script: SeenScript, content: Content, now: number): SeenScript {
  if (script.hash === content.hash) return { ...script, fetched_at: timestamp(now) }
  const { hash, js_integrity_score } = content
  const version = { hash, js_integrity_score, fetched_at: timestamp(now) }
  const versions = [...script.versions, version].slice(-mostVersions)
  return { ...script, ...content, fetched_at: timestamp(now), versions }
}
