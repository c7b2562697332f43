import type { Zone } from '../_zone.ts'

/** The plans an account's functions can be on; they say nothing of the plans of its zones. */
export type FunctionPlan = 'free' | 'bundled' | 'unbound' | 'standard'

/**
 * An account, and the domain below which each of its functions has a host of its own; `zone` is
 * that domain's, where there is one whose security events can be read.
 */
export type Account = { id: string; subdomain: string; zone?: string }

/** What a member of a function's `env` leads to; names belong to the account. */
export type Binding =
  | { kind: 'kv' | 'objects' | 'queue'; name: string }
  | { kind: 'stateful'; className: string }
  | { kind: 'service'; function: string }

/** A function as it is to be deployed; deployed again under the same name it is replaced. */
export type Deployment = {
  account: string
  name: string
  /** One ES module, or several by path, of which `main.js` exports the handlers; bytes are data. */
  source: string | Record<string, string | Uint8Array>
  /** Text variables and secrets, by name. */
  env?: Record<string, string>
  secrets?: Record<string, string>
  bindings?: Record<string, Binding>
  /** Names of the account's queues that this function consumes. */
  consumes?: string[]
  /** A custom limit of processor time, in milliseconds. */
  cpuMs?: number
}

/** What the target would not do, and why; a code where it has one. */
export type Refused = { accepted: false; because: string; code?: number }

/** A function that was deployed, and where its account's subdomain has it. */
export type Deployed = { accepted: true; id: string; host: string }

/** Whether something was done. */
export type Done = { accepted: true } | Refused

/** What happens on a route once the daily limit has been reached. */
export type FailMode = 'open' | 'closed'

/** What a target tells about an invocation that has ended. */
export type InvocationRecord = {
  id: string
  kind: 'fetch' | 'scheduled' | 'queue' | 'alarm'
  /** How it ended, in the words of the target: `Success`, `Exceeded Memory`, … */
  status: string
  startedMs: number
  wallMs: number
  cpuUs: number
  /** Calls that counted: to the internet and object storage, and to internal services. */
  subrequests: number
  internalSubrequests: number
  peakMemoryBytes: number
  logs: { level: string; text: string }[]
  /** What it ended with that was not caught. */
  exception?: { name: string; message: string }
  isTruncated: boolean
}

declare module 'plimsoll' {
  interface Adapter {
    /** A fresh account whose functions are on the given plan. */
    account?: (plan: FunctionPlan) => Promise<Account>
    /** The account that the target's credentials are of, and that fresh zones belong to. */
    ownAccount?: () => Promise<Account>
    /** Moves an account to another plan. */
    accountPlan?: (account: string, plan: FunctionPlan) => Promise<void>
    /** A fresh zone that belongs to an account. */
    zoneOf?: (account: string, plan: string) => Promise<Zone>
    /** Puts a server behind a zone, by its address. */
    origin?: (zone: string, address: string) => Promise<void>
    /** Deploys a function, or replaces it. */
    deploy?: (deployment: Deployment) => Promise<Deployed | Refused>
    /** Takes a function away, with all that leads to it. */
    remove?: (id: string) => Promise<void>
    /** Lets requests to a zone that match a pattern go to a function. */
    route?: (
      zone: string,
      pattern: string,
      to: { function: string; failMode?: FailMode }
    ) => Promise<Done>
    /** Gives a function a host of its own within a zone of its account. */
    customDomain?: (id: string, host: string) => Promise<Done>
    /** Lets a function be started by the clock (cron of five fields, Sunday 0, UTC). */
    trigger?: (id: string, cron: string) => Promise<Done>
    /** Sends a function a scheduled event now; resolves when it has ended. */
    fire?: (id: string) => Promise<void>
    /** The invocations of a function that have ended, oldest first. */
    invocations?: (id: string) => Promise<InvocationRecord[]>
    /** Lets the next event of a function meet a fresh instance. */
    evict?: (id: string) => Promise<void>
    /** Counts requests of today that were never sent, for limits a day long. */
    preloadRequests?: (account: string, count: number) => Promise<void>
    /** Forgets what is cached for a zone. */
    purge?: (zone: string) => Promise<void>
  }
}
