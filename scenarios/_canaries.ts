import type { Canaries, Context, Reply } from 'plimsoll'
import { largest } from './_zone.ts'
import { echo } from './edge/_echo.ts'
import { documentedWay, shownNetworks } from './gateway/_way.ts'

/** A number that hardly anybody else has asked for. */
function nonce({ random }: Context): number {
  return 1_000_000_000 + Math.floor(random() * 1_000_000_000)
}

/** Whether an answer has the form that all of an API have: JSON, or no body at all. */
function isJson({ body, json }: Reply): boolean {
  return body.trim() === '' || json !== undefined
}

/**
 * How each endpoint shows that it works, by what only it can answer. They ask for as little as they
 * can: what a target may break, and still be judged by, must not silence its judge.
 */
export const canaries: Canaries = {
  management: {
    /** The list of scripts of one zone: an envelope, in which hosts of no other zone stand. */
    async ask({ management, zones, hosts }) {
      const zone = largest(zones)
      const reply = await management.get(`/zones/${zone}/page_shield/scripts?per_page=5`)
      const plan = Object.keys(zones).find((name) => zones[name] === zone)!
      const shows = (name: string) => hosts[name] !== undefined && reply.body.includes(hosts[name])
      const isOthers = !shows(plan) && Object.keys(hosts).some(shows)
      const isEnvelope = /"(success|errors|messages|result)"/.test(reply.body)
      return { works: isEnvelope && !isOthers, reply }
    },
    isOwn: isJson
  },
  gateway: {
    /** A call whose number comes back. */
    async ask(context) {
      const id = nonce(context)
      const way = documentedWay(context)
      const reply = await way.ask({ network: shownNetworks[0]!, id })
      const said: unknown = reply.json?.id
      const isOthers = typeof said === 'number' && said > 1_000_000 && said !== id
      return { works: reply.json !== undefined && !isOthers, reply }
    },
    isOwn: isJson
  },
  edge: {
    /** The echo of a zone, with a number in its address. */
    async ask(context) {
      const { edge, hosts } = context
      const plan = hosts.pro === undefined ? Object.keys(hosts)[0] : 'pro'
      if (plan === undefined) {
        const reply = await edge.get('/')
        return { works: reply.status > 0 && reply.status < 500, reply }
      }
      const asked = `${echo}?canary=${nonce(context)}`
      const reply = await edge.zone(plan).get(asked)
      return { works: reply.json?.url === asked, reply }
    }
  }
}
