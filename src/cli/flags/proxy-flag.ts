import type { Argv } from 'yargs'
import { Failure } from '../failure.ts'

/** The flag that names a proxy. */
export type ProxyFlag = { proxy?: string }

const describe =
  'HTTP proxy to go through, by CONNECT, with --transport undici; those of the environment are ' +
  'ignored'

/** Adds the flag that names a proxy. */
export function proxyFlag<Given>(yargs: Argv<Given>): Argv<Given & ProxyFlag> {
  return yargs.option('proxy', { type: 'string', requiresArg: true, describe }) as never
}

/** Adds the same to a command that cannot, and says so. */
export function noProxyFlag<Given>(yargs: Argv<Given>, command: string): Argv<Given> {
  return yargs.option('proxy', {
    hidden: true,
    coerce(given?: string) {
      if (given === undefined) return
      throw new Failure(
        `--proxy is not for ${command}: it counts bytes and watches how connections end, which ` +
          'says of a target nothing where they are those of a proxy'
      )
    }
  })
}

/** The URL of the proxy that is named, and what is shown to it; undefined where there is none. */
export function proxyUrl(
  flags: ProxyFlag & { transport: string; fleet?: string }
): { url: string; authorization?: string } | undefined {
  const { proxy, transport, fleet } = flags
  if (proxy === undefined) return
  if (transport !== 'undici')
    throw new Failure(`--proxy is not for ${transport}: use --transport undici`)
  if (fleet !== undefined) throw new Failure('--proxy is of this machine: leave out --fleet')
  const url = URL.parse(proxy)
  if (url?.protocol !== 'http:' || !/^[^:]+:\/\/[^/]/.test(proxy))
    throw new Failure(`--proxy ${toldProxy(proxy)} is no http: URL`)
  const { host, username, password } = url
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`
  return { url: `http://${host}/`, ...(user !== ':' && { authorization }) }
}

/** A proxy's URL without who it is asked by. */
const toldProxy = (url: string) => url.replace(/\/\/[^/]*@/, '//…@')
