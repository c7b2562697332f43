import type { Mutant } from '../../kernel/mutant.ts'
import { application } from '../policy/header.ts'
import type { Policy } from '../policy/policy.ts'
import type { PageProtectionRules } from '../rules.ts'

/** A value in which each source is replaced by others; the directive's name stays. */
function resourced(replace: (source: string) => string[]) {
  return {
    policy: {
      sources: (policy: Policy) => {
        const [name, ...sources] = application.sources(policy).split(' ')
        return [name, ...sources.flatMap(replace)].join(' ')
      }
    }
  }
}

const isQuoted = (source: string) => source.startsWith("'")
const isAddress = (source: string) => source.includes('://')
const isHost = (source: string) => !isQuoted(source) && !isAddress(source)

/** Requests that a policy matched already. */
const matched = new WeakSet<object>()

/** By policy and how long it is, the first value that it had. */
const values = new Map<string, string>()

/** The first time that a policy was asked about. */
let first: number | bigint | undefined

/** What can be wrong with the effect of policies on the pages of a zone. */
export const policySemanticsMutants: readonly Mutant<PageProtectionRules>[] = [
  {
    name: 'policy-log-blocks',
    clause: 'policy.semantics.log-reports-not-blocks',
    description: 'A policy with action log is sent as one to enforce.',
    change: { policy: { header: { log: application.header.allow } } }
  },
  {
    name: 'policy-log-reports-nothing',
    clause: 'policy.semantics.log-reports-not-blocks',
    description: 'A policy with action log is sent in a header that no browser knows.',
    change: { policy: { header: { log: 'X-Content-Security-Policy-Log' } } }
  },
  {
    name: 'policy-allow-only-reports',
    clause: 'policy.semantics.allow-blocks',
    description: 'A policy with action allow is sent as one that only reports.',
    change: { policy: { header: { allow: application.header.log } } }
  },
  {
    name: 'policy-change-of-equal-length-unseen',
    clause: 'policy.semantics.allow-blocks',
    description: 'Of a policy that an update makes no longer and no shorter the old value applies.',
    change: {
      policy: {
        sources(policy) {
          const key = `${policy.id} ${JSON.stringify(policy).length}`
          if (!values.has(key)) values.set(key, application.sources(policy))
          return values.get(key)!
        }
      }
    }
  },
  {
    name: 'policy-hostname-left-out',
    clause: 'policy.semantics.source-hostname',
    besides: ['policy.semantics.hostname-excludes-parent'],
    description: 'Host names are left out of the sources of a policy.',
    change: resourced((source) => (isHost(source) ? [] : [source]))
  },
  {
    name: 'policy-hostname-includes-parent',
    clause: 'policy.semantics.hostname-excludes-parent',
    description: 'A host name among the sources of a policy allows its parent domain too.',
    change: resourced((source) =>
      isHost(source) ? [source, source.slice(source.indexOf('.') + 1)] : [source]
    )
  },
  {
    name: 'policy-hostname-without-www',
    clause: 'policy.semantics.hostname-excludes-parent',
    besides: ['policy.semantics.source-hostname'],
    description: 'A host name that begins with www allows its parent domain in its place.',
    change: resourced((source) => [isHost(source) ? source.replace(/^www\./, '') : source])
  },
  {
    name: 'policy-url-left-out',
    clause: 'policy.semantics.source-full-url',
    description: 'URLs are left out of the sources of a policy.',
    change: resourced((source) => (isAddress(source) ? [] : [source]))
  },
  {
    name: 'policy-url-cut-to-its-host',
    clause: 'policy.semantics.source-full-url',
    description: 'A URL among the sources of a policy allows everything on its host.',
    change: resourced((source) => [isAddress(source) ? new URL(source).origin : source])
  },
  {
    name: 'policy-self-without-quotes',
    clause: 'policy.semantics.source-self',
    description: 'The keyword self is sent without its quotes, as if it were a host name.',
    change: resourced((source) => [source.replaceAll("'", '')])
  },
  {
    name: 'policy-self-is-everything',
    clause: 'policy.semantics.source-self',
    description: 'The keyword self allows every origin.',
    change: resourced((source) => [source === "'self'" ? '*' : source])
  },
  {
    name: 'policy-expression-ignored',
    clause: 'policy.semantics.expression-selects-requests',
    description: 'A policy applies to every request, whatever its expression says.',
    change: { policy: { isMeant: () => true } }
  },
  {
    name: 'policy-time-stands-still',
    clause: 'policy.semantics.expression-selects-requests',
    description: 'Expressions of policies are told the time of the first request for ever.',
    change: {
      policy: {
        isMeant: (check, facts) => {
          first ??= facts['http.request.timestamp.sec']
          const then = { 'http.request.timestamp.sec': { value: first } }
          return check(Object.create(facts, then))
        }
      }
    }
  },
  {
    name: 'policy-without-cookies-over-http2',
    clause: 'policy.semantics.allow-blocks',
    besides: ['policy.semantics.log-reports-not-blocks'],
    description:
      'Over HTTP/2 expressions of policies are told the first cookie of a request alone.',
    change: {
      policy: {
        isMeant: (check, facts) => {
          if (facts['http.request.version'] !== 'HTTP/2') return check(facts)
          const [cookie] = `${facts['http.cookie']}`.split(';')
          return check(Object.create(facts, { 'http.cookie': { value: cookie } }))
        }
      }
    }
  },
  {
    name: 'policy-path-in-lower-case',
    clause: 'policy.semantics.expression-selects-requests',
    description: 'Expressions of policies are told paths in lower case.',
    change: {
      policy: {
        isMeant: (check, facts) => {
          const path = `${facts['http.request.uri.path']}`.toLowerCase()
          return check(Object.create(facts, { 'http.request.uri.path': { value: path } }))
        }
      }
    }
  },
  {
    name: 'policy-only-first-applies',
    clause: 'policy.semantics.expression-selects-requests',
    description: 'Of several policies that match a request only the first applies.',
    change: {
      policy: {
        isMeant: (check, facts) => !matched.has(facts) && check(facts) && !!matched.add(facts)
      }
    }
  },
  {
    name: 'policy-disabled-applies',
    clause: 'policy.semantics.enabled-false-inert',
    description: 'A policy that is off applies as if it were on.',
    change: { policy: { isEnabled: () => true } }
  },
  {
    name: 'policy-disabled-by-word-applies',
    clause: 'policy.semantics.enabled-false-inert',
    description: 'A policy that is off by the word "false" applies, as any word would do.',
    change: { policy: { isEnabled: ({ enabled }) => enabled !== false } }
  },
  {
    name: 'policy-disabled-by-a-boolean-applies',
    clause: 'policy.semantics.enabled-false-inert',
    description: 'A policy that is off by false applies, as it is not the word for it.',
    change: { policy: { isEnabled: ({ enabled }) => enabled !== 'false' } }
  }
]
