import { hideBin } from 'yargs/helpers'
import { performLine, tell } from './cli/command-line.ts'
import { exit, Failure } from './cli/failure.ts'

// Who reads no further, as `head` does, is told no more, and no more is a terminal that was closed;
// what was begun is finished all the same. What else cannot be written is not whole, whatever the
// command itself came to.
let isCut = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)
    if (isUnread || isCut) return
    isCut = true
    tell(new Failure(`the output cannot be written: ${error.message}`))
  })
}
process.on('exit', () => {
  if (isCut) process.exitCode = exit.fault
})

// Node would exit 1, which here means that a clause failed.
process.on('uncaughtException', (cause) => {
  tell(cause)
  process.exit(exit.fault)
})

/** How long what a command left behind, such as a request without an answer, may hold it up. */
const lingerMs = 1_000

await performLine(hideBin(process.argv))

// All has been saved by now: what is still under way is of no use to anybody, but for what a slow
// reader has not taken yet.
setTimeout(() => process.stdout.write('', () => process.exit()), lingerMs).unref()
