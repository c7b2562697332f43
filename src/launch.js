#!/usr/bin/env node
// Plain JavaScript that any Node can parse: it finds a Node that is new enough, then starts main.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const floor = 24

/** Path of a newer Node that npm installed beside this package or in the working folder. */
function newerNode() {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const found = createRequire(place).resolve('node/package.json')
      const binary = join(dirname(found), 'bin', 'node')
      if (existsSync(binary)) return binary
    } catch {
      // Not installed there; the message below says what to do.
    }
  }
}

// Every start parses the same files; a Node that can keep what it made of them starts faster. The
// threads and processes that this one begins look for it in the environment alone.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
module.enableCompileCache?.()

if (Number(process.versions.node.split('.')[0]) >= floor) {
  const source = new URL('./main.ts', import.meta.url)
  await import(
    existsSync(source) ? source.href : new URL('../dist/src/main.js', import.meta.url).href
  )
} else {
  const binary = newerNode()
  if (binary === undefined) {
    console.error(
      `Plimsoll needs Node ${floor} or newer; this is ${process.version}.\n` +
        `Install a newer Node, or add one to the project: npm install --save-dev node@${floor}`
    )
    process.exit(64)
  }
  const child = spawn(binary, [process.argv[1], ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 3))
}
