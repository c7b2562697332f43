import { type Canaries, type Context, isOk, type Reply } from 'plimsoll'
import { largest } from './_zone.ts'
import { echo } from './edge/_echo.ts'
import { anyWay, documentedWay, shownNetworks } from './gateway/_way.ts'

/** A number that hardly anybody else has asked for. */
function nonce({ random }: Context): number {
  return 1_000_000_000 + Math.floor(random() * 1_000_000_000)
}

/** Whether an answer has the form that all of an API have: JSON, or no body at all. */
function isJson({ body, json }: Reply): boolean {
  return body.trim() === '' || json !== undefined
}

/** Lists of a zone, each of which shows its hosts; the next is asked where one is not served. */
const lists = ['scripts', 'connections', 'cookies']

/** Whether an operation is not there at all, which leaves others to show that the rest is. */
function isAbsent({ status }: Reply): boolean {
  return [400, 404, 405, 410].includes(status)
}

/** The answer about the first list that is there, or about the last. */
async function firstServed({ management }: Context, zone: string): Promise<[string, Reply]> {
  const [list, ...others] = lists as [string, ...string[]]
  const ask = (name: string) => management.get(`/zones/${zone}/page_shield/${name}?per_page=5`)
  let found: [string, Reply] = [list, await ask(list)]
  for (const name of others) {
    if (!isAbsent(found[1])) break
    found = [name, await ask(name)]
  }
  return found
}

/**
 * How each endpoint shows that it works, by what only it can answer. They ask for as little as they
 * can: what a target may break, and still be judged by, must not silence its judge.
 */
export const canaries: Canaries = {
  management: {
    /** A list of one zone: an envelope, in which hosts of that zone stand and of no other. */
    async ask(context) {
      const { zones, hosts } = context
      const zone = largest(zones)
      const [list, reply] = await firstServed(context, zone)
      const plan = Object.keys(zones).find((name) => zones[name] === zone)!
      const shows = (name: string) => hosts[name] !== undefined && reply.body.includes(hosts[name])
      const isOthers = !shows(plan) && Object.keys(hosts).some(shows)
      const isSaid = isOk(reply) || [401, 403].includes(reply.status)
      const isEnvelope = /"(success|errors|messages|result)"/.test(reply.body)
      const sign = `${reply.status}, ${list} of ${shows(plan) ? 'its own hosts' : 'no hosts'}`
      return { works: isSaid && isEnvelope && !isOthers, reply, sign }
    },
    isOwn: isJson
  },
  gateway: {
    /** A call whose number comes back; where it is not found, another way has to lead there. */
    async ask(context) {
      const id = nonce(context)
      const reply = await documentedWay(context).ask({ network: shownNetworks[0]!, id })
      const said: unknown = reply.json?.id
      const isOthers = typeof said === 'number' && said > 1_000_000 && said !== id
      const isThere = reply.status !== 404 || (await anyWay(context)) !== undefined
      const sign = `${reply.status}, ${said === id ? 'its own number' : 'no number'}`
      return { works: reply.json !== undefined && !isOthers && isThere, reply, sign }
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
