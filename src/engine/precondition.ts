import type { Client } from '../client/client.ts'
import { preflight } from '../client/preflight.ts'
import { isEvidence, said } from '../client/reply.ts'
import type { Canaries } from '../scenario/canary.ts'
import type { Context } from '../scenario/context.ts'

/** What is known of an endpoint's canary, from one unit to the next. */
export type Standing = {
  /** What its answers show, since it first worked. */
  sign?: string
  /** Why nothing that comes from there is evidence any more. */
  stranger?: string
  /** Why it is not asked any more: no answer to the canaries of a unit had an end. */
  mute?: string
  /** Whether the last canary had no answer in its time. */
  isSilent?: boolean
  isTried: boolean
}

/** What has to be true of the endpoints before and after anything is concluded from them. */
export type Precondition = {
  /** Why nothing can be asked of them; undefined when the canary of each one works. */
  missing: () => Promise<string | undefined>
  /**
   * Why what accuses the target proves nothing; undefined when all endpoints that were asked, by
   * how many requests, go on working.
   */
  vouch: (asked: ReadonlyMap<string, number>) => Promise<string | undefined>
  /** Why nothing that was just seen proves anything: something else was found to answer. */
  stranger: (asked: ReadonlyMap<string, number>) => Promise<string | undefined>
}

/** Canaries asked before an endpoint is out of order: one lost answer is no outage. */
const tries = 3

/**
 * Canaries asked at an endpoint before anything else is. Where one answer in twenty comes from
 * somebody else, that shows in 95 of 100 cases; and from then on nothing is concluded.
 */
const trials = 60

/**
 * Canaries asked for each request of an accusation, and at most. Where answers are replaced at
 * random, and some of an attempt are with probability x, its canaries all work with (1 - x)^8: so
 * an accusation is wrong in 4 of 100 attempts at most, and three in a row in 8 of 100,000, however
 * often answers are replaced.
 */
const canariesPerRequest = 8
const most = 100

/** The same for what does not accuse it: one for each request, within these. */
const glance = { least: 10, most: 20 }

/** So much is quoted of the answer of one that does not work: it may say what is missing. */
const mostSaid = 300

/** Canaries under way at once. */
const width = 10

type Options = {
  endpoints: readonly string[]
  canaries: Canaries
  /** A context in which only this endpoint may be used. */
  contextFor: (endpoint: string) => Context
  connect: (endpoint: string) => Client
  standingOf: (endpoint: string) => Standing
  /** Whether what speaks HTTP/2 alone is asked by that, and so is in order. */
  isHttp2?: boolean
  /** Whether it is asked what an answer is that nobody can read, which is no evidence else. */
  isAboutGarbage?: boolean
}

/** What asks an endpoint's canary once, and says why it does not work where it does not. */
function createAsking({ canaries, contextFor, connect, standingOf, ...options }: Options) {
  return async (name: string): Promise<string | undefined> => {
    const canary = canaries[name]
    if (canary === undefined) {
      const found = await preflight(connect(name))
      return found.up || (options.isHttp2 && found.isHttp2)
        ? undefined
        : `${name} does not answer: ${found.because}`
    }
    const { works, reply, sign = '' } = await canary.ask(contextFor(name))
    const standing = standingOf(name)
    standing.isSilent = reply.kind === 'timeout'
    if (works && !options.isAboutGarbage && canary.isOwn?.(reply) === false)
      return `nothing that ${name} says can be read: ${said(reply, mostSaid)}`
    if (works) standing.sign ??= sign
    if (works && sign === standing.sign) return
    // A lost answer is seen wherever it happens. One that only looks like the endpoint's is not.
    if (isEvidence(reply) && reply.status < 500 && standing.sign !== undefined) {
      standing.stranger ??= `something else answers in place of ${name} at times: ${reply.because}`
    }
    return `the canary of ${name} does not work: ${said(reply, mostSaid)}`
  }
}

/** The precondition of a unit, whose endpoints these are. */
export function createPrecondition(options: Options): Precondition {
  const { endpoints, canaries, standingOf } = options
  const ask = createAsking(options)
  const askAll = async (name: string, count: number): Promise<string | undefined> => {
    for (let begun = 0; begun < count; begun += width) {
      const length = Math.min(width, count - begun)
      const faults = await Promise.all(Array.from({ length }, () => ask(name)))
      const fault = faults.find((one) => one !== undefined)
      if (fault !== undefined) return standingOf(name).stranger ?? fault
    }
    return standingOf(name).stranger
  }
  const lookAt = async (name: string): Promise<string | undefined> => {
    const standing = standingOf(name)
    let fault = standing.stranger ?? standing.mute
    if (fault !== undefined) return fault
    let silences = 0
    for (let count = 0; count < tries; count++) {
      fault = standing.stranger ?? (await ask(name))
      if (fault === undefined) break
      if (standing.isSilent) silences++
    }
    if (silences === tries) standing.mute = fault
    if (fault !== undefined || standing.isTried || !canaries[name]) return fault
    standing.isTried = true
    await askAll(name, trials)
    return standing.stranger
  }
  return {
    async missing() {
      for (const name of endpoints) {
        const fault = await lookAt(name)
        if (fault !== undefined) return fault
      }
    },
    async vouch(asked) {
      for (const [name, requests] of asked) {
        // Without a canary of its own an endpoint shows no more than that it is there.
        const count = canaries[name] ? Math.min(most, canariesPerRequest * requests) : 1
        const fault = await askAll(name, count)
        if (fault !== undefined) return fault
      }
    },
    async stranger(asked) {
      for (const [name, requests] of asked) {
        if (!canaries[name]) continue
        await askAll(name, Math.max(glance.least, Math.min(glance.most, requests)))
        const { stranger } = standingOf(name)
        if (stranger !== undefined) return stranger
      }
    }
  }
}
