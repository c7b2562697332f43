import { send } from '../kernel/http/answer.ts'
import type { Response } from '../kernel/http/message.ts'
import type { Plan } from '../kernel/plan.ts'
import { page } from './page.ts'
import type { HeadPart } from './size.ts'

/** Why a request never reaches its zone's origin. */
export type Refusal = {
  part: HeadPart | 'host' | 'body' | 'loop' | 'block' | 'challenge' | 'origin' | 'slow origin'
  method: string
  /** The zone's plan, once the zone is known. */
  plan?: Plan
}

const pages: Record<Refusal['part'], [status: number, because: string]> = {
  url: [414, 'The URL is too long.'],
  header: [431, 'A request header is too large.'],
  headers: [431, 'The request headers are too large.'],
  host: [404, 'There is no zone for this host name.'],
  body: [413, 'Request entity too large.'],
  block: [403, 'The firewall of this zone has blocked the request.'],
  challenge: [403, 'The firewall of this zone wants proof that you are a browser.'],
  loop: [508, 'The origin of this zone leads back to it.'],
  origin: [502, 'The origin of this zone cannot be reached.'],
  'slow origin': [504, 'The origin of this zone does not answer.']
}

/**
 * Answers instead of the origin. The connection ends with it: the rest of a request that was turned
 * away is not worth waiting for.
 */
export function refuse(response: Response, { part }: Refusal) {
  send(response, { ...page(...pages[part]), headers: { Connection: 'close' } })
}
