import type { Override } from '../../../src/platform/kernel/override.ts'
import type { Rules } from '../../../src/platform/parts.ts'
import type { Way } from './way.ts'

/** The listeners a variant may speak by; control is the harness's own way in. */
export type Listener = 'management' | 'gateway' | 'edge'

/** An honest platform of another make: all that it does otherwise, the document leaves open. */
export type Variant = {
  /** Kebab-case. */
  name: string
  /** What is other, and by which words of the document it may be. */
  allowed: string
  /** The scenarios that can see it, as ids or beginnings of ids. */
  areas: readonly string[]
  /** What it decides otherwise. */
  rules?: Override<Rules>
  /** How it answers, by listener. */
  ways?: Partial<Record<Listener, Way>>
  /** How far its clock is ahead. */
  aheadMs?: number
}

/** Everything below the management API that pages, lists and policies are. */
export const api = [
  ...['addressing', 'authentication', 'connections', 'cookies', 'envelope', 'errors', 'lists'],
  ...['policies', 'scripts', 'settings', 'versioning', 'detections']
]
/** What is asked of a management API, whatever it is about. */
export const form = ['envelope', 'errors', 'settings', 'policies', 'scripts', 'lists/page']

/** The same way of answering by every listener. */
export const everywhere = (way: Way) => ({ management: way, gateway: way, edge: way })

/** Makes variants of other rules that are about these areas, where they name no others. */
export const otherRulesIn =
  (usual: readonly string[]) =>
  (
    name: string,
    allowed: string,
    rules: Variant['rules'],
    areas: readonly string[] = usual
  ): Variant => ({ name, allowed, rules, areas })
