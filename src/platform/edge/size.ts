import type { Zone } from '../kernel/zone.ts'
import type { EdgeLimits } from './limits.ts'
import type { EdgeRequest } from './request.ts'

/** What of a request's head can be too large. */
export type HeadPart = 'url' | 'header' | 'headers'

const limitedMethods = ['POST', 'PUT', 'PATCH']

/** Bytes of a header: its name and its value, without what stands between and behind them. */
export function headerBytes([name, value]: [name: string, value: string]): number {
  return name.length + value.length
}

/** Bytes of all headers of a request together. */
export function headersBytes(headers: EdgeRequest['headers']): number {
  return headers.reduce((bytes, header) => bytes + headerBytes(header), 0)
}

/** The first part of a request's head that is over its limit, if one is. */
export function oversize(
  { target, headers }: EdgeRequest,
  limits: EdgeLimits
): HeadPart | undefined {
  if (target.length > limits.urlBytes) return 'url'
  if (headers.some((header) => headerBytes(header) > limits.headerBytes)) return 'header'
  if (headersBytes(headers) > limits.headersBytes) return 'headers'
  return undefined
}

/** How large this request's body may be, in bytes; the document limits POST, PUT and PATCH. */
export function bodyLimit({ method }: EdgeRequest, zone: Zone, limits: EdgeLimits): number {
  return limitedMethods.includes(method) ? limits.bodyBytes[zone.plan] : Infinity
}
