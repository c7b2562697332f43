const KiB = 1_024
const MiB = 1_048_576

/** Every number page protection enforces, each inclusive; the document is silent on all of them. */
export const pageProtectionLimits = {
  /** Items on a page when `per_page` is absent. */
  perPage: 15,
  /** Largest `per_page` that is accepted. */
  largestPerPage: 100,
  /** Characters of a policy's value. */
  policyValueCharacters: 4_096,
  /** Policies of a zone, on and off. */
  policies: 500,
  /**
   * Bytes of the headers of all its policies that are on, as if they all matched one request. Many
   * clients read a head of 16 KiB and no more, and the origin's own headers need room too.
   */
  policyHeadBytes: 12 * KiB,
  /** Bytes of a violation report. */
  reportBytes: 16 * KiB,
  /** Reports a zone takes: at once, and then again each second. */
  reportRate: { burst: 2_000, perSecond: 200 },
  /** How often something is met before it is active, and no longer infrequent. */
  reportsUntilActive: 3,
  /** Detections of a kind a zone has when reports add no more of them. */
  reportedDetections: 10_000,
  /** Different violations of its policies a zone keeps the count of. */
  violations: 10_000,
  /** Bytes of a script's content, as sent and as decoded, beyond which it is not looked at. */
  scriptBytes: MiB
}

/** The shape of `pageProtectionLimits`. */
export type PageProtectionLimits = typeof pageProtectionLimits
