import { ofExpressions } from './equivalent-expression.ts'
import { ofFunctions } from './equivalent-functions.ts'
import { ofWafs } from './equivalent-waf.ts'
import { silentCache } from './silent-cache.ts'
import { silentDeliveries } from './silent-deliveries.ts'
import { silentEdge } from './silent-edge.ts'
import { silentFunctions } from './silent-functions.ts'
import { silentGateway } from './silent-gateway.ts'
import { silentGuests } from './silent-guests.ts'
import { silentHosts } from './silent-hosts.ts'
import { silentHttp2 } from './silent-http2.ts'
import { silentIsolates } from './silent-isolates.ts'
import { silentJobs } from './silent-jobs.ts'
import { silentJsonText } from './silent-json-text.ts'
import { silentJudged } from './silent-judged.ts'
import { silentKernel } from './silent-kernel.ts'
import { silentManagement } from './silent-management.ts'
import { silentMonitor } from './silent-monitor.ts'
import { silentPages } from './silent-pages.ts'
import { silentPolicies } from './silent-policies.ts'
import { silentRules } from './silent-rules.ts'
import { silentServices } from './silent-services.ts'
import { silentWafs } from './silent-wafs.ts'
import { silentWire } from './silent-wire.ts'
import type { Mutation } from './sites.ts'

/** Faults that change nothing a document speaks of, and why. */
export type Equivalence = {
  /** A file of the platform, or a folder of it with a slash at its end. */
  file: string
  /** Names of operators; all of them where there are none. */
  operators?: readonly string[]
  /** Names of operators whose faults are none of these. */
  except?: readonly string[]
  /** What stands in the place; anything where it is not said. */
  before?: RegExp
  /** What is made of it; anything where it is not said. */
  after?: RegExp
  /** What its line looks like; anything where it is not said. */
  line?: RegExp
  because: string
}

const folder = 'src/platform/kernel/data/'
const inFolders = [
  'aside',
  'content',
  'damage',
  'digest',
  'files',
  'folder',
  'inspect',
  'mark',
  'own'
]
  .concat(['repair', 'salvage', 'stamp', 'write-ahead-log'])
  .map((name) => ({
    file: `${folder}${name}.ts`,
    because:
      'only a platform with --data runs it, which no document speaks of; ' +
      'test/platform and bench:kills judge it'
  }))

/** What is declared to be equivalent; nothing is unless somebody looked at it. */
export const equivalences: readonly Equivalence[] = [
  ...inFolders,
  ...ofExpressions,
  ...ofFunctions,
  ...ofWafs,
  ...silentCache,
  ...silentDeliveries,
  ...silentEdge,
  ...silentJobs,
  ...silentJsonText,
  ...silentJudged,
  ...silentFunctions,
  ...silentGateway,
  ...silentGuests,
  ...silentHosts,
  ...silentHttp2,
  ...silentIsolates,
  ...silentKernel,
  ...silentManagement,
  ...silentMonitor,
  ...silentPages,
  ...silentPolicies,
  ...silentRules,
  ...silentServices,
  ...silentWafs,
  ...silentWire,
  {
    file: 'src/platform/page-protection/seeding.ts',
    because: 'what is in the first zones of a platform of ours is made up, and promised nowhere'
  },
  {
    file: 'src/platform/page-protection/detection-table.ts',
    operators: ['boundary'],
    line: /skipped < count/,
    because: 'a page may begin behind the last row of a block as well as with the first of the next'
  },
  {
    file: 'src/platform/waf/attack.ts',
    operators: ['swap-constants', 'swap-arguments'],
    before: /^'[^A-Z]+', '[^A-Z]+'$/,
    because: 'words of which any is looked for, in whichever order'
  }
]

/** Why a fault is equivalent; undefined where it is not declared to be. */
export function reasonFor(
  { file, operator, before, after, lineText }: Mutation,
  declared: readonly Equivalence[] = equivalences
): string | undefined {
  return declared.find(
    (one) =>
      (one.file.endsWith('/') ? file.startsWith(one.file) : file === one.file) &&
      (one.operators?.includes(operator) ?? true) &&
      !one.except?.includes(operator) &&
      (one.before?.test(before) ?? true) &&
      (one.after?.test(after) ?? true) &&
      (one.line?.test(lineText) ?? true)
  )?.because
}
