import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { Argv } from 'yargs'
import type { TlsProof } from '../../route.ts'
import { Failure } from '../failure.ts'
import { givenBytes } from '../given-file.ts'

/** Flags that say by what a target is known over TLS, and what is shown to it. */
export type TlsFlags = { cacert?: string; cert?: string; key?: string; servername?: string }

/** Adds the flags of TLS. */
export function tlsFlags<Given>(yargs: Argv<Given>): Argv<Given & TlsFlags> {
  const file = { type: 'string', requiresArg: true } as const
  return yargs
    .option('cacert', { ...file, describe: 'File of the authorities to trust, PEM' })
    .option('cert', { ...file, describe: 'File of the certificate to show, PEM' })
    .option('key', { ...file, describe: 'File of its key, where that is another' })
    .option('servername', {
      ...file,
      describe: 'Name to ask for, which the certificate has to bear'
    })
}

const certificate = 'a certificate in PEM, from -----BEGIN CERTIFICATE----- on'

const names = ['cacert', 'cert', 'key', 'servername'] as const

function pemIn(flag: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : givenBytes(`--${flag} ${file}`, file).toString('latin1')
}

/** Ends the command where `check` throws: what was named is not what it has to be. */
function insist(named: string, has: string, check: () => unknown): void {
  try {
    check()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    // That nothing in it begins as PEM does is what has just been said.
    const why = code === 'ERR_OSSL_PEM_NO_START_LINE' ? '' : `: ${message}`
    throw new Failure(`${named} has to be ${has}${why}`)
  }
}

/** The flags that were given, as words of a command. */
export function tlsWords(flags: TlsFlags): string[] {
  return names.flatMap((name) => (flags[name] === undefined ? [] : [`--${name}`, flags[name]]))
}

/**
 * What the flags of TLS come to for these URLs, of which one at least has to be asked over it;
 * undefined where there are none.
 */
export function tlsOf(
  urls: readonly string[],
  flags: TlsFlags & { transport?: string; fleet?: string }
): TlsProof | undefined {
  const given = names.find((name) => flags[name] !== undefined)
  if (given === undefined) return undefined
  const { cacert, cert: certFile, key: keyFile, servername, transport, fleet } = flags
  if (!urls.some((url) => URL.parse(url)?.protocol === 'https:'))
    throw new Failure(`--${given} is for https: URLs only`)
  if (transport === 'autocannon')
    throw new Failure(`--${given} is not for autocannon: use --transport wire or undici`)
  if (fleet !== undefined) throw new Failure(`--${given} stays on this machine: leave out --fleet`)
  if (keyFile !== undefined && certFile === undefined)
    throw new Failure('--key is of a certificate: name that with --cert')
  const [ca, cert] = [pemIn('cacert', cacert), pemIn('cert', certFile)]
  const key = pemIn('key', keyFile) ?? cert
  if (ca !== undefined) insist(`--cacert ${cacert}`, certificate, () => new X509Certificate(ca))
  if (cert !== undefined) {
    insist(`--cert ${certFile}`, certificate, () => new X509Certificate(cert))
    const own = `the private key of --cert ${certFile}, PEM and without a password`
    insist(`--key ${keyFile ?? certFile}`, own, () => {
      // An empty file is no key to Node, and so none that would not fit.
      createPrivateKey(key!)
      return createSecureContext({ cert, key })
    })
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert, key }),
    ...(servername !== undefined && { servername })
  }
}
