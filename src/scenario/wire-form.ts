import type { Client } from '../client/client.ts'
import type { Reply } from '../client/reply.ts'
import type { RequestParts } from './place.ts'

const encoded = (value: unknown) => encodeURIComponent(textOf(value))

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** By name of a parameter in a query, what stands between the items of its list. */
export type Separators = Readonly<Record<string, string>>

/** Pairs of a query or a form: a list is its name once for each item, or once with all of them. */
function pairs(values: Record<string, unknown>, separators: Separators = {}): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
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

/** A body as it is sent, and what it says that it is. */
function bodyOf(body: unknown, contentType: string): { body?: string; type?: string } {
  if (body === undefined) return {}
  const type = contentType
  if (type === 'application/x-www-form-urlencoded') {
    return { body: pairs(body as Record<string, unknown>), type }
  }
  if (/[/+]json\b/.test(type)) return { body: JSON.stringify(body), type }
  return { body: textOf(body), type }
}

/** Sends a request of such parts. */
export function sendParts(
  client: Client,
  {
    method,
    path,
    contentType = 'application/json',
    separators
  }: Record<'method' | 'path', string> & { contentType?: string; separators?: Separators },
  parts: RequestParts
): Promise<Reply> {
  const query = pairs(parts.query, separators)
  const { body, type } = bodyOf(parts.body, contentType)
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
