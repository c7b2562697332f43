import { dashed, mistyped } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { hash, hex, type Kind, kinds, time, url } from '../detection.ts'
import { listDetections, readDetection } from '../detection-table.ts'
import type { PageProtectionRules } from '../rules.ts'
import { defective, instead, misreported, missing, spoiled, unavailable } from './operation.ts'
import { strayMutants } from './stray.ts'

type Spoiling = { name: string; words: string; spoil: (value: any) => unknown }

/** What else than its type can be wrong with a field, by what the field has to be. */
const spoilings = new Map<unknown, Spoiling>([
  [hex, { name: 'not-hex', words: 'is not hexadecimal', spoil: (value) => `id-${value}` }],
  [hash, { name: 'too-short', words: 'has 63 digits', spoil: (value) => value.slice(1) }],
  [url, { name: 'not-a-url', words: 'has no scheme', spoil: (value) => value.split('//')[1] }],
  [
    time,
    { name: 'not-a-time', words: 'is not RFC 3339', spoil: (value) => new Date(value).toString() }
  ]
])

const readsOf = ({ name }: Kind) => [`page-protection.${name}.list`, `page-protection.${name}.get`]

function fieldMutants(kind: Kind): Mutant<PageProtectionRules>[] {
  const shown = Object.entries(kind.fields).filter(([field]) => !kind.hidden.includes(field))
  return shown.flatMap(([field, schema]) => {
    const clause = `page-protection.${kind.name}.field.${dashed(field)}`
    const wrong = schema.type === 'string' ? 'a number' : 'a string'
    const mistake = { name: 'wrong-type', words: `is ${wrong}`, spoil: mistyped }
    const mistakes = [mistake, spoilings.get(schema) ?? []].flat()
    return mistakes.map(({ name, words, spoil }) => ({
      name: `${kind.name}-${dashed(field)}-${name}`,
      clause,
      description: `A ${kind.name}'s ${field} ${words}.`,
      change: spoiled(readsOf(kind), field, spoil)
    }))
  })
}

/** Values of the right type that are not true: what each shows instead, by kind and field. */
const untrue: [kind: number, field: string, shown: (value: any) => unknown][] = [
  [0, 'last_seen_at', () => '2024-01-08T09:30:00.125Z'],
  [0, 'host', (host) => `www.${host}`],
  [0, 'malicious_domain_categories', (all) => all.slice(0, 1)],
  [0, 'obfuscation_score', () => 95],
  [0, 'hash', () => 'a'.repeat(64)],
  [0, 'page_urls', (all) => all.slice(0, 1)],
  [0, 'versions', (all) => all.slice(0, 1)],
  [1, 'url_reported_malicious', () => false],
  [1, 'url_contains_cdn_cgi_path', () => false],
  [1, 'first_page_url', (url) => new URL('/', url).href],
  [2, 'same_site_attribute', () => 'strict'],
  [2, 'max_age_attribute', (age) => age || null],
  [2, 'http_only_attribute', () => true],
  [2, 'path_attribute', () => '/'],
  [2, 'type', () => 'first_party']
]

const untrueMutants = untrue.map(([index, field, shown]): Mutant<PageProtectionRules> => {
  const kind = kinds[index]!
  return {
    name: `${kind.name}-${dashed(field)}-untrue`,
    clause: `page-protection.${kind.name}.field.${dashed(field)}`,
    // The hash is that of the version that is shown.
    ...(field === 'hash' && { besides: ['page-protection.script.field.versions'] }),
    description: `A ${kind.name}'s ${field} has the right type, and not what is true of it.`,
    change: spoiled(readsOf(kind), field, shown)
  }
})

/** What browsers met again is shown as it was seen for the first time. */
function staleMutant(kind: Kind): Mutant<PageProtectionRules> {
  return {
    name: `${kind.name}-last-seen-at-stays`,
    clause: `page-protection.${kind.name}.field.last-seen-at`,
    description: `The last_seen_at of a ${kind.name} that is met again stays what it was.`,
    change: instead(readsOf(kind), (call, run) => {
      const { result, ...rest } = run(call)
      const stale = (one: Record<string, unknown>) =>
        one.host === call.zone.host ? { ...one, last_seen_at: one.first_seen_at } : one
      return { ...rest, result: Array.isArray(result) ? result.map(stale) : stale(result as never) }
    })
  }
}

/** What browsers meet is shown as seen when the first of its kind was. */
function firstMutant(kind: Kind): Mutant<PageProtectionRules> {
  return {
    name: `${kind.name}-first-seen-at-of-the-first`,
    clause: `page-protection.${kind.name}.field.first-seen-at`,
    description: `The first_seen_at of a ${kind.name} is that of the zone's first ${kind.name}.`,
    change: instead(readsOf(kind), (call, run) => {
      const filter = { zone: call.zone.id, kind: kind.name, status: [], hosts: [call.zone.host] }
      const { records } = listDetections(call.store, filter, { page: 1, perPage: 1 })
      const { result, ...rest } = run(call)
      const alike = (one: Record<string, unknown>) =>
        one.host === call.zone.host ? { ...one, first_seen_at: records[0]?.first_seen_at } : one
      return { ...rest, result: Array.isArray(result) ? result.map(alike) : alike(result as never) }
    })
  }
}

function operationMutants(kind: Kind): Mutant<PageProtectionRules>[] {
  const [list, get] = readsOf(kind) as [string, string]
  return [
    ...strayMutants(kind),
    {
      name: `${kind.name}-list-unavailable`,
      clause: list,
      description: `Listing ${kind.path} is answered with 404.`,
      change: unavailable(list)
    },
    {
      name: `${kind.name}-list-is-a-defect`,
      clause: list,
      description: `Listing ${kind.path} is answered with 500, and all else is served.`,
      change: defective(list)
    },
    {
      name: `${kind.name}-list-as-object`,
      clause: list,
      description: `The list of ${kind.path} is an object with the list in it.`,
      change: instead([list], (call, run) => {
        const { result, info } = run(call)
        return { result: { [kind.path]: result }, info }
      })
    },
    {
      name: `${kind.name}-list-without-result-info`,
      clause: list,
      description: `The list of ${kind.path} has no result_info.`,
      change: instead([list], (call, run) => ({ result: run(call).result }))
    },
    {
      name: `${kind.name}-get-unavailable`,
      clause: get,
      description: `Reading a ${kind.name} is answered with 404.`,
      change: unavailable(get)
    },
    {
      name: `${kind.name}-get-as-list`,
      clause: get,
      description: `Reading a ${kind.name} returns an array with it.`,
      change: instead([get], (call, run) => ({ result: [run(call).result] }))
    }
  ]
}

function categoryMutants(kind: Kind): Mutant<PageProtectionRules>[] {
  return ['malicious_domain_categories', 'malicious_url_categories']
    .filter((field) => field in kind.fields)
    .map((field) => ({
      name: `${kind.name}-${dashed(field)}-missing`,
      clause: `page-protection.${kind.name}.field.${dashed(field)}`,
      description: `A ${kind.name} that is reported malicious has no ${field}.`,
      change: missing(readsOf(kind), field)
    }))
}

const script = kinds.find(({ name }) => name === 'script')!
const [scriptList, scriptGet] = readsOf(script) as [string, string]

const scriptMutants: Mutant<PageProtectionRules>[] = [
  {
    name: 'script-hash-of-its-text',
    clause: 'page-protection.script.field.hash',
    // Content that has the hash of the last is no version.
    besides: ['page-protection.script.field.versions'],
    description: 'The hash of a script is that of what UTF-8 makes of its bytes.',
    change: { hashed: (content) => content.toString('utf8') }
  },
  {
    name: 'script-classified-by-a-field',
    clause: 'page-protection.script.classification-not-a-field',
    description: 'A script has a field malicious.',
    change: misreported(readsOf(script), (fields) => ({
      ...fields,
      malicious: Number(fields.js_integrity_score) < 50
    }))
  },
  {
    name: 'script-cdn-cgi-anywhere',
    clause: 'page-protection.script.field.url-contains-cdn-cgi-path',
    description: 'A script is said to have the path cdn-cgi if its URL has these letters anywhere.',
    change: misreported(readsOf(script), (fields) => ({
      ...fields,
      url_contains_cdn_cgi_path: String(fields.url).includes('cdn-cgi')
    }))
  },
  {
    name: 'script-score-upside-down',
    clause: 'page-protection.script.malicious-threshold',
    description: 'The js_integrity_score is counted from 100 down, so that higher is worse.',
    change: spoiled(readsOf(script), 'js_integrity_score', (score) => 100 - Number(score))
  },
  {
    name: 'script-categories-swapped',
    clause: 'page-protection.script.categories-separate',
    description:
      'The categories of a domain are given as those of the URL, and the other way round.',
    change: misreported(readsOf(script), (fields) => {
      const { malicious_domain_categories, malicious_url_categories, ...rest } = fields
      return {
        ...rest,
        malicious_domain_categories: malicious_url_categories,
        malicious_url_categories: malicious_domain_categories
      }
    })
  },
  {
    name: 'script-scores-null-on-lesser-plans',
    clause: 'page-protection.script.fields-may-be-absent-by-plan',
    description: 'On every plan but Enterprise the scores of a script are null instead of absent.',
    change: instead(readsOf(script), (call, run) => {
      const { result, ...rest } = run(call)
      if (call.zone.plan === 'enterprise') return { result, ...rest }
      const veiled = (fields: object) => ({ ...fields, js_integrity_score: null })
      return { ...rest, result: Array.isArray(result) ? result.map(veiled) : veiled(result) }
    })
  },
  {
    name: 'script-list-shows-every-field',
    clause: 'page-protection.script.page-urls-versions-not-in-list',
    description: 'The items of the list have page_urls and versions.',
    change: instead([scriptList], (call, run) => {
      const { result, info } = run(call)
      const whole = ({ id }: { id: string }) =>
        readDetection(call.store, { zone: call.zone.id, kind: 'script', id })
      return { result: (result as { id: string }[]).map(whole), info }
    })
  },
  {
    name: 'script-get-without-page-urls',
    clause: scriptGet,
    description: 'Reading a script does not return its page_urls.',
    change: missing([scriptGet], 'page_urls')
  },
  {
    name: 'script-get-without-versions',
    clause: scriptGet,
    description: 'Reading a script does not return its versions.',
    change: missing([scriptGet], 'versions')
  },
  {
    name: 'script-versions-without-hash',
    clause: 'page-protection.script.field.versions',
    description: 'The versions of a script have no hash.',
    change: spoiled([scriptGet], 'versions', (versions) =>
      (versions as object[]).map((version) => ({ ...version, hash: undefined }))
    )
  }
]

const statusMutants: Mutant<PageProtectionRules>[] = [
  {
    name: 'detection-infrequent-read-as-active',
    clause: 'page-protection.detection.states-shown',
    description: 'Reading an infrequent script or connection says that it is active.',
    change: spoiled(
      ['page-protection.script.get', 'page-protection.connection.get'],
      'status',
      (status) => (status === 'infrequent' ? 'active' : status)
    )
  }
]

/** What can be wrong with detections: their fields, and the operations that read them. */
export const detectionMutants: readonly Mutant<PageProtectionRules>[] = [
  ...untrueMutants,
  {
    name: 'nothing-reported-is-detected',
    clause: 'page-protection.detection.detected',
    description: 'Reports of browsers are taken, and nothing is detected by them.',
    change: { limits: { reportedDetections: 0 } }
  },
  {
    name: 'pages-not-watched',
    clause: 'page-protection.detection.detected',
    description: 'Pages are served as they are, also where the feature is on.',
    change: { isWatched: () => false }
  },
  {
    name: 'detected-with-protection-off',
    clause: 'page-protection.detection.detected',
    description: 'What pages load is detected, also where the feature is off.',
    change: { isWatched: () => true }
  },
  ...kinds.flatMap((kind) => [
    ...fieldMutants(kind),
    ...categoryMutants(kind),
    staleMutant(kind),
    firstMutant(kind),
    ...operationMutants(kind)
  ]),
  ...scriptMutants,
  ...statusMutants
]
