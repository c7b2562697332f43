import { extname, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { type Config, reporterNames } from '../scenario/config.ts'
import { orNearest } from '../scenario/nearest.ts'
import { tiers } from '../scenario/tier.ts'
import { findConfig, type OpenConfig } from './config-flags.ts'
import { Failure } from './failure.ts'

const path = v.pipe(v.string(), v.nonEmpty())
const schema = v.strictObject({
  scenarios: v.optional(path),
  targets: v.optional(v.record(v.string(), path)),
  target: v.optional(path),
  tier: v.optional(v.picklist(tiers)),
  authorisation: v.optional(path),
  reporters: v.optional(v.array(v.picklist(reporterNames))),
  out: v.optional(path)
})
const fields = Object.keys(schema.entries)

/** What each field has to be, in words. */
const rules: Record<string, string> = {
  scenarios: 'the path of a folder',
  targets: 'URLs and files by name, such as { staging: "./staging.json" }',
  target: 'a name among its targets, a URL or a file',
  tier: `one of ${tiers.join(', ')}`,
  authorisation: 'the path of a file',
  reporters: `a list of ${reporterNames.join(', ')}`,
  out: 'the path of a folder'
}

function complaintOf(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => `${key}`)
  const [field] = keys
  if (field === undefined) return 'exports no config: write `export default defineConfig({ … })`'
  if (!fields.includes(field)) return `"${field}" is no field of it${orNearest(field, fields)}`
  return `${keys.join('.')} has to be ${rules[field]}`
}

/** Longest time that it may take to load. */
const patienceMs = 10_000

/** What a config thread tells: the default export as plain data, or what is wrong with the file. */
export type Told = { config: unknown } | { fault: string }

/** Loads a file in a thread of its own: its code can neither hold this one up nor end it. */
function loadApart(file: string): Promise<Told> {
  const place = new URL(`./config-thread${extname(import.meta.url)}`, import.meta.url)
  // What it prints is none of a command's output.
  const thread = new Worker(place, { workerData: file, stdout: true, stderr: true })
  const { promise, resolve: tell } = Promise.withResolvers<Told>()
  const late = `did not load within ${patienceMs / 1_000} s`
  const timer = setTimeout(() => tell({ fault: late }), patienceMs)
  thread.once('message', tell)
  thread.once('error', (cause: Error) => tell({ fault: cause.message }))
  thread.once('exit', () => tell({ fault: 'ended its thread' }))
  return promise.finally(() => {
    clearTimeout(timer)
    void thread.terminate()
  })
}

/** The config file from a folder upwards; a Failure names it and the field where one is wrong. */
export async function openConfig(folder: string): Promise<OpenConfig | undefined> {
  const file = findConfig(folder)
  if (file === undefined) return
  const shown = relative(folder, file)
  const told = await loadApart(file)
  if ('fault' in told) throw new Failure(`${shown}: ${told.fault}`)
  const result = v.safeParse(schema, told.config)
  if (!result.success) throw new Failure(`${shown}: ${complaintOf(result.issues[0])}`)
  return { file, config: result.output as Config }
}
