import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Network } from './network.ts'

/** A development chain that runs in a process of its own. */
export type Anvil = {
  url: string
  /** Resolves when it has ended, by itself or because it was stopped. */
  ended: Promise<void>
  stop(): Promise<void>
}

const processors: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Becomes the chain, and leaves somebody behind who ends it when standard input does: nothing else
 * tells a program that the process that started it is gone, however that went.
 */
const script =
  'exec 3<&0; { read -r _; kill -9 $$; } <&3 >/dev/null 2>&1 & exec 3<&- "$@" </dev/null'

/** Starts a chain with nothing but a first block; rejects where there is none for this machine. */
export async function startAnvil({ chainId, genesisSeconds }: Network): Promise<Anvil> {
  const program = [programFile(), '--port', '0', '--no-cors', '--color', 'never']
  const identity = ['--chain-id', `${chainId}`, '--timestamp', `${genesisSeconds}`]
  const child = spawn('sh', ['-c', script, 'sh', ...program, ...identity], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C is for the platform, which ends its chains.
    detached: true
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', resolve)
  })
  ended.then(() => child.stdin.destroy())
  const stop = () => {
    child.stdin.destroy()
    return ended
  }
  const place = await listening(child.stdout)
  if (place !== undefined) return { url: `http://${place}`, ended, stop }
  await stop()
  throw new Error('the development chain does not start')
}

/** The program as it was installed: it comes in a package of its own for each kind of machine. */
function programFile(): string {
  const whole = '@foundry-rs/anvil'
  const name = `${whole}-${process.platform}-${processors[process.arch] ?? process.arch}`
  try {
    const chooser = createRequire(import.meta.url).resolve(`${whole}/package.json`)
    return createRequire(chooser).resolve(`${name}/bin/anvil`)
  } catch {
    throw new Error(`the development chain of this machine is not there: npm install ${whole}`)
  }
}

/** Host and port of a chain that was started; undefined when it ends before it tells. */
function listening(output: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    // It is read to its end, since a chain that cannot write waits until it can.
    createInterface({ input: output })
      .on('line', (line) => {
        const [, place] = /^Listening on (\S+)$/.exec(line) ?? []
        if (place !== undefined) resolve(place)
      })
      .once('close', () => resolve(undefined))
  })
}
