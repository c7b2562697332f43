const KiB = 1_024
const MiB = 1_048_576

/** Every number about the two WAFs that is enforced, each inclusive. */
export const wafLimits = {
  /** Bytes of an entry point ruleset as it is sent; the largest that is migrated must fit. */
  entrypointBytes: 4 * MiB,
  /** Firewall rules a migration takes (document: 200). */
  migratedFirewallRules: 200,
  /** Bytes of the expression of such a rule (document: 4 KB). */
  migratedExpressionBytes: 4 * KiB
}

/** The shape of `wafLimits`. */
export type WafLimits = typeof wafLimits
