import { createHash } from 'node:crypto'
import type { Answer } from '../kernel/http/answer.ts'
import type { EdgeRequest } from './request.ts'
import { headersBytes } from './size.ts'

/** The origin behind every zone: at `/echo` it tells what arrived, having read all of it. */
export async function echo({ method, target, path, headers, body }: EdgeRequest): Promise<Answer> {
  if (path !== '/echo') return json(404, { error: `there is nothing at ${path}; try /echo` })
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    digest.update(chunk)
  }
  return json(200, {
    method,
    url: target,
    urlBytes: target.length,
    headers: { count: headers.length, bytes: headersBytes(headers) },
    bytes,
    sha256: digest.digest('hex')
  })
}

function json(status: number, value: object): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) }
}
