import type { Asking, Client, Target } from 'plimsoll'

declare module 'plimsoll' {
  interface Endpoints<Speaker> {
    /** The management API. */
    management: Speaker
    /** The JSON-RPC gateway. */
    gateway: Speaker
    /** The edge listener, which serves all zones by their host names. */
    edge: Speaker & {
      /**
       * The same listener, asked for the zone of a plan, or for a host that is no plan; where the
       * target has a listener `edge.<plan>`, that one.
       */
      zone: (plan: string) => Speaker
    }
  }
}

/** What the document's endpoints offer beyond sending. */
export const endpoints = {
  edge: <Speaker extends Client | Asking>(
    edge: Speaker,
    { hosts, endpoints }: Target,
    own: (name: string) => Speaker
  ) => ({
    zone(plan: string) {
      const listener = `edge.${plan}` in endpoints ? own(`edge.${plan}`) : undefined
      if (listener !== undefined && !(plan in hosts)) return listener
      return (listener ?? edge).as(plan in hosts ? hosts[plan]! : plan)
    }
  })
}
