import * as v from 'valibot'

/** Hexadecimal digits, as many as one likes. */
export const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/, 'must be hexadecimal'))
/** A content hash: 64 hexadecimal digits. */
export const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'))
/** An absolute URL. */
export const url = v.pipe(v.string(), v.url('must be a URL'))
/** A time by RFC 3339, in UTC. */
export const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, 'must be an RFC 3339 time in UTC')
)
const text = v.string()
const texts = v.array(text)
const whole = v.pipe(v.number(), v.integer('must be an integer'))
const yesOrNo = v.boolean()

const seen = { first_seen_at: time, last_seen_at: time, host: text }

const resource = {
  id: hex,
  url,
  added_at: time,
  ...seen,
  domain_reported_malicious: yesOrNo,
  url_reported_malicious: yesOrNo,
  malicious_domain_categories: v.optional(texts),
  malicious_url_categories: v.optional(texts),
  first_page_url: url,
  status: text,
  url_contains_cdn_cgi_path: yesOrNo
}

/** The fields of a detected script, in the document's names. */
const script = {
  ...resource,
  hash,
  js_integrity_score: whole,
  obfuscation_score: whole,
  dataflow_score: whole,
  fetched_at: time,
  page_urls: v.array(url),
  versions: v.array(v.strictObject({ hash, js_integrity_score: whole, fetched_at: time }))
}

/** The fields of a detected cookie, and the status that decides whether a list shows it. */
const cookie = {
  id: hex,
  type: text,
  name: text,
  ...seen,
  domain_attribute: text,
  expires_attribute: time,
  http_only_attribute: yesOrNo,
  max_age_attribute: v.nullable(whole),
  path_attribute: text,
  same_site_attribute: text,
  secure_attribute: yesOrNo,
  first_page_url: text,
  page_urls: texts,
  status: text
}

const scriptSchema = v.strictObject(script)
const connectionSchema = v.strictObject(resource)
const cookieSchema = v.strictObject(cookie)

/** A detected script. */
export type Script = v.InferOutput<typeof scriptSchema>
/** A detected connection. */
export type Connection = v.InferOutput<typeof connectionSchema>
/** A detected cookie. */
export type Cookie = v.InferOutput<typeof cookieSchema>
/** What page protection can detect. */
export type Detection = Script | Connection | Cookie
/** Any of the fields of a detection; the others are left to be filled in. */
export type Given = Partial<Script & Cookie>

/** A kind of detection: its name in clauses, in paths, and the fields each read leaves out. */
export type Kind = {
  name: 'script' | 'connection' | 'cookie'
  path: 'scripts' | 'connections' | 'cookies'
  /** What each field has to be. */
  fields: Readonly<Record<string, v.GenericSchema>>
  given: v.GenericSchema<unknown, Given>
  /** Fields only the single read shows. */
  single: readonly string[]
  /** Fields no read shows. */
  hidden: readonly string[]
}

/** The kinds of detection there are. A cookie has no status to show, yet is listed by it. */
export const kinds: readonly Kind[] = [
  {
    name: 'script',
    path: 'scripts',
    fields: script,
    given: v.partial(scriptSchema),
    single: ['page_urls', 'versions'],
    hidden: []
  },
  {
    name: 'connection',
    path: 'connections',
    fields: resource,
    given: v.partial(connectionSchema),
    single: [],
    hidden: []
  },
  {
    name: 'cookie',
    path: 'cookies',
    fields: cookie,
    given: v.partial(cookieSchema),
    single: ['page_urls'],
    hidden: ['status']
  }
]
