// Runs a command in a system that refuses io_uring, as containers do: by a filter of system calls.
// `node refusing.ts EPERM|ENOSYS COMMAND…`
import { spawnSync } from 'node:child_process'

const [code, command, ...args] = process.argv.slice(2) as [string, string, ...string[]]
// A name in a variable: who has not installed it can still check types.
const peer: string = 'koffi'
const { default: koffi } = await import(peer)
const setUp = 425
const [load, equals, answer] = [0x20, 0x15, 0x06]
const [refuse, allow] = [0x00050000, 0x7fff0000]
const [noNewPrivileges, setFilter, asFilter] = [38, 22, 2]

/** One instruction of the filter: what to do, how far to go on, with which number. */
function instruction(what: number, onTrue: number, onFalse: number, number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(what, 0)
  bytes.writeUInt8(onTrue, 2)
  bytes.writeUInt8(onFalse, 3)
  bytes.writeUInt32LE(number, 4)
  return bytes
}

const filter = Buffer.concat([
  instruction(load, 0, 0, 0),
  instruction(equals, 0, 1, setUp),
  instruction(answer, 0, 0, refuse | koffi.os.errno[code]),
  instruction(answer, 0, 0, allow)
])
const program = Buffer.alloc(16)
program.writeUInt16LE(filter.length / 8, 0)
program.writeBigUInt64LE(koffi.address(filter), 8)
const prctl = koffi.load(null).func('int prctl(int, long, void *, long, long)')
for (const given of [
  [noNewPrivileges, 1, null, 0, 0],
  [setFilter, asFilter, program, 0, 0]
]) {
  if (prctl(...given) !== 0) throw new Error(`no filter can be set: error ${koffi.errno()}`)
}
process.exit(spawnSync(command, args, { stdio: 'inherit' }).status ?? 1)
