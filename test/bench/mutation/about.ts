import type { Unit } from '../../../src/engine/unit.ts'
import type { Verdict } from '../../../src/verdict/verdict.ts'

/** Folders of scenarios whose clauses every operation of the management API is held to. */
const api = ['addressing', 'authentication', 'envelope', 'errors', 'versioning']

/** Folders of scenarios about what single operations of the management API do. */
const operations = [
  ...['connections', 'cookies', 'log-push', 'policies', 'scripts', 'settings', 'waf']
] as const

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
  // What those show who stop requests; logs tell of it as well.
  'kernel/security-event.ts': ['functions', 'log-push', 'waf'],
  // The dates that fields have, and the minutes and days in which requests are counted.
  'kernel/time.ts': ['settings', 'detections', 'functions'],
  // Which zone an id and a host name mean, and which plan and server it has.
  'kernel/zone.ts': ['settings', 'edge', 'cache', 'origin'],
  // HTTP as all listeners speak it.
  'kernel/http/': ['edge', 'cache', 'origin', 'gateway', 'networks', 'policies/http2'],
  'logpush/': ['log-push'],
  'management/': api,
  // What leads each call to its operation, with its body.
  'management/management.ts': operations,
  'page-protection/': [
    ...['connections', 'cookies', 'scripts', 'detections', 'policies', 'settings', 'lists']
  ],
  // It stands on the way of scripts from an origin, whom they have to reach as they came.
  'page-protection/script.ts': ['origin/coded', 'origin/passed-on'],
  // Operations stand in it, beside what they read and write.
  'page-protection/settings.ts': api,
  // What no part has, such as which parts there are, is as the kernel.
  'parts.ts': api,
  // It also gathers the operations of all parts, and what is not gathered is not there.
  'platform.ts': [...api, ...operations],
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
