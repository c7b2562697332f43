import { type Canaries, type Context, isOk, type Reply } from 'plimsoll'
import { known } from './_credential.ts'
import { largest } from './_zone.ts'
import { echo } from './edge/_echo.ts'
import { anyWay, documentedWay, isAboutService, isInternal, shownNetworks } from './gateway/_way.ts'

/** A number that hardly anybody else has asked for. */
function nonce({ random }: Context): number {
  return 1_000_000_000 + Math.floor(random() * 1_000_000_000)
}

/** Calls of the gateway have a number that says when they were asked, up to a day later. */
const calls = { from: 1_000_000_000, lastMs: 100_000_000, eachMs: 10, besideMs: 2_000 }

function callNumber({ random }: Context): number {
  const time = Date.now() % calls.lastMs
  return calls.from + time * calls.eachMs + Math.floor(random() * calls.eachMs)
}

/** Whether a number is that of a call that may be under way with one that has been answered now. */
function isBeside(number: number): boolean {
  const time = Math.floor((number - calls.from) / calls.eachMs)
  const agoMs = (Date.now() - time + calls.lastMs) % calls.lastMs
  return number >= calls.from && agoMs <= calls.besideMs
}

/** Whether an answer has the form that all of an API have: JSON, or no body at all. */
function isJson({ body, json }: Reply): boolean {
  return body.trim() === '' || json !== undefined
}

/**
 * What can be read of a zone without knowing an id. Lists come first, each of which shows its
 * hosts; the next is asked where one is not served.
 */
const reads = [
  ...['page_shield/scripts?per_page=5', 'page_shield/connections?per_page=5'],
  ...['page_shield/cookies?per_page=5', 'page_shield', 'page_shield/policies'],
  'waf_migration/check?phase_two=1'
]

/** Whether an operation is not there at all, which leaves others to show that the rest is. */
function isAbsent({ status }: Reply): boolean {
  return [400, 404, 405, 410].includes(status)
}

/** Whether an API says of itself that it failed: one operation of it, or all that it is. */
function isDefect({ status, json }: Reply): boolean {
  return [500, 501].includes(status) && json !== undefined
}

/** Whether it fails, or says what nobody can read. */
function isLost(reply: Reply): boolean {
  return isDefect(reply) || (isOk(reply) && !isJson(reply))
}

/** Whether it does so each time that it is asked; what fails at times may be out of service. */
async function isLasting(ask: () => Promise<Reply>): Promise<boolean> {
  return isLost(await ask()) && isLost(await ask())
}

/**
 * The first read that is there, and the answer to it. Where that is lost lastingly, it is the
 * answer to one that is served, if any is: a service in which one operation fails is no outage.
 * Nor is one in which another credential is served what the target's own is not.
 */
async function firstServed(context: Context, zone: string): Promise<[string, Reply]> {
  const { management, credentials } = context
  let [first, reply]: [string | undefined, Reply | undefined] = [undefined, undefined]
  for (const read of reads) {
    const ask = () => management.get(`/zones/${zone}/${read}`)
    const answer = await ask()
    if (!isAbsent(answer)) first ??= read
    const isNext = isAbsent(answer) || (isLost(answer) && (await isLasting(ask)))
    if (!isNext) return [first!, answer]
    reply ??= answer
  }
  for (const client of known({ management, credentials })) {
    const answer = await client.get(`/zones/${zone}/page_shield`)
    if (isOk(answer) && isJson(answer)) return [first ?? reads[0]!, answer]
  }
  return [first ?? reads[0]!, reply!]
}

/**
 * How each endpoint shows that it works, by what only it can answer. They ask for as little as they
 * can: what a target may break, and still be judged by, must not silence its judge.
 */
export const canaries: Canaries = {
  management: {
    /** A read of one zone: an envelope, in which hosts of that zone stand and of no other. */
    async ask(context) {
      const { zones, hosts } = context
      const zone = largest(zones)
      const [read, reply] = await firstServed(context, zone)
      const plan = Object.keys(zones).find((name) => zones[name] === zone)!
      const shows = (name: string) => name in hosts && reply.body.includes(hosts[name])
      const isOthers = !shows(plan) && Object.keys(hosts).some(shows)
      const isSaid = isOk(reply) || [401, 403].includes(reply.status)
      const isEnvelope = /"(success|errors|messages|result)"/.test(reply.body)
      const sign = `${reply.status}, ${read} of ${shows(plan) ? 'its own hosts' : 'no hosts'}`
      return { works: isSaid && isEnvelope && !isOthers, reply, sign }
    },
    isOwn: isJson
  },
  gateway: {
    /** A call whose number comes back; where it fails, another has to be served. */
    async ask(context) {
      const id = callNumber(context)
      const reply = await documentedWay(context).ask({ network: shownNetworks[0]!, id })
      const said: unknown = reply.json?.id
      // What is asked at the same time may be confused by the gateway itself, which clauses are
      // about; what was asked long before is told by somebody who is not the gateway.
      const isOwn = said === id || (typeof said === 'number' && isBeside(said))
      const isOthers = typeof said === 'number' && said > 1_000_000 && !isOwn
      const isFailed = isAboutService(reply) || isInternal(reply)
      const isServed = reply.status < 500 && reply.status !== 404 && !isFailed
      const isThere = isServed || (await anyWay(context)) !== undefined
      const sign = `${reply.status}, ${said == null ? 'no id' : 'an id'}`
      return { works: reply.json !== undefined && !isOthers && isThere, reply, sign }
    },
    isOwn: isJson
  },
  edge: {
    /** The echo of a zone, with a number in its address. */
    async ask(context) {
      const { edge, hosts } = context
      const plan = 'pro' in hosts ? 'pro' : Object.keys(hosts)[0]
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
