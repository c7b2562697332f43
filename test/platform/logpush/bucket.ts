import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object that was stored, or why it was not. */
export type Put = { method: string; path: string; content: Buffer; fault?: string; headers: object }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** What is wrong with the signature of a request, by AWS Signature Version 4; or nothing. */
function faultOf(
  request: IncomingMessage,
  { content, secrets }: { content: Buffer; secrets: Record<string, string> }
): string | undefined {
  const { authorization = '', 'x-amz-date': date } = request.headers
  const [, id, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      authorization
    ) ?? []
  if (signature === undefined) return 'not signed'
  if (!secrets[id!]) return 'unknown key'
  const digest = sha256(content)
  if (request.headers['x-amz-content-sha256'] !== digest) return 'another content'
  const signed = names!.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name)))
    return 'not all is signed'
  const { pathname, searchParams } = new URL(request.url!, 'http://bucket')
  searchParams.sort()
  const canonical = [
    request.method,
    pathname,
    searchParams.toString(),
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    digest
  ].join('\n')
  const [day, region, service, kind] = scope!.split('/')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [region!, service!, kind!].reduce(hmac, hmac(`AWS4${secrets[id!]}`, day!))
  return hmac(key, text).toString('hex') === signature ? undefined : 'another signature'
}

/** A storage service that takes what is signed with one of its secrets, by key id. */
export async function bucketService(secrets: Record<string, string>) {
  const puts: Put[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    const { method = '', url: path = '', headers } = request
    const fault = faultOf(request, { content, secrets })
    puts.push({ method, path, content, fault, headers })
    response.writeHead(fault ? 403 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    puts,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
