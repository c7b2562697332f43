import type { Client } from '../client/client.ts'
import type { Reply } from '../client/reply.ts'
import type { RequestParts } from './place.ts'

const encoded = (value: unknown) => encodeURIComponent(textOf(value))

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** By name of a parameter in a query, what stands between the items of its list. */
export type Separators = Readonly<Record<string, string>>

/** How the parts of a request are written. */
export type Writing = {
  method: string
  path: string
  contentType?: string
  separators?: Separators
  /** Parameters of the query whose fields come one by one: `filter[name]=x`. */
  deep?: readonly string[]
  /** Fields of a form in parts that are files, each with its content type. */
  files?: Readonly<Record<string, string>>
}

/** Pairs of a query or a form: a list is its name once for each item, or once with all of them. */
function pairs(
  values: Record<string, unknown>,
  { separators = {}, deep = [] }: Pick<Writing, 'separators' | 'deep'> = {}
): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      if (deep.includes(name) && value !== null && typeof value === 'object') {
        const fields = Object.entries(value)
        return fields.map(([field, one]) => `${encoded(`${name}[${field}]`)}=${encoded(one)}`)
      }
      if (Array.isArray(value) && Object.hasOwn(separators, name)) {
        // A comma stands there as it is; what else separates is encoded as browsers do it.
        const between = separators[name] === ',' ? ',' : encodeURIComponent(separators[name]!)
        return `${encoded(name)}=${value.map(encoded).join(between)}`
      }
      return [value].flat().map((one) => `${encoded(name)}=${encoded(one)}`)
    })
    .join('&')
}

/** The same in a path or a header, separated by commas. */
const listed = (value: unknown, write = textOf) =>
  Array.isArray(value) ? value.map(write).join(',') : write(value)

/** The path with its parameters, `/pets/{petId}`, as a request line takes it. */
export function filledPath(path: string, values: Record<string, unknown>): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => listed(values[name], encoded))
  return filled.replaceAll(/[^!-~]/gu, encodeURIComponent)
}

/** The parts of a form, one for each value: of a list one for each of its items. */
function partsOf(form: object, files: NonNullable<Writing['files']>, boundary: string): string {
  const parts = Object.entries(form).flatMap(([name, value]) => {
    const quoted = `"${name.replaceAll('"', '%22').replaceAll(/\r|\n/g, ' ')}"`
    const isFile = Object.hasOwn(files, name)
    return [value].flat().map((one) => {
      const isJson = one !== null && typeof one === 'object'
      const type = isFile ? files[name]! : isJson ? 'application/json' : undefined
      const file = isFile ? '; filename="plimsoll"' : ''
      const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
      const head = `Content-Disposition: form-data; name=${quoted}${file}\r\n${kind}`
      return `--${boundary}\r\n${head}\r\n${textOf(one)}\r\n`
    })
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

/** A body as it is sent, and what it says that it is. */
function bodyOf(
  body: unknown,
  contentType: string,
  { files = {} }: Pick<Writing, 'files'>
): { body?: string; type?: string } {
  if (body === undefined) return {}
  const type = contentType
  if (type.startsWith('multipart/form-data') && body !== null && typeof body === 'object') {
    // A text that has it would end its part.
    let boundary = 'plimsoll'
    while (JSON.stringify(body).includes(boundary)) boundary += '-'
    return {
      body: partsOf(body, files, boundary),
      type: `multipart/form-data; boundary=${boundary}`
    }
  }
  if (type === 'application/x-www-form-urlencoded') {
    return { body: pairs(body as Record<string, unknown>), type }
  }
  if (/[/+]json\b/.test(type)) return { body: JSON.stringify(body), type }
  return { body: textOf(body), type }
}

/** Sends a request of such parts. */
export function sendParts(
  client: Client,
  { method, path, contentType = 'application/json', ...writing }: Writing,
  parts: RequestParts
): Promise<Reply> {
  const query = pairs(parts.query, writing)
  const { body, type } = bodyOf(parts.body, contentType, writing)
  const cookies = Object.entries(parts.cookie).map(([name, value]) => `${name}=${listed(value)}`)
  const own = Object.entries(parts.header).map(([name, value]) => [
    name.toLowerCase(),
    listed(value)
  ])
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...Object.fromEntries(own)
  }
  const mark = path.includes('?') ? '&' : '?'
  const place = `${filledPath(path, parts.path)}${query === '' ? '' : `${mark}${query}`}`
  return client.ask(method, place, { headers, ...(body !== undefined && { body }) })
}
