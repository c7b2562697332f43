import { KB, MB, MiB } from 'plimsoll'
import type { Question } from '../_http2.ts'
import { echo } from './_echo.ts'
import { clauses, filling, methods, refusalOf } from './_within.ts'

const { url, single, total, body } = clauses

/** How long one that is large may take without any progress, in ms. */
export const bodyMs = 20_000

/** A body within its limit by any reading, two of which are not. */
export const halfBytes = 50 * MiB + 1

/** What is far beyond a limit; of a body only its length is told, and how it is refused is said. */
export type Beyond = {
  clause: string
  asked: string
  question: Question
  status?: [string, number]
}

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
  {
    ...{ clause: total, asked: 'a header in 15 fields, of 60 KB in all' },
    question: {
      method: 'GET',
      path: echo,
      headers: { 'x-alike': Array(15).fill('a'.repeat(4 * KB)) }
    }
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

/** What is beyond the limit of a body by one byte at least, and does not say so before. */
export const unannounced: Beyond = {
  ...{ clause: body, asked: 'PUT of 100 MiB and a byte, of no announced length' },
  question: { method: 'PUT', path: echo, body: 100 * MiB + 1, forMs: bodyMs },
  status: [refusalOf('PUT'), 413]
}
