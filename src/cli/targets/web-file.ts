import { basename } from 'node:path'
import { Agent, request } from 'undici'
import { connectorAlong } from '../../tunnel.ts'
import { Failure, orFail } from '../failure.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { authoriseUrl } from './authorised-url.ts'

const patienceMs = 10_000
/** How long the whole may take: a byte now and then would go on for ever. */
const longestMs = 60_000
const mostBytes = 33_554_432

/**
 * What a URL answers, whose host is loopback or authorised; nothing is followed that it refers to.
 * Throws a Failure.
 */
export async function readWeb(
  url: string,
  { authorisation, deadlineMs = longestMs }: { authorisation: string; deadlineMs?: number }
): Promise<{ text: string; file: string }> {
  insistOnWebUrl(url)
  const { route } = await authoriseUrl(url, { authorisation })
  const connect = connectorAlong(route, { timeout: patienceMs })
  const times = { headersTimeout: patienceMs, bodyTimeout: patienceMs }
  const dispatcher = new Agent({ connect, ...times })
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    return await orFail(async () => {
      const { statusCode, body } = await request(url, { dispatcher, signal })
      if (statusCode !== 200) throw new Error(`${url} answers HTTP ${statusCode}`)
      const parts: Buffer[] = []
      let bytes = 0
      for await (const part of body) {
        bytes += part.length
        if (bytes > mostBytes) throw new Error(`${url} is larger than 32 MiB`)
        parts.push(part)
      }
      const file = basename(new URL(url).pathname) || 'openapi'
      return { text: Buffer.concat(parts).toString(), file }
    })
  } catch (cause) {
    if (signal.aborted) {
      throw new Failure(`${url} is not read within ${deadlineMs / 1_000} s: name a file instead`)
    }
    throw cause instanceof Failure ? cause : new Failure((cause as Error).message)
  } finally {
    await dispatcher.destroy()
  }
}
