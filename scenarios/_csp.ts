import type { Reply } from 'plimsoll'

/** A script that a page would load; both are URLs on the default port of their scheme. */
export type Loading = { page: string; script: string }

/** What the headers of a page make of a script: whether it is blocked, and how often reported. */
export type Fate = { isBlocked: boolean; reports: number }

/**
 * What a browser does with a script of a page, by Content Security Policy Level 3 as far as the
 * document agrees with it: hosts, full URLs, `'self'` and `'none'`, without redirects, nonces,
 * hashes and other ports.
 */
export function fateOf({ headers }: Reply, loading: Loading): Fate {
  const isViolated = (sources: string[]) => !sources.some((source) => allows(source, loading))
  const violated = (name: string) => scriptLists(headers[name]).filter(isViolated).length
  return {
    isBlocked: violated('content-security-policy') > 0,
    reports: violated('content-security-policy-report-only')
  }
}

/** How many policies of a page are about its scripts, be they enforced or only reported. */
export function inForce({ headers }: Reply): number {
  const names = ['content-security-policy', 'content-security-policy-report-only']
  return names.flatMap((name) => scriptLists(headers[name])).length
}

/** The sources scripts may come from, for each policy in a header that limits them. */
function scriptLists(header = ''): string[][] {
  return header.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
    const named = (wanted: string) => directives.find(([name]) => name!.toLowerCase() === wanted)
    const found = named('script-src-elem') ?? named('script-src') ?? named('default-src')
    return found ? [found.slice(1)] : []
  })
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^:/]+)(?::(\d+|\*))?(\/.*)?$/i

function allows(source: string, loading: Loading): boolean {
  const [page, script] = [new URL(loading.page), new URL(loading.script)]
  if (source.toLowerCase() === "'self'") return script.origin === page.origin
  if (source.startsWith("'")) return false
  if (source === '*') return true
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return script.protocol === source.toLowerCase()
  const [match, scheme, host = '', port = '', path] = hostSource.exec(source) ?? []
  return (
    match !== undefined &&
    (scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`) === script.protocol &&
    isHost(host.toLowerCase(), script.hostname) &&
    (port === '*' || new URL(`${script.protocol}//a:${port}`).port === script.port) &&
    isPath(path, script.pathname)
  )
}

function isHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** A path that ends in a slash is that of everything below it. */
function isPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) return true
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern
}
