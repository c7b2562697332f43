import type { Answer } from '../http/answer.ts'
import type { Failure } from './failure.ts'

/** Where a page of a list stands in the whole of it; the document's `result_info`, all integers. */
export type ResultInfo = {
  page: number
  per_page: number
  count: number
  total_count: number
  total_pages: number
}

/** What an operation has to say, before it is wrapped: its result and, for a page, where it is. */
export type Payload = { result: object; info?: ResultInfo }

/** The form every body of the management API has (document: Response envelope). */
export const envelope = {
  type: 'application/json',
  encode: (body: object): string => JSON.stringify(body),
  success: ({ result, info }: Payload): object => ({
    result,
    success: true,
    errors: [],
    messages: [],
    ...(info && { result_info: info })
  }),
  failure: ({ faults }: Failure): object => ({
    result: null,
    success: false,
    errors: faults,
    messages: []
  })
}

/** The shape of `envelope`. */
export type Envelope = typeof envelope

/** The answer to a call that did what it should. */
export function succeeded({ type, encode, success }: Envelope, payload: Payload): Answer {
  return { status: 200, type, body: encode(success(payload)) }
}

/** The answer to a call that failed. */
export function failed({ type, encode, failure }: Envelope, reason: Failure): Answer {
  const { status, headers } = reason
  return { status, type, body: encode(failure(reason)), headers }
}
