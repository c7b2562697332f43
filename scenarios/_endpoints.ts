import type { Asking, Client, Target } from 'plimsoll'

declare module 'plimsoll' {
  interface Endpoints<Speaker> {
    /** The management API. */
    management: Speaker
    /** The JSON-RPC gateway. */
    gateway: Speaker
    /** The edge listener, which serves all zones by their host names. */
    edge: Speaker & {
      /** The same listener, asked for the zone of a plan, or for a host that is no plan. */
      zone: (plan: string) => Speaker
    }
  }
}

/** What the document's endpoints offer beyond sending. */
export const endpoints = {
  edge: (edge: Client | Asking, { hosts }: Target) => ({
    zone: (plan: string) => edge.as(plan in hosts ? hosts[plan]! : plan)
  })
}
