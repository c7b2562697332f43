import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http2'
import { KB } from 'plimsoll'
import type { Question } from '../_http2.ts'
import { echo } from './_echo.ts'

/** The clause of each limit of a request that is asked about on one connection. */
export const clauses = {
  url: 'limits.request.url-length',
  single: 'limits.request.header-single',
  total: 'limits.request.headers-total',
  body: 'limits.request.body.pro'
}
const { url, single, total, body } = clauses

/** Methods whose body has a maximum. */
export const methods = ['POST', 'PUT', 'PATCH']
/** The clause about how a body is refused. */
export const refusalOf = (method: string) => `error.body-413.${method.toLowerCase()}`

/** The clause of each method whose body is refused in a way that is said. */
export const refusals = methods.map(refusalOf)

/**
 * What is within a limit by whatever is counted, and what an echo says that got all of it; fields
 * of one name may come as one, with less of names and a comma (RFC 9110, section 5.2).
 */
export type Within = { clause: string; asked: string; question: Question; echoed: Echoed }
type Echoed = { count?: number; bytes?: number; sha256?: string; joinedBytes?: number }

/** Headers of so many bytes each, without their names. */
export const filling = (count: number, bytes: number): OutgoingHttpHeaders =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-fill-${at}`, 'a'.repeat(bytes)]))
const many = filling(300, 84)
const manyBytes = Object.entries(many).reduce((sum, each) => sum + each.join('').length, 0)
/** Of one name, so that they are within the limit of a single header together. */
const alike = ['a', 'b'].map((one) => one.repeat(6 * KB))
const [alikeBytes, joinedBytes] = [2 * (6 * KB + 7), 2 * 6 * KB + 7]
/** More than a piece of anything, and with characters of several bytes. */
const text = 'é€😀'.repeat(40_000)
const sha256 = createHash('sha256').update(text).digest('hex')

/** What is within each limit, with a query of its own. */
export function within(own: string): Within[] {
  const path = `${echo}?${own}`
  const get = { method: 'GET', path }
  const crumbs = { cookie: ['a=1', 'b=2', 'c=3'] }
  return [
    {
      ...{ clause: url, asked: 'a URL of 15 KB', echoed: {} },
      question: { ...get, path: `${path}&`.padEnd(15 * KB, 'b=1&') }
    },
    {
      ...{ clause: single, asked: 'a header of 15 KB' },
      ...{ question: { ...get, headers: filling(1, 15 * KB) } },
      echoed: { count: 1, bytes: 15 * KB + 8 }
    },
    {
      ...{ clause: total, asked: 'headers of 28 KB' },
      ...{ question: { ...get, headers: filling(7, 4 * KB) } },
      echoed: { count: 7, bytes: 7 * (4 * KB + 8) }
    },
    // A field of cookies may come in several, and goes on as one.
    {
      ...{ clause: total, asked: 'a cookie in three fields, beside another field' },
      ...{ question: { ...get, headers: { ...crumbs, ...filling(1, 7) } } },
      echoed: { count: 2, bytes: 6 + 13 + 15 }
    },
    {
      ...{ clause: total, asked: '300 small headers, of 28 KB in all' },
      ...{ question: { ...get, headers: many } },
      echoed: { count: 300, bytes: manyBytes }
    },
    {
      ...{ clause: total, asked: 'a header in two fields, of 12 KB in all' },
      ...{ question: { ...get, headers: { 'x-alike': alike } } },
      echoed: { bytes: alikeBytes, joinedBytes }
    },
    {
      ...{ clause: body, asked: 'a body of 360 KB' },
      ...{ question: { method: 'POST', path, body: text }, echoed: { sha256 } }
    }
  ]
}

/** Whether an echo says that it got all of a request, beside what it gets of any. */
export function isEchoed(json: any, bare: any, { question, echoed }: Within): boolean {
  if (json?.method !== question.method || json.url !== question.path) return false
  if (echoed.sha256 !== undefined) return json.sha256 === echoed.sha256
  const { count, bytes } = json.headers ?? {}
  const own = bytes - bare.headers.bytes
  if (echoed.joinedBytes) return own >= echoed.joinedBytes && own <= echoed.bytes!
  return count === bare.headers.count + (echoed.count ?? 0) && own === (echoed.bytes ?? 0)
}
