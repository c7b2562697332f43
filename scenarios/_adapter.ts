import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Adapter, Target } from 'plimsoll'
import './_security-event.ts'
import type { Twin } from './_twin.ts'
import type { Zone } from './_zone.ts'
import { type Ask, functionCapabilities } from './functions/_control.ts'
import { withProbes } from './functions/_probing.ts'
import './networks/_own-node.ts'
import './soak/_capabilities.ts'
import { migrated } from './waf/_migrated.ts'

/** Which detections to place in a zone: lists of plain records in the API's own field names. */
export type Detections = {
  scripts?: Record<string, unknown>[]
  connections?: Record<string, unknown>[]
  cookies?: Record<string, unknown>[]
}

/** What is known to be malicious: categories by domain, and by whole URL. */
export type Malicious = { domains: Record<string, string[]>; urls: Record<string, string[]> }

declare module 'plimsoll' {
  interface Adapter {
    /** A fresh zone on the given plan. */
    zone?: (plan: string) => Promise<Zone>
    /** Moves a zone to another plan. */
    zonePlan?: (zone: string, plan: string) => Promise<void>
    /** A zone in an account that the target's credentials are not of. */
    foreignZone?: (plan: string) => Promise<Zone>
    /** Puts known detections into a zone, as ground truth for the lists. */
    detections?: (zone: string, seed: Detections) => Promise<void>
    /** Has these addresses reported malicious, as far as pages load them from now on. */
    malicious?: (addresses: Malicious) => Promise<void>
    /** Lets a zone's edge answer every path with this HTML page. */
    page?: (zone: string, html: string) => Promise<void>
    /** Lets a zone's edge get its answers from a server of the harness at this URL. */
    origin?: (zone: string, url: string) => Promise<void>
    /** Moves the target's clock forward by 0 milliseconds or more; resolves to its new time. */
    clock?: (forwardMs: number) => Promise<number>
  }
}

/** Starts another platform, made as that is whose control listener is asked. */
async function twinOf(
  target: Target,
  ask: (path: string, body: unknown, method?: string) => Promise<any>
): Promise<Twin> {
  const { id, announcement: said } = await ask('/twins', {})
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` })
  const management = { url: said.management, headers: bearing(said.token) }
  const control = { url: said.control, headers: bearing(said.controlToken) }
  const edge = { url: said.edge }
  return {
    ...{ management, edge },
    adapter: adapter({ ...target, endpoints: { management, control, edge } }),
    end: async () => void (await ask(`/twins/${id}`, undefined, 'DELETE'))
  }
}

/** What the reference platform can do beyond the document, through its control listener. */
export function adapter(target: Target): Adapter {
  // A scheduled event may take 15 minutes to answer; `fetch` gives up after five.
  const call: Ask = async (path, body, method = 'POST') => {
    const { url, headers: own } = target.endpoints.control!
    const headers = { ...own, 'content-type': 'application/json' }
    const asked = request(`${url}${path}`, { method, headers })
    asked.end(JSON.stringify(body))
    const [response] = await once(asked, 'response')
    return { status: response.statusCode, answer: await json(response) }
  }
  const ask = async (path: string, body: unknown, method = 'POST'): Promise<any> => {
    const { status, answer } = await call(path, body, method)
    if (status >= 400) throw new Error(answer.error)
    return answer
  }
  return {
    ...withProbes(functionCapabilities(call)),
    zone: (plan) => ask('/zones', { plan }),
    zonePlan: async (zone, plan) => void (await ask(`/zones/${zone}`, { plan }, 'PATCH')),
    foreignZone: (plan) => ask('/zones', { plan, account: 'somebody else' }),
    detections: async (zone, seed) => void (await ask(`/zones/${zone}/detections`, seed)),
    malicious: async (addresses) => void (await ask('/threats', addresses, 'PUT')),
    page: async (zone, html) => {
      const origin = `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
      await ask(`/zones/${zone}`, { origin }, 'PATCH')
    },
    origin: async (zone, url) => void (await ask(`/zones/${zone}`, { origin: url }, 'PATCH')),
    disposableZone: (plan) => ask('/zones', { plan }),
    partnerZone: async (plan) => {
      const zone = await ask('/zones', { plan })
      await ask(`/zones/${zone.id}/waf-migration`, { isPartner: true }, 'PATCH')
      return zone
    },
    previousWaf: async (zone, given) =>
      void (await ask(`/zones/${zone}/previous-waf`, given, 'PATCH')),
    migrated: (zone) => migrated(() => ask(`/zones/${zone}/waf-migration`, undefined, 'GET')),
    slowMigration: async (zone, ms) =>
      void (await ask(`/zones/${zone}/waf-migration`, { completionMs: ms }, 'PATCH')),
    securityEvents: (zone) => ask(`/zones/${zone}/security-events`, undefined, 'GET'),
    destination: async (url) => url,
    storage: async (url, { region, accessKeyId, secretAccessKey }) => {
      const { origin, pathname } = new URL(url)
      const keys = { 'access-key-id': accessKeyId, 'secret-access-key': secretAccessKey }
      return `s3:/${pathname}?${new URLSearchParams({ region, endpoint: origin, ...keys })}`
    },
    pushLogs: async (zone) => void (await ask(`/zones/${zone}/logpush/deliver`, {})),
    figures: () => ask('/figures', undefined, 'GET'),
    network: async (url) => {
      const name = `network-${randomBytes(4).toString('hex')}`
      await ask(`/networks/${name}`, { url }, 'PUT')
      return `${target.endpoints.gateway!.url}/v1/${name}`
    },
    twin: async () => twinOf(target, ask),
    clock: async (forwardMs) => (await ask('/clock', { forwardMs })).now
  }
}
