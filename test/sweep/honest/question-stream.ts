/** The head of a request, and where its body ends. */
export type Question = { method: string; target: string; isLeaveAsked: boolean }

/** What is known of the requests of one connection. */
export type Questions = {
  /** Takes the next bytes; tells the heads that ended in them. */
  feed: (bytes: Buffer) => Question[]
  /** The oldest that `next` has not told yet; one of nothing where there is none. */
  next: () => Question
  /** How many have begun. */
  count: () => number
  /** Resolves as soon as all of the last request has come. */
  whole: () => Promise<void>
}

const nothing: Question = { method: '', target: '', isLeaveAsked: false }

/** Reads the requests of one connection off its bytes; what is no request is one without an end. */
export function createQuestions(): Questions {
  let pending: Buffer = Buffer.alloc(0)
  let left: number | 'chunked' | 'lost' | undefined
  let chunk: number | undefined
  let trailer = false
  const waiting: Question[] = []
  let count = 0
  let onWhole: (() => void)[] = []
  const isWhole = () => left === undefined && pending.length === 0

  const head = (found: Question[]): boolean => {
    const end = pending.indexOf('\r\n\r\n')
    if (end < 0) return false
    const text = pending.toString('latin1', 0, end)
    pending = pending.subarray(end + 4)
    const [, method = '', target = ''] = /^(\S+) (\S+) HTTP/.exec(text) ?? []
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    if (method === '') left = 'lost'
    else if (/\r\ntransfer-encoding: *chunked/i.test(text)) left = 'chunked'
    else left = Number(length ?? 0) || undefined
    found.push({ method, target, isLeaveAsked: /\r\nexpect: *100-continue/i.test(text) })
    return true
  }
  const line = (): string | undefined => {
    const end = pending.indexOf('\r\n')
    if (end < 0) return
    const text = pending.toString('latin1', 0, end)
    pending = pending.subarray(end + 2)
    return text
  }
  const skip = (length: number): number => {
    const taken = Math.min(length, pending.length)
    pending = pending.subarray(taken)
    return length - taken
  }
  const ofChunks = (): boolean => {
    if (chunk === undefined || trailer) {
      const text = line()
      if (text === undefined) return false
      if (trailer && text === '') {
        trailer = false
        left = chunk = undefined
      } else if (!trailer && text !== '') {
        chunk = Number.parseInt(text, 16)
        trailer = chunk === 0
      }
      return true
    }
    chunk = skip(chunk) || undefined
    return chunk === undefined
  }
  return {
    feed(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      const found: Question[] = []
      for (let more = true; more && pending.length > 0; ) {
        if (left === undefined) more = head(found)
        else if (left === 'chunked') more = ofChunks()
        else if (left === 'lost') more = skip(pending.length) > 0
        else left = skip(left) || undefined
      }
      waiting.push(...found)
      count += found.length
      if (isWhole()) {
        for (const tell of onWhole) tell()
        onWhole = []
      }
      return found
    },
    count: () => count,
    next: () => waiting.shift() ?? nothing,
    whole: () =>
      isWhole() || left === 'lost'
        ? Promise.resolve()
        : new Promise((resolve) => void onWhole.push(resolve))
  }
}
