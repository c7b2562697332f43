import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stretchSeconds } from '../../engine/soak.ts'
import type { Load } from '../../load/load.ts'
import type { Request } from '../../load/requests/request.ts'
import type { SoakHeader, SoakSources } from '../../report/soak-record.ts'
import { Failure, orFail } from '../failure.ts'
import { trialLoad } from '../flags/compare-flags.ts'
import type { SoakFlags } from '../flags/soak-flags.ts'
import type { TagFlag } from '../flags/tag-flag.ts'
import { trialRequest } from '../flags/trial-flags.ts'
import { thisHost } from '../saved/calibration-file.ts'
import { tagsOf } from '../saved/load-run.ts'
import { openFile, openFolder } from '../saved/out-folder.ts'
import { leftOutText } from '../saved/saved-lines.ts'
import {
  createSoakJournal,
  readSoak,
  resumeSoakJournal,
  type SoakJournal,
  soakFile
} from '../saved/soak-journal.ts'
import { toldCommand } from '../saved/told-command.ts'
import { version } from '../version.ts'

/** A soak that can begin, or go on. */
export type Soak = {
  journal: SoakJournal
  header: SoakHeader
  request: Request
  /** What is recorded already, and what there is to be in the end. */
  fromSeconds: number
  seconds: number
}

/** What is about to be done, and which metrics named are to decide, for somebody to object. */
export type Intent = {
  url: string
  seconds: number
  load: Load
  transport: SoakHeader['load']['engine']
  metrics: string[]
  budgets: number[]
  watched: SoakSources
}

/** What describes a soak, and the agents it is sent from where that is not this machine. */
type Flags = SoakFlags & TagFlag & { from?: SoakHeader['agents'] }

/** What flags name to be read, where they name none what was read before. */
function watchedBy({ pid, metricsUrl, gauge }: Flags, before?: SoakSources): SoakSources {
  const page = metricsUrl ?? before?.metricsUrl
  const process = pid ?? before?.pid
  return {
    ...(process !== undefined && { pid: process }),
    ...(page !== undefined && { metricsUrl: page }),
    gauge: gauge.length > 0 ? gauge : (before?.gauge ?? [])
  }
}

const isWatching = ({ pid, metricsUrl }: SoakSources) =>
  pid !== undefined || metricsUrl !== undefined

const defaultSeconds = 3_600

const digestOf = ({ method, headers, body = '' }: Request) =>
  createHash('sha256').update(JSON.stringify({ method, headers, body })).digest('hex')

function headerOf(url: string, request: Request, flags: Flags): SoakHeader {
  const { connections, pipelining, timeout, rate, budget, metrics, seed } = flags
  const workers = flags.from?.reduce((sum, { threads }) => sum + threads, 0) ?? flags.workers ?? 1
  const { duration: seconds = defaultSeconds } = flags
  const { cpu, cores, node } = thisHost()
  const watched = watchedBy(flags)
  const budgets = Object.entries(metrics ?? {}).map(([name, own = budget]) => [name, own / 100])
  return {
    ...{ t: 'soak', schema: 'plimsoll-soak/1', tool: `plimsoll@${version}` },
    startedAt: new Date().toISOString(),
    host: { cpu, cores, node },
    ...{ url, request: digestOf(request) },
    load: {
      ...{ connections, pipelining, timeoutMs: timeout * 1_000, workers, rate },
      engine: flags.transport
    },
    ...{ seconds, stretchSeconds: stretchSeconds(seconds) },
    terms: { budget: budget / 100, seed, ...(metrics && { budgets: Object.fromEntries(budgets) }) },
    ...(isWatching(watched) && { watched }),
    ...(flags.from && { agents: flags.from }),
    ...tagsOf(flags.tag),
    command: toldCommand(process.argv.slice(2))
  }
}

function intentOf(
  { url, load, terms }: SoakHeader,
  { seconds, watched }: { seconds: number; watched: SoakSources }
): Intent {
  const lasting = trialLoad({ ...load, timeout: load.timeoutMs / 1_000 })
  const { budget, budgets = {} } = terms
  const metrics = Object.keys(budgets)
  const asked = metrics.length > 0 ? Object.values(budgets) : [budget]
  const told = { metrics, budgets: asked, watched }
  return { url, seconds, load: lasting(seconds), transport: load.engine, ...told }
}

async function begin(
  url: string,
  flags: Flags,
  approve: (intent: Intent) => Promise<void>
): Promise<Soak> {
  const request = trialRequest(url, flags)
  const header = headerOf(url, request, flags)
  openFolder(flags.out)
  const intent = { seconds: header.seconds, watched: watchedBy(flags) }
  await approve(await orFail(() => intentOf(header, intent)))
  const journal = createSoakJournal(flags.out, header)
  return { journal, header, request, fromSeconds: 0, seconds: header.seconds }
}

/** Fails where others would go on than began: what they are apart is no drift of the target. */
function insistOnSenders(began: SoakHeader['agents'], goOn: SoakHeader['agents']): void {
  if (began !== undefined && goOn === undefined) {
    throw new Failure('that soak was sent from a fleet: go on with the same --fleet')
  }
  if (began === undefined && goOn !== undefined) {
    throw new Failure('that soak was sent from this machine: go on without --fleet')
  }
}

async function resume(
  run: string,
  flags: Flags,
  approve: (intent: Intent) => Promise<void>
): Promise<Soak> {
  const folder = [run, join(flags.out, run)].find((place) => existsSync(join(place, soakFile)))
  if (folder === undefined) throw new Failure(`there is no soak at ${run} or ${flags.out}/${run}`)
  const { header, seconds: fromSeconds, lost } = await orFail(() => readSoak(folder))
  process.stderr.write(leftOutText(lost, join(folder, soakFile)))
  insistOnSenders(header.agents, flags.from)
  const request = trialRequest(header.url, flags)
  if (digestOf(request) !== header.request) {
    throw new Failure('that soak sent another request: give the same -m, -H and -b as then')
  }
  const { duration: seconds = header.seconds } = flags
  openFile(join(folder, soakFile), '--resume')
  const watched = watchedBy(flags, header.watched)
  await approve(intentOf(header, { seconds: Math.max(1, seconds - fromSeconds), watched }))
  const journal = resumeSoakJournal(folder)
  const at = new Date().toISOString()
  const senders = flags.from && { agents: flags.from }
  journal.write({ t: 'resumed', at, seconds, ...(isWatching(watched) && { watched }), ...senders })
  return { journal, header, request, fromSeconds, seconds }
}

/** Begins the soak that flags describe, or goes on with the one they name; `approve` may object. */
export function openSoak(
  flags: Flags & { url?: string },
  approve: (intent: Intent) => Promise<void>
): Promise<Soak> {
  const { url } = flags
  if (flags.resume !== undefined) return resume(flags.resume, flags, approve)
  if (url === undefined) throw new Failure('name a URL to soak, or a soak to --resume')
  return begin(url, flags, approve)
}
