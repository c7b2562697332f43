import { type Agent, request } from 'node:http'
import type { Announcement } from '../../../src/platform/platform.ts'

/** An answer that came whole. */
export type Answer = { status: number; text: string; json: () => any }

/** What is asked of one of a platform's listeners. */
export type Asking = {
  at: 'management' | 'control' | 'edge'
  method?: string
  path: string
  host?: string
  body?: object | string
}

/** Asks a platform; rejects unless the whole of an answer has come. */
export type Ask = (asking: Asking) => Promise<Answer>

/** No answer takes longer than this while a platform lives. */
const patienceMs = 60_000

/** The client of one life of a platform. */
export function clientOf(said: Announcement, agent: Agent): Ask {
  const keys = { management: said.token, control: said.controlToken, edge: '' }
  return ({ at, method = 'GET', path, host, body }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const headers = {
      ...(at !== 'edge' && { authorization: `Bearer ${keys[at]}` }),
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
      ...(host !== undefined && { host })
    }
    const sent = request(said[at] + path, { method, headers, agent }, (message) => {
      const whole = message.toArray()
      whole.then((chunks) => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: message.statusCode!, text, json: () => JSON.parse(text) })
      }, reject)
    })
    sent.setTimeout(patienceMs, () => sent.destroy(new Error('no answer')))
    sent.once('error', reject)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
    return promise
  }
}

/** An answer that is as it should be; any other one is an error. */
export function accepted(answer: Answer, ...others: number[]): Answer {
  if (answer.status === 200 || others.includes(answer.status)) return answer
  throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`)
}
