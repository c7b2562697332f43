import type { Client, Reply } from 'plimsoll'

/** The client of somebody who may read. */
export function reader(service: Client): Client {
  return service.with({ authorization: 'Bearer reader' })
}

/** A book that is there now, and the answer to its making. */
export async function made(service: Client, book: object): Promise<{ id: string; reply: Reply }> {
  const reply = await reader(service).post('/books', { json: book })
  return { id: `${reply.json?.id}`, reply }
}
