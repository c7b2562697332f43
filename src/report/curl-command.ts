import type { Exchange } from '../client/reply.ts'
import { shellWords } from './repeat.ts'

/** The longest URL that is worth a command. */
const mostCharacters = 2_000

/**
 * The request of an exchange as curl sends it, with a body of as many bytes; its headers and what
 * stood in its body are not kept. Undefined where its URL was cut, or is none.
 */
export function curlCommand({ request }: Pick<Exchange, 'request'>): string | undefined {
  const { method, url, bodyBytes } = request
  const isWhole = /^https?:\/\/[^\s…]+$/.test(url) && url.length <= mostCharacters
  if (!isWhole || !/^[A-Z]+$/.test(method) || !URL.canParse(url)) return undefined
  // Brackets and braces would be ranges and lists, and so other requests than this one.
  const literal = /[[\]{}]/.test(url) ? ['-g'] : []
  const verb = method === 'HEAD' ? ['-I'] : method === 'GET' ? [] : ['-X', method]
  if (bodyBytes <= 0) return shellWords(['curl', '-i', ...literal, ...verb, url])
  // With -I curl takes no body, and without it waits for the body that the head announces.
  const way = method === 'HEAD' ? ['-X', method, '-m', '10'] : verb
  const sent = shellWords(['curl', '-i', ...literal, ...way, '--data-binary', '@-', url])
  return `head -c ${Math.round(bodyBytes)} /dev/zero | ${sent}`
}
