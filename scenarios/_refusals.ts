import type { Client, Context, Reply } from 'plimsoll'
import { anonymous } from './_credential.ts'
import { freshId } from './_id.ts'
import { isTurnedDown, only } from './_reply.ts'
import { largest } from './_zone.ts'

type Asking = Pick<Context, 'zones' | 'random'> & { management: Client }

/** What a target says to requests it cannot serve, by what is wrong with each. */
export async function refusalsByFault({ management, zones, random }: Asking): Promise<{
  [fault: string]: Reply
}> {
  const path = `/zones/${largest(zones)}/page_shield`
  const headers = { 'content-type': 'application/json' }
  const broken = { body: '{"description"', headers }
  return {
    'no credential': await anonymous(management).get(path),
    'no such script': await management.get(`${path}/scripts/${freshId(random)}`),
    'no such policy': await management.get(`${path}/policies/${freshId(random)}`),
    'broken JSON': await management.post(`${path}/policies`, broken)
  }
}

/** The same replies by themselves, those left out that turned nothing down. */
export async function refusals(asking: Asking): Promise<Reply[]> {
  return only(isTurnedDown, Object.values(await refusalsByFault(asking)))
}
