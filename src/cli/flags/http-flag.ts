import type { Argv } from 'yargs'
import { Failure } from '../failure.ts'

const describe = 'Version of HTTP: 2 by ALPN over TLS, at once (h2c) without; -p is its streams'

/** What sends each version; the first where nobody says. */
const speakers: Record<string, readonly string[]> = {
  '1.1': ['http1', 'wire', 'uring', 'undici', 'autocannon'],
  '2': ['http2']
}

/** Adds the flag that names a version of HTTP, and so what sends it where nobody says. */
export function httpFlag<Given>(yargs: Argv<Given>): Argv<Given> {
  return yargs
    .option('http', { type: 'string', requiresArg: true, choices: ['1.1', '2'], describe })
    .middleware((flags: { http?: string; transport?: string; engine?: string }) => {
      const { http = '1.1', transport } = flags
      if (transport === undefined) {
        const [usual] = speakers[http]!
        flags.transport = usual
        flags.engine = usual
      } else if (flags.http !== undefined && !speakers[http]!.includes(transport))
        throw new Failure(
          `--http ${http} is not what --transport ${transport} sends: leave out one`
        )
    })
}
