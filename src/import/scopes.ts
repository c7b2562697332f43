import type { ImportedOperation, Scheme } from './operations.ts'
import type { ScopeShown } from './shown.ts'

/**
 * What is shown to be let in with a credential that is for something else, by header, and the
 * scopes it must not be for; undefined where it would rightly be let in.
 */
export function scopeOf({
  demands,
  security
}: ImportedOperation): { scopes: string[]; shown: ScopeShown } | undefined {
  const headerOf = ({ parameter }: Scheme) => parameter.toLowerCase()
  const demand = demands.find((all) => all.some(({ scopes }) => scopes.length > 0)) ?? []
  const scoped = demand.find(({ scopes }) => scopes.length > 0)
  if (scoped === undefined) return
  const own = headerOf(scoped)
  const kept = new Set(demand.map(headerOf))
  const letsIn = (all: readonly Scheme[]) =>
    all.every((one) => kept.has(headerOf(one)) && !(headerOf(one) === own && one.scopes.length > 0))
  if (demands.some(letsIn)) return
  const taken = security.map(headerOf).filter((name) => !kept.has(name))
  const rivals = demands.flatMap((all) => all.filter((one) => headerOf(one) === own))
  const ways = rivals.flatMap(({ scopes }) => (scopes.length > 0 ? [scopes] : []))
  return {
    scopes: [...new Set(ways.map((way) => way.join(' and ')))],
    shown: { header: own, without: [...new Set(taken)], ways }
  }
}
