import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http2'
import { KB, MB } from 'plimsoll'
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

const methods = ['POST', 'PUT', 'PATCH']
const refusalOf = (method: string) => `error.body-413.${method.toLowerCase()}`

/** The clause of each method whose body is refused in a way that is said. */
export const refusals = methods.map(refusalOf)

/** What is within a limit by whatever is counted, and what an echo says that got all of it. */
export type Within = { clause: string; asked: string; question: Question; echoed: Echoed }
type Echoed = { count?: number; bytes?: number; sha256?: string }

const filling = (count: number, bytes: number): OutgoingHttpHeaders =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-fill-${at}`, 'a'.repeat(bytes)]))
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
      ...{ clause: body, asked: 'a body of 360 KB' },
      ...{ question: { method: 'POST', path, body: text }, echoed: { sha256 } }
    }
  ]
}

/** What is far beyond a limit; of a body only its length is told, and how it is refused is said. */
type Beyond = { clause: string; asked: string; question: Question; status?: [string, number] }

/** What is far beyond each limit by whatever is counted. */
export const beyond: Beyond[] = [
  {
    ...{ clause: url, asked: 'a URL of 33 KB' },
    question: { method: 'GET', path: `${echo}?`.padEnd(33 * KB, 'b=1&') }
  },
  {
    ...{ clause: single, asked: 'a header of 20 KB' },
    question: { method: 'GET', path: echo, headers: filling(1, 20 * KB) }
  },
  {
    ...{ clause: total, asked: 'headers of 60 KB' },
    question: { method: 'GET', path: echo, headers: filling(15, 4 * KB) }
  },
  ...methods.map((method): Beyond => {
    const headers = { 'content-length': 300 * MB }
    const question = { method, path: echo, headers, body: 'held back' } as const
    return {
      clause: body,
      asked: `${method} of 300 MB`,
      question,
      status: [refusalOf(method), 413]
    }
  })
]

/** Whether an echo says that it got all of a request, beside what it gets of any. */
export function isEchoed(json: any, bare: any, { question, echoed }: Within): boolean {
  if (json?.method !== question.method || json.url !== question.path) return false
  if (echoed.sha256 !== undefined) return json.sha256 === echoed.sha256
  const { count, bytes } = json.headers ?? {}
  return (
    count === bare.headers.count + (echoed.count ?? 0) &&
    bytes === bare.headers.bytes + (echoed.bytes ?? 0)
  )
}
