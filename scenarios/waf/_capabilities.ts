/** A configuration of the previous WAF; what is left out stays as it is. */
export type PreviousWaf = {
  /** The switch for all of it. */
  enabled?: boolean
  owasp?: {
    /** `default` is the sensitivity of a zone where nobody has chosen one. */
    sensitivity?: 'high' | 'medium' | 'low' | 'default'
    action?: 'simulate' | 'block' | 'challenge'
    /** How many of the package's groups, and of its rules, are turned off by an override. */
    groupsOff?: number
    rulesOff?: number
  }
  /** Firewall rules; `bypass` lets requests past the WAF, and `log` does nothing to them. */
  firewallRules?: { expression: string; action: 'bypass' | 'log'; description?: string }[]
  /** Page rules, by URL pattern; the first that matches counts. */
  pageRules?: ({ url: string; waf: 'on' | 'off' } | { url: string; disableSecurity: true })[]
  /** URL patterns that have a URI-based override. */
  uriOverrides?: string[]
}

declare module 'plimsoll' {
  interface Adapter {
    /** Configures a zone's previous WAF, whatever can still be done with that. */
    previousWaf?: (zone: string, configuration: PreviousWaf) => Promise<void>
    /** A zone on the given plan in a partner's account; it may be used up. */
    partnerZone?: (plan: string) => Promise<{ id: string; host: string }>
    /** Resolves when nothing of a zone's migration is under way any more. */
    migrated?: (zone: string) => Promise<void>
    /** Has the migration of a zone take so many milliseconds from when it is asked for. */
    slowMigration?: (zone: string, ms: number) => Promise<void>
  }
}
