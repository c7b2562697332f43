import type { Client } from './client.ts'
import { isAnswered } from './reply.ts'

const patienceMs = 5_000

/** Whether anybody is there who speaks HTTP: any complete response counts, whatever its status. */
export async function preflight(
  client: Client
): Promise<{ up: true } | { up: false; because: string }> {
  const reply = await client.get('', { timeoutMs: patienceMs, deadlineMs: patienceMs })
  return isAnswered(reply) ? { up: true } : { up: false, because: reply.because }
}
