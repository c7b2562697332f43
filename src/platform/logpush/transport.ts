import { hash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import requestBy from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { guarded } from '../kernel/egress/egress.ts'
import type { BucketDestination, FolderDestination, WebDestination } from './destination.ts'
import { saveBelow } from './folder.ts'
import { type Outlets, refusalOf } from './outlets.ts'
import { type Handling, handling, type Transport, type Upload } from './upload.ts'

type Sent = { method: 'POST' | 'PUT'; url: string; headers: Record<string, string> }

/** Takes uploads to their destinations, where those may be reached, with this long for each. */
export function openTransport(
  { deliveryMs }: { deliveryMs: number },
  outlets: Outlets,
  { hasTaken }: Pick<Handling, 'hasTaken'> = handling
) {
  const connect = guarded(outlets.egress, { timeout: deliveryMs })
  const agent = new Agent({ allowH2: false, connect })

  /** Sends a upload as a body; only some statuses say that it has arrived. */
  async function send({ method, url, headers }: Sent, content: Buffer, signal: AbortSignal) {
    const { origin, pathname, search } = new URL(url)
    try {
      const { statusCode, body } = await requestBy.call(agent, {
        ...{ origin, path: pathname + search, method, headers, body: content },
        signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryMs)])
      })
      await body.dump()
      if (!hasTaken(statusCode)) throw new Error(`HTTP ${statusCode}`)
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError'
      throw isLate ? new Error(`no answer within ${deliveryMs} ms`) : error
    }
  }

  const transport: Transport = async (to, upload, signal) => {
    if (to.kind === 'folder') return save(to, upload, outlets)
    const sent = to.kind === 'web' ? posted(to, upload) : await stored(to, upload)
    return send(sent, upload.content, signal)
  }
  return { transport, close: () => agent.destroy() }
}

/** What is said of the content of an upload. */
function described({ isPlain }: Upload): Record<string, string> {
  const type = { 'content-type': 'application/x-ndjson' }
  return isPlain ? type : { ...type, 'content-encoding': 'gzip' }
}

function posted({ url, headers }: WebDestination, upload: Upload): Sent {
  const own = { ...described(upload), 'x-logpush-batch': upload.name }
  return { method: 'POST', url, headers: { ...own, ...headers } }
}

/** An object is named after its batch: sent twice, it is still one. */
async function stored(to: BucketDestination, upload: Upload): Promise<Sent> {
  const headers: Record<string, string> = {
    ...described(upload),
    'x-amz-content-sha256': hash('sha256', upload.content)
  }
  if (to.encryption) headers['x-amz-server-side-encryption'] = to.encryption
  const put: Sent = { method: 'PUT', url: dated(to.url, upload) + fileOf(upload), headers }
  if (to.credentials === undefined) return put
  const client = new AwsClient({ ...to.credentials, service: 's3', region: to.region })
  const signed = await client.sign(put.url, { method: put.method, headers })
  return { ...put, headers: Object.fromEntries(signed.headers) }
}

async function save(to: FolderDestination, upload: Upload, outlets: Outlets) {
  const told = refusalOf(to, outlets)
  if (told !== undefined) throw new Error(told)
  const file = { folder: dated(to.path, upload), name: fileOf(upload) }
  await saveBelow(outlets.files!, file, upload.content)
}

function fileOf({ name, isPlain }: Upload): string {
  return `${name}.log${isPlain ? '' : '.gz'}`
}

function dated(place: string, { day }: Upload): string {
  return place.replaceAll(/\{DATE\}|%7BDATE%7D/gi, day)
}
