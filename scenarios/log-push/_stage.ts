import { Blocked, type Context, type Inbox, type Reply, sink } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, item } from '../_reply.ts'
import { eq, where } from './_filter.ts'

declare module 'plimsoll' {
  interface Adapter {
    /**
     * What to write into a job's `destination_conf` so that its batches reach a server of the
     * harness on this machine; where the target cannot reach that, an address that leads there.
     */
    destination?: (url: string) => Promise<string>
    /**
     * The same where the server of the harness is a storage service that speaks S3: each batch is
     * an object of its own below that URL, whose first segment is the bucket.
     */
    storage?: (url: string, access: Access) => Promise<string>
    /** Resolves when all that was logged in a zone has been delivered, or was tried to be. */
    pushLogs?: (zone: string) => Promise<void>
  }
}

/** Whose objects they are, and where a storage service keeps them. */
export type Access = { region: string; accessKeyId: string; secretAccessKey: string }

/** A log-push job as a client sends it; a member that is undefined is left out. */
export type Job = {
  name?: unknown
  dataset?: unknown
  output_options?: unknown
  filter?: unknown
  destination_conf?: unknown
}

/** The output options of a job that has everything the document shows. */
export const options = {
  field_names: ['ClientRequestURI', 'EdgeResponseStatus', 'EdgeStartTimestamp'],
  sample_rate: 1,
  timestamp_format: 'rfc3339',
  'CVE-2021-44228': 'true'
}

/** A job as the document shows it, without the optional filter; nobody has its destination. */
export const exampleJob = {
  name: 'plimsoll',
  dataset: 'http_requests',
  output_options: options,
  destination_conf: 's3://plimsoll-example/logs?region=us-west-2'
}

/** A job that the target was asked to create, and the place it was to deliver to. */
export type Created = { reply: Reply; inbox: Inbox }

/**
 * A fresh zone with a sink of the harness that its jobs deliver to. Jobs are deleted again where
 * the target has a way to, since it may have room for only a few.
 */
export async function stage(
  { management, adapter, random }: Pick<Context, 'management' | 'adapter' | 'random'>,
  plan = 'enterprise'
) {
  const zone = await adapter.zone(plan)
  const logs = await sink()
  const pathOf = ({ id }: { id: string }) => `/zones/${id}/logpush/jobs`
  const path = pathOf(zone)
  const kept: Reply[] = []
  /** How many jobs there are where those are that deliver nothing, what was last taken there. */
  let offers = { path, jobs: 0, taken: undefined as Job | undefined }
  const ask = async (change: Job, at = path, inbox = logs.inbox(freshId(random))) => {
    const job: Job = {
      name: 'plimsoll',
      dataset: 'http_requests',
      output_options: options,
      filter: where({ and: [eq('ClientRequestMethod', 'GET')] }),
      destination_conf: await adapter.destination(inbox.url),
      ...change
    }
    const created = { reply: await management.post(at, { json: job }), inbox }
    if (!isServed(created.reply)) return created
    offers.taken = change
    if (at === offers.path) offers.jobs++
    return created
  }
  // Whether this can be done is not documented, and nothing is concluded from it.
  const remove = async (reply: Reply, at = path) => {
    const { id } = item(reply)
    if (id === undefined) return
    const removed = await management.delete(`${at}/${encodeURIComponent(`${id}`)}`)
    if (at === offers.path && isServed(removed)) offers.jobs--
  }
  const offer = async (change: Job, at: string) => {
    const { reply } = await ask(change, at)
    await remove(reply, at)
    return reply
  }
  /** Whether not even what was taken before is taken now. */
  const isFull = async (at = path) =>
    offers.taken !== undefined && !isServed(await offer(offers.taken, at))

  return {
    zone,
    /** A place to deliver to that no job has yet. */
    inbox: () => logs.inbox(freshId(random)),
    /** Creates a job that has everything the document shows, but for the change. */
    async create(change: Job = {}, inbox?: Inbox): Promise<Created> {
      const created = await ask(change, path, inbox)
      kept.push(created.reply)
      // What came before anything was asked for is no record of it: a destination may be tried.
      created.inbox.forget()
      return created
    },
    /** The same for a job that has to deliver nothing, is not kept, and may be in another zone. */
    async offer(change: Job = {}): Promise<Reply> {
      const reply = await offer(change, offers.path)
      if (isServed(reply) || offers.jobs === 0 || !(await isFull(offers.path))) return reply
      offers = { ...offers, path: pathOf(await adapter.zone(plan)), jobs: 0 }
      return offer(change, offers.path)
    },
    /** Whether the zone has as many jobs as it may: how many these are is not documented. */
    isFull: () => isFull(),
    /** Deletes a job before its time, where there is a way to. */
    discard: ({ reply }: Created) => remove(reply),
    /** Has all that was logged delivered, as far as the target can do that now. */
    push: () => adapter.pushLogs(zone.id),
    async [Symbol.asyncDispose]() {
      for (const reply of kept) await remove(reply)
      await logs.close()
    }
  }
}

/** What `stage` resolves to. */
export type Stage = Awaited<ReturnType<typeof stage>>

/** The records in an inbox; blocked where all that comes is in a format that nobody here reads. */
export function recordsIn({ batches, records }: Inbox): Record<string, unknown>[] {
  // Which format batches have is not documented.
  const isRead = batches.some(({ records: own }) => own.length > 0)
  const unread = batches.find(({ bytes, faults }) => bytes > 0 && faults.length > 0)
  if (unread && !isRead) throw new Blocked(`what came is no NDJSON: ${unread.faults[0]}`)
  return records()
}

/** The URIs of requests that an inbox has records of. */
export function uris(inbox: Inbox): unknown[] {
  return recordsIn(inbox).map(({ ClientRequestURI }) => ClientRequestURI)
}
