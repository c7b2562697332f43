import type { Verdict } from '../../src/verdict/verdict.ts'

/** A verdict of no importance, but for what is given. */
export function concluded(parts: Partial<Verdict> = {}): Verdict {
  return {
    scenario: 'edge/url',
    clause: 'url.length',
    outcome: 'fail',
    documented: '16 KB',
    observed: '8177 bytes accepted, 8178 refused (HTTP 414)',
    because: '8178 is refused',
    evidence: { kind: 'observations', attempts: [] },
    ms: 1,
    ...parts
  }
}
