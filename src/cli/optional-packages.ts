import { createRequire } from 'node:module'
import { Failure } from './failure.ts'
import { madeWith } from './version.ts'

/**
 * What only some commands need, by what needs it. Whoever tests a service of their own needs none
 * of them, and they are more than all the rest together.
 */
const packages = {
  platform: ['hono', '@hono/node-server', 'aws4fetch', 're2js', '@foundry-rs/anvil'],
  fleet: ['bullmq', 'ioredis'],
  telemetry: [
    '@opentelemetry/api',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/exporter-metrics-otlp-http',
    '@opentelemetry/exporter-prometheus',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/exporter-trace-otlp-http',
    'prometheus-remote-write'
  ],
  mcp: ['@modelcontextprotocol/sdk']
} as const

/** What a platform can do without: its gateway then says that there is no chain. */
const dispensable: readonly string[] = ['@foundry-rs/anvil']

/** What of a package can be resolved, where that is not its name. */
const doors: Record<string, string> = {
  '@foundry-rs/anvil': '@foundry-rs/anvil/package.json',
  '@modelcontextprotocol/sdk': '@modelcontextprotocol/sdk/server/mcp.js'
}

const { resolve } = createRequire(import.meta.url)

function isThere(name: string): boolean {
  try {
    resolve(doors[name] ?? name)
    return true
  } catch {
    return false
  }
}

/** The packages that are missing, each with the version that this one was made with. */
export type Missing = Record<keyof typeof packages, string[]>

/** What is missing of each kind; what can be done without is listed too. */
export function missingPackages(): Missing {
  const of = (what: keyof typeof packages) =>
    packages[what].filter((name) => !isThere(name)).map(versioned)
  return {
    platform: of('platform'),
    fleet: of('fleet'),
    telemetry: of('telemetry'),
    mcp: of('mcp')
  }
}

const versioned = (name: string) => `${name}@${madeWith[name]}`

/**
 * Ends the command where packages are missing that only some commands need, and says how to install
 * them, in the versions that this one was made with; `who` needs them, in words.
 */
export function demandPackages(what: keyof typeof packages, who: string): void {
  const missing = packages[what].filter((name) => !isThere(name))
  if (missing.every((name) => dispensable.includes(name))) return
  const names = missing.map(versioned)
  throw new Failure(
    `${who} needs packages that are not installed, as most do without them:\n` +
      `  npm install --save-dev ${names.join(' ')}`
  )
}
