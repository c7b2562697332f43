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
export async function openLive(ui: boolean, command: string): Promise<Live> {
  if (!ui) return hidden
  const { startLiveServer } = await import('./live-server.ts')
  const live = await startLiveServer(command, () => void process.kill(process.pid, 'SIGINT'))
  process.stderr.write(`Live: ${live.url}\n`)
  return live
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
