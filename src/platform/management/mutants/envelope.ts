import { envelope, type ResultInfo } from '../../kernel/api/envelope.ts'
import type { Fault } from '../../kernel/api/failure.ts'
import { dashed, mistyped } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { ManagementRules } from '../rules.ts'

type Body = Record<string, any>

const success = (alter: (body: Body) => object): Override<ManagementRules> => ({
  envelope: { success: (payload) => alter(envelope.success(payload)) }
})
const failure = (alter: (body: Body) => object): Override<ManagementRules> => ({
  envelope: { failure: (reason) => alter(envelope.failure(reason)) }
})
const failureOf = (status: number, alter: (body: Body) => object): Override<ManagementRules> => ({
  envelope: {
    failure(reason) {
      const body = envelope.failure(reason)
      return reason.status === status ? alter(body) : body
    }
  }
})
const resultInfo = (alter: (info: Body) => object): Override<ManagementRules> =>
  success((body) => (body.result_info ? { ...body, result_info: alter(body.result_info) } : body))

const infoFields: (keyof ResultInfo)[] = ['page', 'per_page', 'count', 'total_count', 'total_pages']

const fieldMutants = infoFields.flatMap((field): Mutant<ManagementRules>[] => {
  const clause = `envelope.result-info.${dashed(field)}`
  return [
    {
      name: `result-info-${dashed(field)}-wrong-type`,
      clause,
      description: `The ${field} of a list is a string.`,
      change: resultInfo((info) => ({ ...info, [field]: mistyped(info[field]) }))
    },
    {
      name: `result-info-${dashed(field)}-missing`,
      clause,
      description: `A list does not say its ${field}.`,
      change: resultInfo(({ [field]: _, ...rest }) => rest)
    }
  ]
})

const infoOfOne = { page: 1, per_page: 1, count: 1, total_count: 1, total_pages: 1 }
const isSuccess = (body: object) => 'success' in body && body.success === true

/** What can be wrong with the form every body has. */
export const envelopeMutants: readonly Mutant<ManagementRules>[] = [
  {
    name: 'result-missing',
    clause: 'envelope.result-present',
    description: 'What an operation returns is called data, and there is no result.',
    change: success(({ result, ...rest }) => ({ data: result, ...rest }))
  },
  {
    name: 'result-as-text',
    clause: 'envelope.result-present',
    description: 'The result is a string that holds JSON.',
    change: success((body) => ({ ...body, result: JSON.stringify(body.result) }))
  },
  {
    name: 'success-as-text',
    clause: 'envelope.success-boolean',
    description: 'On success, success is the string "true".',
    change: success((body) => ({ ...body, success: 'true' }))
  },
  {
    name: 'success-missing',
    clause: 'envelope.success-boolean',
    description: 'Nothing says whether an operation succeeded.',
    change: success(({ success: _, ...rest }) => rest)
  },
  {
    name: 'errors-null-on-success',
    clause: 'envelope.errors-array-empty-on-success',
    description: 'On success, errors is null.',
    change: success((body) => ({ ...body, errors: null }))
  },
  {
    name: 'errors-filled-on-success',
    clause: 'envelope.errors-array-empty-on-success',
    description: 'On success, errors has an entry.',
    change: success((body) => ({ ...body, errors: [{ code: 1_000, message: 'Done' }] }))
  },
  {
    name: 'messages-missing',
    clause: 'envelope.messages-array',
    description: 'A body has no messages.',
    change: success(({ messages: _, ...rest }) => rest)
  },
  {
    name: 'messages-as-text',
    clause: 'envelope.messages-array',
    description: 'A message is a string where an array of messages belongs.',
    change: success((body) => ({ ...body, messages: '' }))
  },
  {
    name: 'result-info-on-single-reads',
    clause: 'envelope.result-info-only-on-lists',
    description: 'Operations on a single object have a result_info as well.',
    change: success((body) =>
      Array.isArray(body.result) ? body : { ...body, result_info: infoOfOne }
    )
  },
  {
    name: 'wrong-method-without-errors',
    clause: 'envelope.failure-via-success-and-errors',
    description: 'A call with a method that no operation has is refused without an error.',
    change: failureOf(405, (body) => ({ ...body, errors: [] }))
  },
  {
    name: 'stranger-told-success',
    clause: 'envelope.failure-via-success-and-errors',
    description: 'Who has no credential is told that the call succeeded, with errors.',
    change: failureOf(401, (body) => ({ ...body, success: true }))
  },
  {
    name: 'broken-body-answered-as-text',
    clause: 'envelope.success-boolean',
    description: 'Of a body that is no JSON it is said that success is the string "false".',
    change: failureOf(400, (body) => ({ ...body, success: 'false' }))
  },
  {
    name: 'creation-with-messages-as-text',
    clause: 'envelope.messages-array',
    description: 'What has an action, as a policy has, comes with messages that are a string.',
    change: success((body) => (body.result.action ? { ...body, messages: 'created' } : body))
  },
  {
    name: 'policy-as-a-list-of-one',
    clause: 'envelope.result-info-only-on-lists',
    description: 'A policy that is read or created comes with a result_info.',
    change: success((body) => (body.result.action ? { ...body, result_info: infoOfOne } : body))
  },
  {
    name: 'failure-called-success',
    clause: 'envelope.failure-via-success-and-errors',
    description: 'A failure says that it succeeded, and still has errors.',
    change: failure((body) => ({ ...body, success: true }))
  },
  {
    name: 'failure-without-errors',
    clause: 'envelope.failure-via-success-and-errors',
    description: 'A failure gives no error.',
    change: failure((body) => ({ ...body, errors: [] }))
  },
  {
    name: 'failure-outside-the-envelope',
    clause: 'error.management-envelope',
    description: 'A failure is an object with an error, not an envelope.',
    change: failure((body) => ({ error: body.errors[0].message }))
  },
  {
    name: 'bodies-guarded-from-parsing',
    clause: 'envelope.all-bodies-json',
    description: 'Every body begins with characters that are no JSON.',
    change: { envelope: { encode: (body) => `)]}',\n${envelope.encode(body)}` } }
  },
  {
    name: 'failures-as-html',
    clause: 'envelope.all-bodies-json',
    description: 'The body of a failure is a page for people.',
    change: {
      envelope: {
        encode: (body) =>
          isSuccess(body) ? envelope.encode(body) : '<!doctype html><h1>Something went wrong</h1>'
      }
    }
  },
  ...[
    { name: 'too-large-body-as-text', what: 'A body that is too large', code: 10_413 },
    { name: 'unknown-path-as-text', what: 'A path that no operation has', code: 7_000 }
  ].map(({ name, what, code }) => ({
    name,
    clause: 'error.management-envelope',
    description: `${what} is refused by a line of text.`,
    change: {
      envelope: {
        encode: (body: Body) =>
          body.errors.some((error: Fault) => error.code === code)
            ? 'Refused.\n'
            : envelope.encode(body)
      }
    }
  })),
  {
    name: 'total-pages-one-short',
    clause: 'envelope.result-info.consistent',
    description: 'The last page, when it is not full, is left out of total_pages.',
    change: resultInfo((info) => ({
      ...info,
      total_pages: Math.floor(info.total_count / info.per_page)
    }))
  },
  {
    name: 'count-of-all-pages',
    clause: 'envelope.result-info.consistent',
    description: 'The count of a page is that of all pages together.',
    change: resultInfo((info) => ({ ...info, count: info.total_count }))
  },
  ...fieldMutants
]
