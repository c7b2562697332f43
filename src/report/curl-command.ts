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
  const verb = method === 'GET' ? [] : ['-X', method]
  const bare = method === 'HEAD' ? ['-I'] : verb
  if (bodyBytes <= 0) return shellWords(['curl', '-i', ...literal, ...bare, url])
  // With -I curl sends no body, and by -X it waits for one of the answer until that is closed.
  const alone = method === 'HEAD' ? ['--ignore-content-length', '-H', 'Connection: close'] : []
  const sent = shellWords(['curl', '-i', ...literal, ...verb, ...alone, '--data-binary', '@-', url])
  return `head -c ${Math.round(bodyBytes)} /dev/zero | ${sent}`
}
