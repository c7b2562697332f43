import { flushCompileCache } from 'node:module'
import { hostGuest } from './guest.ts'

// The main thread of an instance's process: trusted, never busy, and of no use without a platform.
const die = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', die)
// What is typed at a terminal goes to everybody; the platform says when this is to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const outbox: unknown[] = []
let isFlushing = false
const flush = (then?: () => void) => {
  isFlushing = false
  process.send!(outbox.splice(0), undefined, undefined, then)
}
const host = await hostGuest({
  send(message) {
    outbox.push(message)
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush, undefined)
  },
  die(message) {
    outbox.push(message)
    flush(die)
  }
})
// It ends by being killed, when it is too late to keep what was made of its own code.
flushCompileCache()
process.on('message', (messages) => {
  for (const message of messages as Parameters<typeof host.take>[0][]) host.take(message)
})
