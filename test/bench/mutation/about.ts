import type { Unit } from '../../../src/engine/unit.ts'
import type { Verdict } from '../../../src/verdict/verdict.ts'

/** Folders of scenarios whose clauses every operation of the management API is held to. */
const api = ['addressing', 'authentication', 'envelope', 'errors', 'versioning']

/**
 * By the beginning of a path below `src/platform`: the scenarios, or folders of them, whose clauses
 * say what the code there has to do. What stands for a folder holds for all below it; what stands
 * for one below comes on top.
 */
export const folders: Record<string, readonly string[]> = {
  'edge/': ['edge', 'cache', 'origin'],
  // Functions keep in it what they put into their cache.
  'edge/cache-store.ts': ['functions'],
  // What parts put on the way of a request: who stops it, who serves it, what comes with it.
  'edge/edge.ts': ['waf', 'functions', 'policies'],
  // What expressions of policies, of the WAF and of filters read of a request.
  'edge/facts.ts': ['policies', 'waf', 'log-push'],
  'expression/': ['policies', 'waf'],
  'functions/': ['functions', 'cache'],
  'gateway/': ['gateway', 'networks'],
  'kernel/': [...api, 'lists'],
  // Whom functions, logs and the edge may call.
  'kernel/egress/': ['functions', 'log-push', 'origin'],
  // HTTP as all listeners speak it.
  'kernel/http/': ['edge', 'cache', 'origin', 'gateway', 'networks', 'policies/http2'],
  'logpush/': ['log-push'],
  'management/': api,
  // What leads each call to its operation, with its body.
  'management/management.ts': [
    ...['connections', 'cookies', 'log-push', 'policies', 'scripts', 'settings', 'waf']
  ],
  'page-protection/': [
    ...['connections', 'cookies', 'scripts', 'detections', 'policies', 'settings', 'lists']
  ],
  // Operations stand in it, beside what they read and write.
  'page-protection/settings.ts': api,
  // What no part has, such as which parts there are, is as the kernel.
  'parts.ts': api,
  'platform.ts': api,
  'waf/': ['waf']
}

/** A file of operations says by which path, with which permission and body each can be called. */
const isOfOperations = (path: string) => /operations\.ts$/.test(path)

/** Whether a scenario is about what a file of the platform does, by the folder it is in. */
export function isAbout(scenario: string, file: string): boolean {
  const path = file.replace('src/platform/', '')
  const own = Object.keys(folders).filter((beginning) => path.startsWith(beginning))
  const all = own.flatMap((beginning) => folders[beginning]!)
  if (isOfOperations(path)) all.push(...api)
  return all.some((one) => scenario === one || scenario.startsWith(`${one}/`))
}

/**
 * Whether a verdict names what a file does: its scenario is about that, or one that is, of these,
 * judges the same clause.
 */
export function isExact(
  { scenario, clause }: Pick<Verdict, 'scenario' | 'clause'>,
  { file, units }: { file: string; units: readonly Pick<Unit, 'scenario' | 'clauses'>[] }
): boolean {
  const judging = units.filter(({ clauses }) => clauses.includes(clause))
  return [{ scenario }, ...judging].some((one) => isAbout(one.scenario, file))
}
