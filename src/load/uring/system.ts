import { messageOf } from '../../fault.ts'

/** What is used of koffi, an optional peer that calls functions of C. */
type Koffi = {
  load(path: null): { func(definition: string): (...given: unknown[]) => number }
  address(memory: ArrayBufferView): bigint
  view(address: bigint, bytes: number): ArrayBuffer
  errno(): number
  os: { errno: Record<string, number> }
  version?: string
}

/** The oldest version of koffi that has all of it. */
const oldest = 3

/** Memory of the system, outside of what is collected: it is there until it is given back. */
export type Mapped = { address: number; bytes: number; memory: ArrayBuffer }

/** The few calls of Linux that a ring needs; those that fail throw an `Unavailable`. */
export type System = {
  /** What a system call returns; where it fails, the negative of its error. */
  call(number: number, a: number, b: number, c: number, d: number, e: number, f: number): number
  /** Maps a file from an offset on, or without one fresh memory. */
  map(bytes: number, file?: { fd: number; offset: number }): Mapped
  /** Gives memory back: whoever still looks at it finds it empty. */
  unmap(mapped: Mapped): void
  /** Where bytes lie; that holds as long as somebody holds them. */
  addressOf(bytes: ArrayBufferView): number
  /** What an error number is called, such as `EPERM`. */
  nameOf(error: number): string
  /** A counter that can be waited for, as a file. */
  eventFd(): number
  /** The two ends of a pipe, or of a connection. */
  pipe(): [from: number, to: number]
  pair(): [one: number, other: number]
  /** Makes the second file what the first is. */
  duplicate(from: number, to: number): void
  close(fd: number): void
  /** Has this thread's waits end on time. */
  sleepLightly(): void
}

/** Why there is no ring, in words. */
export class Unavailable extends Error {}

/** Numbers of system calls that are the same on x64 and arm64. */
export const calls = { setup: 425, enter: 426, register: 427 }

const architectures = ['x64', 'arm64']
const readWrite = 3
const shared = 0x8001
const fresh = 0x22
/** Not blocking, and closed where another program takes over. */
const [light, own] = [0o4000, 0o2000000]
const [local, stream] = [1, 1]
/** How late Linux may end a wait, in nanoseconds; by itself 50,000. */
const [setSlack, slackNs] = [29, 1_000]

async function loadKoffi(): Promise<unknown> {
  // A name in a variable: who has not installed it can still check types.
  const name: string = 'koffi'
  try {
    const { default: koffi } = await import(name)
    return koffi
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    const why = isMissing ? 'is not installed (npm install koffi)' : 'cannot be loaded'
    throw new Unavailable(`koffi ${why}`)
  }
}

/** The system's calls; throws an `Unavailable` where there are none. */
export async function loadSystem(): Promise<System> {
  if (process.platform !== 'linux') throw new Unavailable('io_uring is of Linux only')
  if (!architectures.includes(process.arch)) {
    throw new Unavailable(`nobody has tried it on ${process.arch}`)
  }
  return systemBy(await loadKoffi())
}

/** The system's calls by a koffi; throws an `Unavailable` where it has not got what they take. */
export function systemBy(koffi: unknown): System {
  try {
    const system = callsBy(koffi as Koffi)
    tryOut(system)
    return system
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const version = `${(koffi as Koffi | undefined)?.version ?? 'of no version'}`
    const isOld = Number.parseInt(version, 10) < oldest
    const why = isOld ? `is too old: npm install koffi@${oldest}` : 'cannot be used'
    throw new Unavailable(`koffi ${version} ${why} (${messageOf(error)})`)
  }
}

/** Makes all calls that tell whether they can be made. */
function tryOut({ map, unmap, addressOf, eventFd, pipe, pair, close, call, nameOf }: System): void {
  const mapped = map(4_096)
  new Uint8Array(mapped.memory).fill(1)
  unmap(mapped)
  for (const fd of [eventFd(), ...pipe(), ...pair()]) close(fd)
  if (!(addressOf(Buffer.alloc(8)) > 0)) throw new Error('it tells no addresses')
  const refusal = nameOf(-call(calls.register, -1, 0, 0, 0, 0, 0))
  if (refusal.includes(' ')) throw new Error('it tells no errors')
}

type Named = (definition: string) => (...given: unknown[]) => number

function callsBy(koffi: Koffi): System {
  const library = koffi.load(null)
  const func: Named = (definition) => library.func(definition)
  const names = new Map(Object.entries(koffi.os.errno).map(([name, code]) => [code, name]))
  const nameOf = (error: number) => names.get(error) ?? `error ${error}`
  const failed = (what: string) => new Unavailable(`no ${what}: ${nameOf(koffi.errno())}`)
  const syscall = func('long syscall(long, long, long, long, long, long, long)')
  const addressOf = (bytes: ArrayBufferView) => Number(koffi.address(bytes))
  return {
    ...{ nameOf, addressOf },
    ...memoryBy(koffi, func, failed),
    ...filesBy(func, failed),
    call(number, a, b, c, d, e, f) {
      const result = syscall(number, a, b, c, d, e, f)
      return result === -1 ? -koffi.errno() : result
    }
  }
}

function memoryBy(
  koffi: Koffi,
  func: Named,
  failed: (what: string) => Error
): Pick<System, 'map' | 'unmap'> {
  const mmap = func('int64_t mmap(int64_t, int64_t, int, int, int, int64_t)')
  const munmap = func('int munmap(int64_t, int64_t)')
  return {
    map(bytes, file) {
      const { fd, offset } = file ?? { fd: -1, offset: 0 }
      const flags = file === undefined ? fresh : shared
      const address = Number(mmap(0, bytes, readWrite, flags, fd, offset))
      if (address === -1) throw failed('memory')
      return { address, bytes, memory: koffi.view(BigInt(address), bytes) }
    },
    unmap({ address, bytes, memory }) {
      // Who comes too late then reads nothing, where it would else end the process.
      memory.transfer(0)
      munmap(address, bytes)
    }
  }
}

function filesBy(
  func: Named,
  failed: (what: string) => Error
): Omit<System, 'map' | 'unmap' | 'call' | 'addressOf' | 'nameOf'> {
  const eventfd = func('int eventfd(uint32_t, int)')
  const pipe2 = func('int pipe2(int *, int)')
  const socketpair = func('int socketpair(int, int, int, int *)')
  const dup3 = func('int dup3(int, int, int)')
  const closeFile = func('int close(int)')
  const prctl = func('int prctl(int, long, long, long, long)')
  const two = (what: string, open: (files: Int32Array) => number): [number, number] => {
    const files = new Int32Array(2)
    if (open(files) < 0) throw failed(what)
    return [files[0]!, files[1]!]
  }
  return {
    eventFd() {
      const fd = eventfd(0, light | own)
      if (fd < 0) throw failed('counter')
      return fd
    },
    pipe: () => two('pipe', (files) => pipe2(files, light | own)),
    pair: () => two('socket', (files) => socketpair(local, stream | light | own, 0, files)),
    duplicate(from, to) {
      if (dup3(from, to, own) < 0) throw failed('file')
    },
    close: (fd) => void closeFile(fd),
    sleepLightly: () => void prctl(setSlack, slackNs, 0, 0, 0)
  }
}
