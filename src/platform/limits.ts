import { functionLimits } from './functions/limits.ts'

const KiB = 1_024
const MiB = 1_048_576

/**
 * Every number this platform enforces, each inclusive: the value itself still passes. Where the
 * document writes KB or MB and leaves the base open, this platform reads it as binary.
 */
export const limits = {
  /** Longest request target at the edge (document: URL length, 16 KB). */
  urlBytes: 16 * KiB,
  /** Names and values of all request headers together (document: 32 KB). */
  headersBytes: 32 * KiB,
  /** Name and value of one request header (document: 16 KB). */
  headerBytes: 16 * KiB,
  /** Request body of POST, PUT and PATCH by zone plan (document: 100, 100, 200 and 500 MB). */
  bodyBytes: { free: 100 * MiB, pro: 100 * MiB, business: 200 * MiB, enterprise: 500 * MiB },
  /** Request body of the management API; the document is silent. */
  managementBodyBytes: MiB,
  /** Items on a page when `per_page` is absent; the document is silent. */
  perPage: 15,
  /** Largest `per_page` that is accepted; the document is silent. */
  largestPerPage: 100,
  /** Characters of a policy's value; the document is silent. */
  policyValueCharacters: 4_096,
  /** Policies of a zone, on and off. */
  policies: 500,
  /**
   * Bytes of the headers of all its policies that are on, as if they all matched one request. Many
   * clients read a head of 16 KiB and no more, and the origin's own headers need room too.
   */
  policyHeadBytes: 12 * KiB,
  /** Bytes of a violation report; the document is silent on all that is about reports. */
  reportBytes: 16 * KiB,
  /** Reports a zone takes: at once, and then again each second. */
  reportRate: { burst: 2_000, perSecond: 200 },
  /** How often something is met before it is active, and no longer infrequent. */
  reportsUntilActive: 3,
  /** Detections of a kind a zone has when reports add no more of them. */
  reportedDetections: 10_000,
  /** Different violations of its policies a zone keeps the count of. */
  violations: 10_000,
  /** Bytes of an entry point ruleset as it is sent; the largest that is migrated must fit. */
  entrypointBytes: 4 * MiB,
  /** Firewall rules a WAF migration takes (document: 200). */
  migratedFirewallRules: 200,
  /** Bytes of the expression of such a rule (document: 4 KB). */
  migratedExpressionBytes: 4 * KiB,
  /** What the gateway takes and gives; the document is silent on all of it. */
  gateway: {
    bodyBytes: 5 * MiB,
    /** Calls in a batch, and how many of them are with a node at once. */
    batchCalls: 1_000,
    batchLanes: 16,
    /** Characters of all answers to a batch together. */
    answerCharacters: 32 * MiB,
    /** Calls with a node at once, with those that wait, and what one of them may cost. */
    node: { inFlight: 64, pending: 1_024, answerMs: 30_000, answerBytes: 32 * MiB }
  },
  /** Bytes of a script's content, as sent and as decoded, beyond which it is not looked at. */
  scriptBytes: MiB,
  functions: functionLimits,
  logpush: {
    /** Size of a filter (document: about 30 operators, 1000 bytes). */
    filterBytes: 1_000,
    filterOperators: 30,
    /** Jobs of a zone; the document is silent on all that follows. */
    jobs: 100,
    /** Records and bytes, before compression, of a batch. */
    batchRecords: 5_000,
    batchBytes: MiB,
    /** How long records wait for more, and the longest a job can ask for. */
    intervalSeconds: { usual: 1, most: 300 },
    /** How long a delivery may take. */
    deliveryMs: 30_000,
    /** How long to wait after a batch did not arrive: twice as long each time. */
    retryMs: { first: 500, most: 60_000 },
    /** Bytes that wait for one job; what comes when there is no room for it is lost. */
    spoolBytes: 32 * MiB
  }
}

/** The shape of `limits`. */
export type Limits = typeof limits
