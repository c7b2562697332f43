import { flushCompileCache } from 'node:module'
import type { BeginMessage, ToHost } from '../message.ts'
import { type Host, hostGuest } from './guest.ts'

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
let host: Host | undefined
const early: ToHost[] = []
const begin = async ({ code }: BeginMessage) => {
  host = await hostGuest({
    code,
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
  for (const message of early) host.take(message)
}
process.on('message', (messages) => {
  for (const message of messages as (BeginMessage | ToHost)[])
    if (message.t === 'begin') void begin(message)
    else if (host) host.take(message)
    else early.push(message)
})
