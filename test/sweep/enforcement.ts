// Which clauses of the document are about enforcement: that something is refused, limited, counted,
// queued, cancelled or ended. The inventory and the platform's mutants tell; what they cannot tell
// is named below, each with its reason.
import { listMutants, nothingEnforced } from '../../src/platform/mutants.ts'
import type { Clause, Inventory } from '../../src/scenario/clause.ts'

/** Clauses that hold where nothing is enforced, for a reason of their own. */
export const freedoms: Record<string, string> = {
  'limits.function.env-vars.no-account-limit': 'says that there is no limit',
  'limits.response.no-size-limit': 'says that there is no limit',
  'runtime.no-hard-duration-limit': 'says that there is no limit',
  'abuse.no-general-rps-limit': 'says that there is no limit',
  'gateway.no-auth-shown': 'says that no credential is demanded',
  'gateway.json-rpc-call': 'says that such a call is answered',
  'gateway.request.field.method': 'says which call is made by which name',
  'error.management-envelope': 'says how failures look; what is not there fails everywhere',
  'subrequests.service-bindings': 'says that another function is reached this way',
  'runtime.duration-wall-clock': 'says what a duration is',
  'runtime.globals-persist': 'says what a function keeps',
  'runtime.one-instance-per-server': 'says how many run, and refuses none',
  'runtime.nodes-evicted': 'says what happens without anybody asking too much'
}

const wafRefuses = 'says that the WAF refuses it; its mutants replace the whole operation'

const filterRefused = 'says which filters are refused; its mutants replace the whole operation'

/** Sections of the document that are about limits. */
const limiting = new Set([
  ...['request-sizes', 'request-rates', 'routes-and-zones', 'accounts-and-deployments'],
  ...['memory-and-processor-time', 'duration-of-invocations', 'subrequests', 'cache-api'],
  ...['connections-at-once', 'console-output']
])

/** Clauses about enforcement that neither their kind, their section nor a mutant tells. */
const others: Record<string, string> = {
  'logpush.filter.escaped-json-string': filterRefused,
  'logpush.filter.where-required': filterRefused,
  'logpush.filter.condition-three-members': filterRefused,
  'waf-migration.eligibility.uri-override-excluded': wafRefuses,
  'waf-migration.eligibility.check-false-for-ineligible': wafRefuses,
  'waf-migration.transition.ineligible-cannot-migrate': wafRefuses,
  'waf-migration.after.previous-api-stops.packages': wafRefuses,
  'waf-migration.after.previous-api-stops.groups': wafRefuses,
  'waf-migration.after.previous-api-stops.rules': wafRefuses,
  'waf-migration.after.iac-resources-stop': wafRefuses,
  'waf-migration.after.previous-waf-unusable': wafRefuses
}

/** The decisions that a change is about, each by its path in the rules. */
function decisionsOf(change: object, path = ''): string[] {
  return Object.entries(change).flatMap(([name, part]) => {
    const place = `${path}${name}.`
    return typeof part === 'object' && part !== null ? decisionsOf(part, place) : [place]
  })
}

/** Clauses with a mutant that changes a decision which enforcing nothing changes, too. */
async function brokenAlike(): Promise<Set<string>> {
  // What an operation does is one decision, whatever is wrong with it: sharing it tells nothing.
  const { change } = await nothingEnforced()
  const lenient = decisionsOf(change).filter((decision) => !decision.includes('.operations.'))
  const isLenient = (decision: string) =>
    lenient.some((one) => one.startsWith(decision) || decision.startsWith(one))
  const alike = (await listMutants()).filter(({ change }) => decisionsOf(change).some(isLenient))
  return new Set(alike.map(({ clause }) => clause))
}

/** The clauses about enforcement, each with what tells so. */
export async function enforcementIn(inventory: Inventory): Promise<ReadonlyMap<string, string>> {
  const alike = await brokenAlike()
  const why = ({ id, kind, section, documented, presupposes }: Clause): string | undefined => {
    if (kind === 'unspecified' || documented === 'none' || id in freedoms) return undefined
    if (kind === 'limit' || kind === 'error') return `it is of kind ${kind}`
    if (limiting.has(section)) return `it is in section ${section}`
    if (presupposes.length > 0) return 'it presupposes what is enforced'
    return alike.has(id) ? 'a mutant breaks it by enforcing less' : others[id]
  }
  return new Map(
    [...inventory.values()].flatMap((clause) => {
      const told = why(clause)
      return told === undefined ? [] : [[clause.id, told] as const]
    })
  )
}
