import { type Call, type Members, type Outcome, readCall } from './call.ts'
import { type Fault, invalidRequest, limitExceeded, unparsable } from './fault.ts'
import { itemsOf } from './json-text.ts'

/** How the gateway words its answers: JSON in, JSON out (JSON-RPC 2.0, section 5). */
export const wording = {
  result: (id: string, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
  error: (id: string, error: string) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`
}

/** The shape of `wording`. */
export type Wording = typeof wording

/** What a conversation is held by. */
export type JsonRpcOptions = {
  isProper: Members
  wording: Wording
  /** Calls in a batch, and how many of them are asked at once. */
  batchCalls: number
  batchLanes: number
  /** Characters of all answers to a batch together, beyond which calls are refused. */
  answerCharacters: number
  /** Makes the call; what becomes of it is a value. */
  ask(call: Call): Promise<Outcome>
}

/** The failure that is told where no call could be made out. */
export function faultText(fault: Fault, wording: Wording): string {
  return wording.error('null', JSON.stringify(fault))
}

/**
 * JSON-RPC 2.0 from bytes to text: what is answered to a body, or undefined where nothing is,
 * since all of its calls are notifications. Answers to a batch come in the order of its calls.
 */
export async function answerJsonRpc(
  body: Uint8Array,
  manners: JsonRpcOptions
): Promise<string | undefined> {
  const { wording, batchCalls, batchLanes } = manners
  const read = parsed(body)
  if ('fault' in read) return faultText(read.fault, wording)
  const { value, text } = read
  const respond = responder(manners)
  if (!Array.isArray(value)) return respond(value, text)
  const fault = unfit(value.length, batchCalls)
  if (fault) return faultText(fault, wording)
  const texts = itemsOf(text)
  const answers = await inLanes(value.length, {
    lanes: batchLanes,
    work: (index) => respond(value[index], texts[index]!)
  })
  const told = answers.filter((answer) => answer !== undefined)
  return told.length > 0 ? `[${told.join(',')}]` : undefined
}

function parsed(body: Uint8Array): { value: unknown; text: string } | { fault: Fault } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return { value: JSON.parse(text), text }
  } catch (error) {
    const because = error instanceof SyntaxError ? 'the body is not JSON' : 'it is not UTF-8'
    return { fault: unparsable(because) }
  }
}

function unfit(calls: number, most: number): Fault | undefined {
  if (calls === 0) return invalidRequest('a batch must have a call in it')
  if (calls > most) return invalidRequest(`a batch has at most ${most} calls`)
  return undefined
}

/** Does so many pieces of work, a few at once, and returns what came of them in order. */
async function inLanes<Result>(
  count: number,
  { lanes, work }: { lanes: number; work(index: number): Promise<Result> }
): Promise<Result[]> {
  const done: Result[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next++
      done[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

/** Answers calls one by one, until their answers are more than fit together. */
function responder({ isProper, wording, answerCharacters, ask }: JsonRpcOptions) {
  let characters = 0
  return async (value: unknown, text: string): Promise<string | undefined> => {
    const read = readCall(value, { text, isProper })
    if ('fault' in read) return wording.error(read.id, JSON.stringify(read.fault))
    const isFull = () => characters > answerCharacters
    const outcome = isFull() ? tooMuch : await ask(read)
    if (read.id === undefined) return undefined
    const { id } = read
    if ('error' in outcome) return wording.error(id, outcome.error)
    characters += outcome.result.length
    return isFull() ? wording.error(id, tooMuch.error) : wording.result(id, outcome.result)
  }
}

const tooMuch = { error: JSON.stringify(limitExceeded('the answers are too large together')) }
