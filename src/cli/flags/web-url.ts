import { Failure } from '../failure.ts'

/** Ends the command for what no request can be sent to as it is written. */
export function insistOnWebUrl(url: string): void {
  const parsed = URL.parse(url)
  if (!parsed) throw new Failure(`"${url}" is not a URL`)
  const { protocol, username, password, host } = parsed
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Failure(`"${url}" is of ${protocol}, and requests are sent to http: and https: only`)
  }
  if (!/^https?:\/\/[^/?#\\]/i.test(url)) throw new Failure(`"${url}" names no host`)
  if (username === '' && password === '') return
  throw new Failure(
    `the URL of ${host} holds a password, which would not be sent: give it as --user ` +
      '"name:password", or as a header where the command has no --user, -H "authorization: Basic …"'
  )
}
