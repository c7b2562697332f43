import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { guestCode } from './guest-code.ts'
import type { BeginMessage, FromHost, ToHost } from './message.ts'
import { openUsage, type ProcessUsage, type UsageReader } from './process-usage.ts'

/** The process of an instance, with a host in it that sends and takes messages. */
export type HostProcess = {
  send(message: ToHost): void
  kill(): void
  /** What the kernel says it uses; undefined where that cannot be known. */
  usage(): ProcessUsage | undefined
  /** Resolves when the process is no more. */
  exited: Promise<Exit>
}

/** How a process ended, and what it said about it. */
export type Exit = { signal: NodeJS.Signals | null; lastWords: string }

const entry = new URL(`./host/main${extname(import.meta.url)}`, import.meta.url)

/**
 * The platform asks the network for it, so that it needs no certificates of authorities: Node would
 * read its own, 7 ms of processor time, as soon as anything loads its TLS, as `Request` does.
 */
const noCertificates = '--use-openssl-ca'

/** Bytes of what the process says about its own failure that are kept. */
const lastWordsBytes = 4_096

/** Starts a process; it ends by itself when this one does. */
export function startProcess(onMessage: (message: FromHost) => void): HostProcess {
  const child = fork(entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning', noCertificates],
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' }
  })
  const exited = Promise.withResolvers<Exit>()
  let isGone = false
  let reader: UsageReader | undefined
  let outbox: ToHost[] = []
  let lastWords = ''
  const begin: BeginMessage = { t: 'begin', code: guestCode() }
  child.send([begin], () => {})
  child.stderr!.on('data', (data) => {
    lastWords = (lastWords + data).slice(-lastWordsBytes)
  })
  child.on('message', (messages) => {
    for (const message of messages as FromHost[]) onMessage(message)
  })
  child.on('error', (error) => {
    lastWords += error.message
    if (child.pid === undefined) exited.resolve({ signal: null, lastWords })
  })
  child.on('exit', (_code, signal) => {
    // The number may be another process's from now on.
    isGone = true
    reader?.close()
    exited.resolve({ signal, lastWords })
  })
  return {
    // What becomes due together crosses together.
    send(message) {
      if (outbox.push(message) > 1) return
      setImmediate(() => {
        const messages = outbox
        outbox = []
        if (child.connected) child.send(messages, () => {})
      })
    },
    kill: () => void child.kill('SIGKILL'),
    usage() {
      if (isGone || child.pid === undefined) return undefined
      reader ??= openUsage(child.pid)
      return reader.read()
    },
    exited: exited.promise
  }
}
