import type { ResultRecord } from '../../report/record.ts'
import type { Journal } from '../saved/journal.ts'
import type { LiveServer } from './live-server.ts'

/** What a command shows of itself while it goes on; without `--ui`, nothing. */
export type Live = Pick<LiveServer, 'tell' | 'end'>

const hidden: Live = { tell() {}, async end() {} }

/**
 * Opens the page of a command where `--ui` asks for one, and says where it is. Its stop button is
 * what Ctrl-C is.
 */
async function openLive(ui: boolean, command: string): Promise<Live> {
  if (!ui) return hidden
  const { startLiveServer } = await import('./live-server.ts')
  const live = await startLiveServer(command, interrupt)
  process.stderr.write(`Live: ${live.url}\n`)
  return live
}

/** What Ctrl-C does: a signal would end the process at once where there are none, as on Windows. */
function interrupt(): void {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT')
}

/** Shows a command on a page while `work` goes on, where `ui` says so; however that ends. */
export async function withLive<Result>(
  ui: boolean,
  command: string,
  work: (live: Live) => Promise<Result>
): Promise<Result> {
  const live = await openLive(ui, command)
  try {
    return await work(live)
  } finally {
    // Of what was led to its report already nothing is open any more.
    await live.end()
  }
}

/** A journal whose lines are shown as well; loads over time were, when they went on. */
export function shownJournal(journal: Journal, live: Live): Journal {
  const write = (record: ResultRecord) => {
    journal.write(record)
    if (record.t !== 'window') live.tell(record)
  }
  return { ...journal, write }
}

/** The flag for it. */
export const uiFlag = {
  type: 'boolean',
  default: false,
  describe: 'Show it on a page of this machine while it goes on; it becomes the report'
} as const
