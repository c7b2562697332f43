import type { Zone } from '../kernel/zone.ts'
import { echo } from './echo.ts'
import type { Forwarder } from './forward.ts'
import type { EdgeRequest } from './request.ts'
import type { Served } from './served.ts'

/** Asks a zone's origin; a zone that was given none has the echo. */
export async function ask(
  { origin }: Zone,
  {
    request,
    forward,
    gone
  }: { request: EdgeRequest; gone: AbortSignal } & Pick<Forwarder, 'forward'>
): Promise<Served> {
  if (origin == null) return echoed(request)
  if (origin.startsWith('data:')) return page(origin)
  return forward(origin, request, gone)
}

async function echoed(request: EdgeRequest): Promise<Served> {
  const { status, type, body } = await echo(request)
  return whole(status, { type, body })
}

/** What a data URL says, whatever is asked for. */
async function page(origin: string): Promise<Served> {
  const response = await fetch(origin)
  const type = response.headers.get('content-type') ?? 'text/plain'
  return whole(200, { type, body: await response.text() })
}

function whole(status: number, { type, body }: { type: string; body: string }): Served {
  const length = String(Buffer.byteLength(body))
  const headers: Served['headers'] = [
    ['Content-Type', type],
    ['Content-Length', length]
  ]
  return { status, headers, body }
}
