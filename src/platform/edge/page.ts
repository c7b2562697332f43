import { STATUS_CODES } from 'node:http'
import type { Answer } from '../kernel/http/answer.ts'

/** The page a visitor sees instead of the origin's answer. */
export function page(status: number, because: string): Answer {
  const title = `${status} ${STATUS_CODES[status]}`
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><title>${title}</title><h1>${title}</h1><p>${because}</p>\n`
  }
}
