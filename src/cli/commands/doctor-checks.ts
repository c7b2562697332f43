import { grouped } from '../../report/quantity.ts'
import type { Facts } from './doctor-facts.ts'
import { workNoiseText } from './work-noise.ts'

/**
 * One thing that a machine can or cannot do. What is `limited` makes what is measured here less
 * sure; what is `absent` is needed by some commands only, and what is `unknown` is not told.
 */
export type Check = {
  name: string
  status: 'ok' | 'limited' | 'absent' | 'unknown'
  found: string
  /** What it is for. */
  purpose: string
  /** What to do about it, where there is something to do. */
  advice?: string
}

/** Of the clock's time so much may be lost, and at once, before a latency can be the machine's. */
const quiet = { lostShare: 0.05, longestMs: 20 }
/** Where the same work differs by more than this, a tenth hides in any one pair of trials. */
const steadyWork = 0.1
/** What 50 connections to a service, its own files and a report take, with room. */
const enoughFiles = 1_024
const enoughPorts = 10_000

const shown = (value: number) => grouped(Math.round(value))

function coresOf({ cores }: Facts): Check {
  const { there, ours } = cores
  const purpose = 'who sends must not take processor time from who answers'
  const found = ours < there ? `${ours} of ${there}` : `${there}`
  if (ours > 1) return { name: 'cores', status: 'ok', found, purpose }
  const advice = 'load from another machine: `plimsoll agent` there, --fleet here'
  return { name: 'cores', status: 'limited', found, purpose, advice }
}

function quotaOf({ quota, cores }: Facts): Check {
  const common = { name: 'processor quota', purpose: 'who is held back measures its own pauses' }
  if (quota === undefined)
    return { ...common, status: 'unknown', found: 'this system does not tell' }
  const { processors, throttled } = quota
  const told = processors === undefined ? 'none' : `${processors} processors`
  const held = throttled === undefined ? '' : `, held back ${shown(throttled)} times so far`
  const isTight = processors !== undefined && processors < cores.ours
  if (!isTight && throttled === undefined) return { ...common, status: 'ok', found: told }
  const advice = 'give the container more than its threads use, or whole processors'
  return { ...common, status: 'limited', found: `${told}${held}`, advice }
}

function noiseOf({ noise }: Facts): Check {
  const { watchedMs, lostMs, longestMs } = noise
  const share = lostMs / watchedMs
  const found =
    `${(share * 100).toFixed(1)} % of ${(watchedMs / 1_000).toFixed(1)} s lost to others, ` +
    `${longestMs.toFixed(1)} ms at once`
  const common = { name: 'noise', found, purpose: 'pauses of this machine look like the target’s' }
  if (share <= quiet.lostShare && longestMs <= quiet.longestMs) return { ...common, status: 'ok' }
  const advice = 'end what else runs here; compare rather than measure: it takes both sides in turn'
  return { ...common, status: 'limited', advice }
}

function steadinessOf({ workNoise }: Facts): Check {
  const common = {
    ...{ name: 'steadiness', found: workNoiseText(workNoise) },
    purpose: 'a neighbour in the processor’s caches makes builds look different that are alike'
  }
  if (Math.max(workNoise.own, workNoise.shared) <= steadyWork) return { ...common, status: 'ok' }
  const advice =
    'a machine of its own, or more --time: noise in a pair asks for pairs by its square'
  return { ...common, status: 'limited', advice }
}

function calibrationOf({ calibration }: Facts): Check {
  const common = { name: 'calibration', purpose: 'which differences `compare` can tell here' }
  if ('record' in calibration)
    return { ...common, status: 'ok', found: `of ${calibration.record.at.slice(0, 10)}` }
  const [found = ''] = calibration.because.split(';')
  return { ...common, status: 'absent', found, advice: '`plimsoll calibrate`, ten minutes' }
}

function filesOf({ openFiles }: Facts): Check {
  const common = { name: 'open files', purpose: 'each connection is one' }
  if (openFiles === undefined)
    return { ...common, status: 'unknown', found: 'this system does not tell' }
  const found = openFiles === Infinity ? 'unlimited' : shown(openFiles)
  if (openFiles >= enoughFiles) return { ...common, status: 'ok', found }
  return { ...common, status: 'limited', found, advice: '`ulimit -n 65536` before you load' }
}

function portsOf({ ports }: Facts): Check {
  const common = { name: 'ports', purpose: 'connections to one address at a time, closed ones too' }
  if (ports === undefined)
    return { ...common, status: 'unknown', found: 'this system does not tell' }
  const found = `${shown(ports)} for outgoing connections`
  if (ports >= enoughPorts) return { ...common, status: 'ok', found }
  const advice = 'widen net.ipv4.ip_local_port_range'
  return { ...common, status: 'limited', found, advice }
}

const uringStates = ['for everybody', 'for the privileged only', 'switched off']

function uringOf({ ioUring }: Facts): Check {
  const common = { name: 'io_uring', purpose: '--transport uring, and targets that use it' }
  const found = uringStates[ioUring ?? -1]
  if (found === undefined)
    return { ...common, status: 'unknown', found: 'this system does not tell' }
  if (ioUring === 0) return { ...common, status: 'ok', found }
  return { ...common, status: 'absent', found, advice: 'sysctl kernel.io_uring_disabled=0' }
}

const programs = {
  redis: { purpose: 'where machines meet for --fleet', advice: 'install a Redis 7 or Valkey' },
  nginx: { purpose: 'a target to try `probe` and `run edge` on', advice: 'install nginx' },
  chromium: { purpose: 'this project’s own tests of its reports', advice: 'install chromium' }
}

function programsOf(facts: Facts): Check[] {
  return Object.entries(programs).map(([name, { purpose, advice }]): Check => {
    const found = facts.programs[name as keyof typeof programs]
    if (found !== undefined) return { name, status: 'ok', found, purpose }
    return { name, status: 'absent', found: 'not found', purpose, advice }
  })
}

const packagesFor = {
  platform: '`run` without a target, `platform`, `mutants`',
  fleet: '`agent`, --fleet',
  telemetry: '--otlp, --prometheus, --remote-write',
  mcp: '`mcp`, for coding agents'
}

function packagesOf({ missing }: Facts): Check[] {
  return Object.entries(packagesFor).map(([what, purpose]): Check => {
    const names = missing[what as keyof typeof packagesFor]
    const name = `packages of ${what}`
    if (names.length === 0) return { name, status: 'ok', found: 'installed', purpose }
    const advice = `npm install --save-dev ${names.join(' ')}`
    return { name, status: 'absent', found: `${names.length} not installed`, purpose, advice }
  })
}

/** What a machine can and cannot do, by what is known of it. */
export function checksOf(facts: Facts): Check[] {
  const node: Check = { name: 'Node', status: 'ok', found: facts.node, purpose: 'runs Plimsoll' }
  return [
    ...[node, coresOf(facts), quotaOf(facts), noiseOf(facts), steadinessOf(facts)],
    ...[calibrationOf(facts), filesOf(facts), portsOf(facts), uringOf(facts)],
    ...programsOf(facts),
    ...packagesOf(facts)
  ]
}
