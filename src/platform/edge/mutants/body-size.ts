import type { Mutant } from '../../kernel/mutant.ts'
import { override } from '../../kernel/override.ts'
import { type Plan, plans } from '../../kernel/plan.ts'
import type { Zone } from '../../kernel/zone.ts'
import { metered } from '../metered.ts'
import type { EdgeRequest } from '../request.ts'
import type { EdgeRules } from '../rules.ts'
import { bodyLimit } from '../size.ts'
import { type Size, sizeMutants, treated, withStatus } from './size.ts'

const megabytes: Record<Plan, number> = { free: 100, pro: 100, business: 200, enterprise: 500 }

/** The documented limit, but none for the requests of one plan that are of one kind. */
const unlimitedWhere =
  (plan: Plan, isFree: (request: EdgeRequest) => boolean): EdgeRules['bodyLimit'] =>
  (request, zone, limits) =>
    zone.plan === plan && isFree(request) ? Infinity : bodyLimit(request, zone, limits)

/** Reads a whole body and passes on its beginning. */
async function* cut(body: AsyncIterable<Buffer>, bytes: number) {
  let left = bytes
  for await (const chunk of body) {
    if (left > 0) yield chunk.subarray(0, left)
    left -= chunk.length
  }
}

/** Reads a whole body and passes on all but its beginning. */
async function* behind(body: AsyncIterable<Buffer>, bytes: number) {
  let left = bytes
  for await (const chunk of body) {
    yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** Passes on the first bytes as they came, and others in place of those behind them. */
async function* garbledBehind(body: AsyncIterable<Buffer>, bytes: number) {
  let left = bytes
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    yield chunk.subarray(left).map((byte) => byte ^ 1) as Buffer
    left = Math.max(0, left - chunk.length)
  }
}

const refusals = ['post', 'put', 'patch'].map((method) => `error.body-413.${method}`)

const isForm = ({ headers }: EdgeRequest) =>
  headers.some(([, value]) => value === 'application/x-www-form-urlencoded')

const planMutants = plans.flatMap((plan): Mutant<EdgeRules>[] => {
  const name = `body-${plan}`
  const clause = `limits.request.body.${plan}`
  const words = `a body on the ${plan} plan`
  const readings: [number, number] = [megabytes[plan] * 1_000_000, megabytes[plan] * 1_048_576]
  const limited: Size['limited'] = (bytes) => ({ limits: { bodyBytes: { [plan]: bytes } } })
  const isAbout: Size['isAbout'] = (refusal) => refusal.part === 'body' && refusal.plan === plan
  return [
    ...sizeMutants({ name, clause, refusals, words, readings, limited, isAbout }),
    {
      name: `${name}-post-refused-with-400`,
      clause: 'error.body-413.post',
      description: `Refuses a POST with ${words} that is too large with 400 where 413 belongs.`,
      change: treated((refusal) => isAbout(refusal) && refusal.method === 'POST', withStatus(400))
    },
    {
      name: `${name}-garbled-beyond`,
      clause,
      description: `Takes ${words} that is too large, and passes on other bytes behind what fits.`,
      change: override(limited(Infinity), {
        // Cut to what fits it would be shorter than announced, and no server would answer it.
        metered: (request, limitBytes) =>
          limitBytes === Infinity
            ? garbledBehind(request.body, readings[1])
            : metered(request, limitBytes)
      })
    },
    {
      name: `${name}-form-without-its-beginning`,
      clause,
      description: `Of ${words} that is a form only what follows its first bytes goes on.`,
      change: {
        // A limit that is no whole number tells those bodies apart.
        bodyLimit: (request, zone, limits) =>
          bodyLimit(request, zone, limits) + (zone.plan === plan && isForm(request) ? 0.5 : 0),
        metered: (request, limitBytes) =>
          limitBytes % 1 === 0.5 ? behind(request.body, 4) : metered(request, limitBytes)
      }
    },
    {
      name: `${name}-unlimited-in-chunks`,
      clause,
      description: `Limits ${words} only when its length is announced.`,
      change: {
        bodyLimit: unlimitedWhere(plan, ({ declaredBytes }) => declaredBytes === undefined)
      }
    },
    {
      name: `${name}-unlimited-when-announced`,
      clause,
      description: `Limits ${words} only when it is sent in chunks.`,
      change: {
        bodyLimit: unlimitedWhere(plan, ({ declaredBytes }) => declaredBytes !== undefined)
      }
    }
  ]
})

const passedOn: Mutant<EdgeRules> = {
  name: 'body-business-lost-on-its-way',
  clause: 'limits.request.body.business',
  description: 'A PATCH on the business plan comes to the origin without its body.',
  change: {
    metered: (request, limitBytes) => {
      const isBusiness = limitBytes === megabytes.business * 1_048_576
      const isLost = isBusiness && request.method === 'PATCH'
      return isLost ? cut(request.body, 0) : metered(request, limitBytes)
    }
  }
}

const ofAnotherPlan: Mutant<EdgeRules> = {
  name: 'body-business-of-patch-as-on-free',
  clause: 'limits.request.body.business',
  description: 'A PATCH on the business plan may have a body no larger than on the free plan.',
  change: {
    bodyLimit: (request, zone, limits) => {
      const isLess = request.method === 'PATCH' && zone.plan === 'business'
      return bodyLimit(request, isLess ? { ...zone, plan: 'free' } : zone, limits)
    }
  }
}

const lessBelow: Mutant<EdgeRules> = {
  name: 'body-enterprise-as-on-free-below',
  clause: 'limits.request.body.enterprise',
  description: 'On hosts below that of an Enterprise zone a body is as large as on the free plan.',
  change: {
    bodyLimit: (request, zone, limits) => {
      const isLess = request.host !== zone.host && zone.plan === 'enterprise'
      return bodyLimit(request, isLess ? { ...zone, plan: 'free' } : zone, limits)
    }
  }
}

/** Bytes of bodies that came by a connection, by its address and port. */
const received = new Map<string, number>()

const countedTogether: Mutant<EdgeRules> = {
  name: 'body-pro-of-a-connection',
  clause: 'limits.request.body.pro',
  description: 'Counts the bodies of all requests of a connection together on the pro plan.',
  change: {
    bodyLimit: (request, zone, limits) => {
      const { from, declaredBytes = 0 } = request
      const key = `${from.address} ${from.port}`
      const before = zone.plan === 'pro' ? (received.get(key) ?? 0) : 0
      received.set(key, before + declaredBytes)
      return bodyLimit(request, zone, limits) - before
    }
  }
}

/** Passes on as many bytes as came, but not those that came. */
async function* garbled(body: AsyncIterable<Buffer>) {
  for await (const chunk of body) yield chunk.map((byte) => byte ^ 1) as Buffer
}

const garbledInChunks: Mutant<EdgeRules> = {
  name: 'body-enterprise-garbled-in-chunks',
  clause: 'limits.request.body.enterprise',
  description: 'A PUT in chunks on the Enterprise plan arrives with other bytes.',
  change: {
    metered: (request, limitBytes) => {
      const isEnterprise = limitBytes === megabytes.enterprise * 1_048_576
      const isOdd = isEnterprise && request.method === 'PUT' && request.declaredBytes === undefined
      return isOdd ? garbled(request.body) : metered(request, limitBytes)
    }
  }
}

/** Ways to send a body, by the plan on which it arrives with other bytes behind the first. */
const waysGarbled: Record<Plan, { method: string; framing: 'chunked' | 'expect' | 'length' }> = {
  free: { method: 'PUT', framing: 'chunked' },
  pro: { method: 'PATCH', framing: 'expect' },
  business: { method: 'PUT', framing: 'chunked' },
  enterprise: { method: 'POST', framing: 'length' }
}
const wholeBytes = 64 * 1_048_576

function framingOf({ declaredBytes, headers }: EdgeRequest) {
  if (declaredBytes === undefined) return 'chunked'
  return headers.some(([name]) => name.toLowerCase() === 'expect') ? 'expect' : 'length'
}

const garbledWhenLarge = plans.map((plan): Mutant<EdgeRules> => {
  const { method, framing } = waysGarbled[plan]
  return {
    name: `body-${plan}-garbled-when-large`,
    clause: `limits.request.body.${plan}`,
    description: `Of a large ${method} on the ${plan} plan (${framing}) other bytes arrive.`,
    change: {
      // A limit that is no whole number tells those bodies apart.
      bodyLimit(request, zone, limits) {
        const isSo = request.method === method && framingOf(request) === framing
        return bodyLimit(request, zone, limits) + (zone.plan === plan && isSo ? 0.25 : 0)
      },
      metered: (request, limitBytes) =>
        metered(
          limitBytes % 1 === 0.25
            ? { ...request, body: garbledBehind(request.body, wholeBytes) }
            : request,
          limitBytes
        )
    }
  }
})

/** On which plan a zone was met last, and on which before that, where it was another. */
const moves = new Map<string, { now: Plan; before: Plan }>()

function beforeMove({ id, plan }: Zone): Plan {
  const known = moves.get(id) ?? { now: plan, before: plan }
  const met = known.now === plan ? known : { now: plan, before: known.now }
  moves.set(id, met)
  return met.before
}

const keptWhenMoved = plans.map(
  (plan): Mutant<EdgeRules> => ({
    name: `body-${plan}-as-before-the-move`,
    clause: `limits.request.body.${plan}`,
    description: `A zone that moves to the ${plan} plan keeps the maximum of the plan before it.`,
    change: {
      bodyLimit(request, zone, limits) {
        const before = beforeMove(zone)
        const kept = zone.plan === plan ? before : zone.plan
        return bodyLimit(request, { ...zone, plan: kept }, limits)
      }
    }
  })
)

const methodMutants = ['POST', 'PUT', 'PATCH'].map(
  (method): Mutant<EdgeRules> => ({
    name: `body-of-${method.toLowerCase()}-refused-with-400`,
    clause: `error.body-413.${method.toLowerCase()}`,
    description: `Refuses a ${method} with a body that is too large with 400 where 413 belongs.`,
    change: treated(
      (refusal) => refusal.part === 'body' && refusal.method === method,
      withStatus(400)
    )
  })
)

/** What can be wrong with the limits on a request's body. */
export const bodySizeMutants: readonly Mutant<EdgeRules>[] = [
  ...planMutants,
  ...methodMutants,
  passedOn,
  ofAnotherPlan,
  lessBelow,
  countedTogether,
  garbledInChunks,
  ...garbledWhenLarge,
  ...keptWhenMoved
]
