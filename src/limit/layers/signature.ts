import { isAnswered, type Reply } from '../../client/reply.ts'

/** By what an answer is known to be a program's own, and not of what it passes on. */
type Signature = { program: string; by: string; is: (reply: Reply) => boolean }

const body = (pattern: RegExp) => (reply: Reply) => pattern.test(reply.body)

/** Pages and heads that programs make themselves, as those of Debian 12 do. */
const signatures: readonly Signature[] = [
  { program: 'nginx', by: 'its error page', is: body(/<hr><center>nginx(\/[\d.]+)?<\/center>/) },
  { program: 'OpenResty', by: 'its error page', is: body(/<hr><center>openresty/) },
  {
    program: 'HAProxy',
    by: 'its error page',
    is: body(/^<html><body><h1>\d{3} [^<]+<\/h1>\n[^<]+\n<\/body><\/html>\s*$/)
  },
  {
    program: 'Apache',
    by: 'its error page',
    is: body(/^<!DOCTYPE HTML PUBLIC "-\/\/IETF\/\/DTD HTML 2/)
  },
  {
    program: 'Varnish',
    by: 'its error page',
    is: body(/Guru Meditation|<p>Varnish cache server</)
  },
  {
    program: 'gunicorn',
    by: 'its error page',
    is: body(/^<html>\s*<head>\s*<title>[^<]*<\/title>\s*<\/head>\s*<body>\s*<h1><p>/)
  },
  {
    program: "Node's parser",
    by: 'a head without Date or Server',
    is: ({ status, headers, received }) => {
      const names = Object.keys(headers)
      return (
        [400, 408, 413, 431].includes(status) && received === 0 && names.join() === 'connection'
      )
    }
  }
]

/** Who made an answer itself, and what shows it; undefined where nothing does. */
export function signatureOf(reply: Reply): { program: string; by: string } | undefined {
  if (!isAnswered(reply)) return
  return signatures.find(({ is }) => is(reply))
}

/**
 * Who refuses, told by the refusal alone beside what is usually answered: the program whose own
 * page it is, or that it is of another server than what is usual. Undefined where nothing tells.
 */
export function refuserOf(refusal: Reply, usual: Reply): string | undefined {
  const own = signatureOf(refusal)
  if (own) return `${own.program}, by ${own.by}`
  const [here, there] = [refusal, usual].map(({ headers }) => headers.server)
  if (!isAnswered(refusal) || here === there) return
  if (here === undefined) return `not ${there}, which answers as usual: no Server header`
  return `${here}, by its Server header${there === undefined ? '' : `; ${there} answers as usual`}`
}
