import type { EdgeRequest } from '../edge/request.ts'
import { type Header, type Served, valuesOf } from '../edge/served.ts'
import type { ErrorCode, FunctionRules } from './rules.ts'

/** What a visitor is shown instead of a function's answer: HTML for browsers, else one line. */
export function errorPage(
  code: ErrorCode,
  { request, rules, waitMs }: { request: EdgeRequest; rules: FunctionRules; waitMs?: number }
): Served {
  const { status, because } = rules.errors[code]
  const shown = rules.shownCode(code)
  const isBrowser = valuesOf(request.headers, 'accept').some((types) => /text\/html/i.test(types))
  const title = `Error ${shown}`
  const html = `<!doctype html><title>${title}</title><h1>${title}</h1><p>${because}</p>\n`
  const body = isBrowser ? html : `error code: ${shown}\n`
  const retry: Header[] = waitMs ? [['Retry-After', String(Math.ceil(waitMs / 1_000))]] : []
  return {
    status,
    headers: [
      ['Content-Type', isBrowser ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Cache-Control', 'no-store'],
      ...retry
    ],
    body
  }
}
