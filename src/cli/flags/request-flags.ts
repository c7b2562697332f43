import type { Argv } from 'yargs'
import type { Request } from '../../load/requests/request.ts'
import { Failure } from '../failure.ts'
import { givenBytes } from '../given-file.ts'
import { basicAuth } from './curl.ts'
import { insistOnWebUrl } from './web-url.ts'

/** Flags that describe one request. */
export type RequestFlags = {
  method?: string
  header: string[]
  body?: string
  cookie?: string[]
  user?: string
}

/** The flag for headers of a request. */
export const headerFlag = {
  alias: 'H',
  type: 'string',
  array: true,
  default: [],
  describe: 'A header, as "name: value"; may be repeated'
} as const

/** Adds the flags that describe a request. */
export function requestFlags<Given>(yargs: Argv<Given>): Argv<Given & RequestFlags> {
  return yargs
    .option('method', {
      ...{ alias: 'm', type: 'string', defaultDescription: '"GET"', describe: 'HTTP method' }
    })
    .option('header', headerFlag)
    .option('body', {
      ...{ alias: 'b', type: 'string' },
      describe: 'Request body; @FILE is what a file holds, @- what comes in on stdin'
    })
    .option('cookie', {
      ...{ type: 'string', array: true, default: [] },
      describe: 'A cookie, as "name=value"; may be repeated'
    })
    .option('user', {
      type: 'string',
      describe: 'Basic authentication, as "name:password"'
    }) as never
}

/** What `@FILE` holds, or stdin for `@-`; other text is itself. Names the flag where it fails. */
export function textOf(flag: string, given: string): string | Buffer {
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  return givenBytes(`--${flag} ${given}`, file === '-' ? 0 : file)
}

/** The lines that `--cookie` and `--user` stand for. */
function credentialsOf({ cookie = [], user }: RequestFlags): string[] {
  const wrong = cookie.find((one) => !/^[^=;\s]+=[^\r\n]*$/.test(one))
  if (wrong !== undefined) throw new Failure(`--cookie "${wrong}" is not of the form "name=value"`)
  if (user !== undefined && !user.includes(':'))
    throw new Failure('--user is not of the form "name:password"')
  return [
    ...(cookie.length > 0 ? [`cookie: ${cookie.join('; ')}`] : []),
    ...(user === undefined ? [] : [basicAuth(user)])
  ]
}

/** The request that flags describe. */
export function requestOf(url: string, flags: RequestFlags): Request {
  insistOnWebUrl(url)
  const headers: Record<string, string[]> = {}
  for (const line of [...flags.header, ...credentialsOf(flags)]) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined) throw new Failure(`--header "${line}" is not of the form "name: value"`)
    headers[name] = [...(headers[name] ?? []), value!]
  }
  const { method = 'GET', body } = flags
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(method))
    throw new Failure(`--method "${method}" is no method such as GET or POST`)
  return { url, method, headers, body: body === undefined ? body : textOf('body', body) }
}
