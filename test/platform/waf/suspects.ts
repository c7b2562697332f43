import type { Suspect } from '../../../src/platform/waf/finding.ts'
import { signatures } from '../../../src/platform/waf/signature.ts'

/** A request in which certain signatures are found. */
export function suspect(names: readonly string[], uri = 'http://a.test/'): Suspect {
  const { pathname } = new URL(uri)
  return {
    facts: { 'http.request.full_uri': uri, 'http.request.uri.path': pathname },
    detects: (name) => names.includes(name)
  }
}

/** Signatures of a paranoia level that add up to a score, five points each. */
export function worth(score: number, paranoia = 1): string[] {
  const critical = signatures.filter((one) => one.score === 5 && one.paranoia === paranoia)
  return critical.slice(0, score / 5).map(({ name }) => name)
}
