/** What a target did to a request for the sake of safety. */
export type SecurityEvent = {
  /** When, as RFC 3339 in UTC. */
  at: string
  /** The part that did it: `waf`, `previous-waf`, `firewall-rules`, `rate-limit`, … */
  source: string
  action: string
  ruleId: string
  rulesetId?: string
  method: string
  host: string
  path: string
  address: string
  ray: string
}

declare module 'plimsoll' {
  interface Adapter {
    /** The security events of a zone, oldest first. */
    securityEvents?: (zone: string) => Promise<SecurityEvent[]>
  }
}
