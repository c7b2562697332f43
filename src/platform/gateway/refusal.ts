import type { Answer } from '../kernel/http/answer.ts'
import type { Received } from '../kernel/http/message.ts'
import { type Fault, invalidRequest, notFound } from './fault.ts'
import { faultText } from './json-rpc.ts'
import type { GatewayRules } from './rules.ts'

/** Why a request is not listened to: as an HTTP status, and in JSON-RPC for those who read that. */
export type GatewayRefusal = { status: number; fault: Fault; headers?: Record<string, string> }

const object = (
  status: number,
  because: string,
  headers?: Record<string, string>
): GatewayRefusal => ({
  status,
  fault: invalidRequest(because),
  headers
})

/** What is wrong with a request before its body is read; undefined when nothing is. */
export function refusalOf(
  { method = '', headers }: Received,
  rules: GatewayRules
): GatewayRefusal | undefined {
  const { authorization, 'content-type': type = 'none', 'content-encoding': coding } = headers
  if (!rules.isMethod(method)) {
    return object(405, `calls are made with POST, not ${method}`, { Allow: 'POST, OPTIONS' })
  }
  if (!rules.isLetIn(authorization))
    return object(401, 'a credential is needed', { 'WWW-Authenticate': 'Bearer' })
  if (!rules.isType(type)) {
    const accepted = { 'Accept-Post': 'application/json' }
    return object(415, `Content-Type must be application/json, and is ${type}`, accepted)
  }
  if (coding !== undefined && coding !== 'identity') {
    const accepted = { 'Accept-Encoding': 'identity' }
    return object(415, `the body must not be encoded, and is in ${coding}`, accepted)
  }
  return undefined
}

/** The objection to a path that selects no network. */
export function noNetwork(name: string | undefined, known: Iterable<string>): GatewayRefusal {
  const hint = `POST to /v1/{network}, where {network} is one of: ${[...known].join(', ')}`
  const because = name === undefined ? 'nothing is here' : `no network is called ${name}`
  return { status: 404, fault: notFound(`${because}; ${hint}`) }
}

/** The objection as an answer. */
export function answerTo({ status, fault, headers }: GatewayRefusal, rules: GatewayRules): Answer {
  const body = faultText(fault, rules.wording)
  return { status, type: 'application/json', body, headers }
}
