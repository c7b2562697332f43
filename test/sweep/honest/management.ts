// Management APIs of other makes: statuses, errors, ids, moments and what is left open of answers.
import { idOf } from '../../../src/platform/kernel/id.ts'
import { api, form, type Variant } from './variant.ts'
import type { Asked, Way } from './way.ts'

type Envelope = { result?: any; success: boolean; errors: any[]; messages: any[] }

const refusing = [
  ...['envelope', 'errors', 'authentication', 'policies/delete', 'policies/two-zones'],
  ...['lists/page', 'detections/own-zone']
]
const wide = [
  ...refusing,
  ...['log-push/create', 'log-push/filter-form', 'log-push/filter-size', 'waf/errors'],
  ...['waf/ineligible', 'waf/no-validation-pro', 'waf/previous-api', 'waf/every-operation'],
  ...['waf/uri-overrides', 'waf/previous-kept', 'waf/refusals', 'policies/broken-expressions']
]

const answering = (json: (value: Envelope, asked: Asked, status: number) => unknown): Way => ({
  json: (value, { asked, head }) => JSON.stringify(json(value, asked, head.status))
})

/** Refusals that look otherwise; what was served stays as it is. */
const refused = (change: (value: Envelope) => object): Way =>
  answering((value) => (value.success === false ? change(value) : value))

const withStatus = (status: (status: number, asked: Asked) => number): Way => ({
  head: (head, { asked }) => ({ ...head, status: status(head.status, asked) })
})

const unlike = (
  name: string,
  allowed: string,
  way: Way,
  areas: readonly string[] = wide
): Variant => ({
  ...{ name, allowed, areas },
  ways: { management: way }
})

const statusAllowed = 'the status of each failure is not shown (Errors, 1)'

const statuses: [name: string, status: (status: number) => number][] = [
  ['failures-are-200', (status) => (status >= 400 ? 200 : status)],
  ['failures-are-400', (status) => (status >= 400 ? 400 : status)],
  ['failures-are-403', (status) => (status >= 400 ? 403 : status)],
  ['failures-are-404', (status) => (status >= 400 ? 404 : status)],
  ['failures-are-422', (status) => (status >= 400 ? 422 : status)],
  ['failures-are-418', (status) => (status >= 400 ? 418 : status)]
]

const shapeAllowed = 'the shape of an error object is not shown (Errors, 1)'

/** The text with all moments in it written in another way. */
const moments = (write: (moment: string) => string) => (value: unknown) =>
  JSON.stringify(value).replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g, (quoted) =>
    JSON.stringify(write(JSON.parse(quoted)))
  )

const momentAllowed = 'moments are ISO 8601 in UTC, fractional seconds possible'
const timed = [
  ...['settings', 'scripts', 'connections', 'cookies', 'detections', 'waf/check-fields']
]

const written: [name: string, write: (moment: string) => string][] = [
  ['moments-to-the-second', (moment) => moment.replace(/\.\d+/, '')],
  [
    'moments-to-the-nanosecond',
    (moment) => moment.replace(/(\.\d+)?Z/, (_, f = '.000') => `${f}417250Z`)
  ],
  ['moments-to-the-tenth', (moment) => moment.replace(/(\.\d)\d*Z/, '$1Z')],
  ['moments-with-an-offset', (moment) => moment.replace('Z', '+00:00')],
  [
    'moments-to-the-microsecond-with-an-offset',
    (moment) => moment.replace(/(\.\d+)?Z/, (_, f = '.000') => `${f}417+00:00`)
  ]
]

/** The text with all ids of objects in upper case. */
const upper = (value: unknown) =>
  JSON.stringify(value).replace(
    /"(id|[a-z]+_id)":"([0-9a-f]{32})"/g,
    (_, name, id) => `"${name}":"${id.toUpperCase()}"`
  )

const isPolicy = ({ target }: Asked) => /\/page_shield\/policies/.test(target)
const isChange = ({ method }: Asked) => method === 'PUT' || method === 'DELETE'

/** What a list shows where the API's own records have the flag as it was sent. */
const flags = (write: (flag: unknown) => unknown): Way =>
  answering((value, asked) => {
    if (!isPolicy(asked) || !value.success) return value
    const one = (policy: any) =>
      'enabled' in policy ? { ...policy, enabled: write(policy.enabled) } : policy
    const { result } = value
    return { ...value, result: Array.isArray(result) ? result.map(one) : one(result) }
  })

/** Platforms whose management API is another. */
export const managementVariants: readonly Variant[] = [
  ...statuses.map(([name, status]) => unlike(name, statusAllowed, withStatus(status))),
  unlike(
    'strangers-are-404',
    statusAllowed,
    withStatus((status) => (status === 401 || status === 403 ? 404 : status))
  ),
  unlike(
    'strangers-are-403-and-forbidden-are-401',
    statusAllowed,
    withStatus((status) => ({ 401: 403, 403: 401 })[status] ?? status)
  ),
  unlike(
    'unknown-is-403',
    statusAllowed,
    withStatus((status) => (status === 404 ? 403 : status))
  ),
  unlike(
    'failures-by-other-numbers',
    statusAllowed,
    withStatus((status) => ({ 401: 403, 403: 401, 404: 400, 405: 404 })[status] ?? status)
  ),
  unlike(
    'created-is-201',
    'which status a success has is not shown',
    withStatus((status, { method }) => (status === 200 && method === 'POST' ? 201 : status))
  ),
  unlike(
    'changes-are-202',
    'which status a success has is not shown',
    withStatus((status, { method }) => (status === 200 && method !== 'GET' ? 202 : status))
  ),
  unlike(
    'errors-are-empty',
    shapeAllowed,
    refused((value) => ({ ...value, errors: [{}] }))
  ),
  unlike(
    'errors-are-problems',
    shapeAllowed,
    refused((value) => ({
      ...value,
      errors: value.errors.map(({ message }) => ({
        type: 'about:blank',
        title: message,
        pointer: '/'
      }))
    }))
  ),
  unlike(
    'errors-with-stacks',
    shapeAllowed,
    refused((value) => ({
      ...value,
      errors: value.errors.map(({ code, message }) => ({
        ...{ code: `${code}`, message: `Failure: ${message}\n    at serve (/srv/api.js:7:31)` },
        error_chain: [{ code: 1, message: '<h1>Oh</h1>\u0000' }]
      }))
    }))
  ),
  unlike(
    'many-errors',
    'how many errors there are is not said',
    refused((value) => ({
      ...value,
      errors: Array.from({ length: 12 }, (_, code) => ({ code: `E${code}`, message: 'Non.' }))
    }))
  ),
  unlike(
    'failures-without-result',
    'what result is of a failure is not said',
    refused(({ result: _, ...value }) => value)
  ),
  unlike(
    'failures-with-empty-result',
    'what result is of a failure is not said',
    refused((value) => ({ ...value, result: {} }))
  ),
  unlike(
    'with-messages',
    'messages are empty in the shown cases; there may be others',
    answering((value) => ({ ...value, messages: [{ code: 1, message: 'Soon to be ended' }, 'Hi'] }))
  ),
  unlike(
    'changes-answered-with-nothing',
    'the bodies of an update and a deletion are not shown',
    answering((value, asked) =>
      isPolicy(asked) && isChange(asked) && value.success ? { ...value, result: {} } : value
    ),
    ['policies', 'envelope']
  ),
  unlike(
    'changes-answered-with-204',
    'the bodies of an update and a deletion are not shown',
    {
      isBare: ({ asked, head }) => isPolicy(asked) && isChange(asked) && head.status === 200
    },
    ['policies', 'envelope', 'authentication']
  ),
  unlike(
    'list-of-policies-in-pages',
    'the body of the list of policies is not shown beyond that it is an array',
    answering((value, asked) =>
      Array.isArray(value.result) && isPolicy(asked)
        ? {
            ...value,
            result_info: {
              page: 1,
              per_page: 50,
              count: value.result.length,
              total_count: value.result.length,
              total_pages: 1
            }
          }
        : value
    ),
    ['policies', 'envelope']
  ),
  unlike(
    'flags-as-booleans',
    'enabled of a policy is boolean-valued; a string in the shown case',
    flags((flag) => `${flag}` === 'true'),
    ['policies']
  ),
  unlike(
    'flags-as-texts',
    'enabled of a policy is boolean-valued; a string in the shown case',
    flags((flag) => `${flag}`),
    ['policies']
  ),
  unlike(
    'settings-of-the-services-name',
    'the name carries the service’s own name in the live interface',
    answering((value) =>
      value.result && 'use_service_reporting_endpoint' in value.result
        ? {
            ...value,
            result: {
              ...value.result,
              use_service_reporting_endpoint: undefined,
              use_acme_reporting_endpoint: value.result.use_service_reporting_endpoint
            }
          }
        : value
    ),
    ['settings', 'envelope/result']
  ),
  ...written.map(
    ([name, write]): Variant =>
      unlike(name, momentAllowed, { json: moments(write) }, [...timed, 'waf/update'])
  ),
  unlike(
    'ids-in-upper-case',
    'ids are hexadecimal strings; of which case is not said',
    {
      json: upper
    },
    [...api, 'log-push/create']
  ),
  {
    name: 'long-zone-ids',
    allowed: 'a zone id is a hexadecimal string, of no said length',
    areas: [...form, 'addressing', 'authentication', 'versioning', 'waf/check'],
    rules: { kernel: { zoneId: (name: string) => idOf(name).repeat(2) } }
  },
  {
    name: 'short-zone-ids',
    allowed: 'a zone id is a hexadecimal string, of no said length',
    areas: [...form, 'addressing', 'authentication', 'versioning', 'waf/check'],
    rules: { kernel: { zoneId: (name: string) => idOf(name).slice(0, 9) } }
  },
  {
    name: 'zone-ids-of-digits',
    allowed: 'a zone id is a hexadecimal string, which may be one of decimal digits',
    areas: [...form, 'addressing', 'authentication', 'versioning', 'waf/check'],
    rules: { kernel: { zoneId: (name: string) => BigInt(`0x${idOf(name)}`).toString() } }
  },
  unlike('slow-by-a-quarter', 'how fast answers come is not said', { delayMs: () => 250 }, [
    ...['settings', 'lists/page', 'policies/by-chance', 'log-push/create', 'log-push/filter-form'],
    ...['waf/update', 'waf/completion-pro', 'waf/mapping-sensitivity', 'waf/irreversible']
  ]),
  {
    name: 'clock-minutes-ahead',
    allowed: 'no clock is said to agree with another',
    areas: ['settings', 'detections', 'log-push/output-options', 'scripts/fields', 'waf/update'],
    aheadMs: 300_000
  },
  {
    name: 'clock-seconds-ahead',
    allowed: 'no clock is said to agree with another',
    areas: ['settings', 'detections', 'log-push/output-options', 'scripts/fields', 'waf/update'],
    aheadMs: 7_000
  }
]
