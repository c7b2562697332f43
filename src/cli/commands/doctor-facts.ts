import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { availableParallelism, cpus, platform } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Missing, missingPackages } from '../optional-packages.ts'
import {
  calibrationFile,
  type Known,
  knownCalibration,
  thisHost
} from '../saved/calibration-file.ts'
import { type WorkNoise, workNoise } from './work-noise.ts'

/** What there is to know about a machine; what its system does not tell is undefined. */
export type Facts = {
  node: string
  cores: { there: number; ours: number }
  /** Processors that the control group may use at a time, and how often it was held back. */
  quota?: { processors?: number; throttled?: number }
  noise: Noise
  workNoise: WorkNoise
  calibration: Known
  openFiles?: number
  /** How many ports outgoing connections to one address may have. */
  ports?: number
  /** As the kernel has it: 0 for everybody, 1 for the privileged, 2 for nobody. */
  ioUring?: number
  /** The first of several names of a program that is found, as a path. */
  programs: { chromium?: string; redis?: string; nginx?: string }
  missing: Missing
}

/** How much of a stretch a thread that does nothing but look at the clock did not have. */
export type Noise = { watchedMs: number; lostMs: number; longestMs: number }

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

const number = (text: string | undefined) => {
  const value = Number(text)
  return text === undefined || text === '' || Number.isNaN(value) ? undefined : value
}

/** Where the control group of this process, or one it is in, says something. */
function inGroup(file: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(textIn('/proc/self/cgroup') ?? '')?.[1] ?? '/'
  const parts = own.split('/').filter(Boolean)
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  const found = [...folders, ''].map((folder) => textIn(join('/sys/fs/cgroup', folder, file)))
  return found.find((text) => text !== undefined)
}

function quotaOf(): Facts['quota'] {
  // Of control groups in their second version, and in their first.
  const [most, period] = (inGroup('cpu.max') ?? '').split(' ')
  const quota = number(most) ?? number(textIn('/sys/fs/cgroup/cpu/cpu.cfs_quota_us'))
  const per = number(period) ?? number(textIn('/sys/fs/cgroup/cpu/cpu.cfs_period_us'))
  const throttled = number(/nr_throttled (\d+)/.exec(inGroup('cpu.stat') ?? '')?.[1])
  if (quota === undefined && most === '' && throttled === undefined) return undefined
  const isLimited = quota !== undefined && per !== undefined && quota > 0
  return { ...(isLimited && { processors: quota / per }), ...(throttled && { throttled }) }
}

function openFiles(): number | undefined {
  const line = /^Max open files\s+(\S+)/m.exec(textIn('/proc/self/limits') ?? '')
  if (line !== null) return line[1] === 'unlimited' ? Infinity : number(line[1])
  if (platform() === 'win32') return undefined
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })
  return stdout?.trim() === 'unlimited' ? Infinity : number(stdout?.trim())
}

function ports(): number | undefined {
  const [from, to] = (textIn('/proc/sys/net/ipv4/ip_local_port_range') ?? '').split(/\s+/)
  const [first, last] = [number(from), number(to)]
  return first === undefined || last === undefined ? undefined : last - first + 1
}

/** Where a program is that goes by one of these names. */
function programNamed(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const places = names.flatMap((name) => folders.filter(Boolean).map((one) => join(one, name)))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return statSync(place).isFile()
    } catch {
      return false
    }
  })
}

/** A pause between two looks at the clock that is not the loop's own. */
const pauseMs = 0.5

/** Looks at the clock for so long, and at what was in between. */
function watchClock(forMs: number): Noise {
  const began = performance.now()
  let [before, lostMs, longestMs] = [began, 0, 0]
  while (before - began < forMs) {
    const now = performance.now()
    const gap = now - before
    if (gap > pauseMs) lostMs += gap
    if (gap > longestMs) longestMs = gap
    before = now
  }
  return { watchedMs: before - began, lostMs, longestMs }
}

/** What can be found out about this machine in so long. */
export function factsHere(watchMs: number): Facts {
  return {
    node: process.version,
    cores: { there: cpus().length, ours: availableParallelism() },
    quota: quotaOf(),
    noise: watchClock(watchMs),
    workNoise: workNoise(watchMs),
    calibration: knownCalibration(calibrationFile(), { host: thisHost(), nowMs: Date.now() }),
    openFiles: openFiles(),
    ports: ports(),
    ioUring: number(textIn('/proc/sys/kernel/io_uring_disabled')),
    programs: {
      chromium: programNamed('chromium', 'chromium-browser', 'google-chrome'),
      redis: programNamed('redis-server', 'valkey-server'),
      nginx: programNamed('nginx')
    },
    missing: missingPackages()
  }
}
