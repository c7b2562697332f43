import { isAnswered, isOk, type Reply } from 'plimsoll'

/** An object of the API; any field may be missing or odd. */
export type Item = { [field: string]: any }

/** Whether a parsed value is an object with fields, and neither null nor an array. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the operation was done: a success by its status that its envelope does not deny. */
export function isServed(reply: Reply): boolean {
  return isOk(reply) && reply.json?.success !== false
}

/** Whether the operation was turned down, by its status or by its envelope. */
export function isTurnedDown(reply: Reply): boolean {
  return reply.status >= 400 || reply.json?.success === false
}

/** Whether the operation was turned down, and not by a defect on the way to that. */
export function isRefused(reply: Reply): boolean {
  return isTurnedDown(reply) && reply.status < 500
}

/**
 * Whether an answer is a defect: given each time, where others are served, it is neither a refusal
 * nor an outage.
 */
export function isDefect(reply: Reply): boolean {
  return isAnswered(reply) && [500, 501].includes(reply.status)
}

/**
 * Whether an answer is about who asks, how often, or how the service is, and not about the
 * operation: nothing can be concluded from it about what the operation does. An operation that is
 * answered with 500 or 501, where the rest of the service works, is defective or not there.
 */
export function isBesideThePoint({ status }: Reply): boolean {
  return [401, 403, 429].includes(status) || status > 501
}

/** Whether a reply is a list at all, whatever is in it. */
export function isList(reply: Reply): boolean {
  return isServed(reply) && Array.isArray(reply.json?.result)
}

/** Whether a body is meant to be an envelope: a JSON object with one of its fields. */
export function isEnvelope({ json }: Reply): boolean {
  const fields = ['result', 'success', 'errors', 'messages']
  return isItem(json) && fields.some((field) => field in json)
}

/** Those replies that are of a sort, and those that never came, since they leave it open. */
export function only(isOfSort: (reply: Reply) => boolean, replies: Reply[]): Reply[] {
  return replies.filter((reply) => !isAnswered(reply) || isOfSort(reply))
}

/** The objects in a list's result; empty when it was not served or is no list. */
export function items(reply: Reply): Item[] {
  return isList(reply) ? reply.json.result.filter(isItem) : []
}

/** The object that is a reply's result; one without fields when there is no such object. */
export function item(reply: Reply): Item {
  const result: unknown = reply.json?.result
  return isServed(reply) && isItem(result) ? result : {}
}

/** How much there is in what an operation brought: the items of a list, or an object's fields. */
export function contents(reply: Reply): number {
  return items(reply).length + Object.keys(item(reply)).length
}

/** A value as it can stand in a sentence: JSON, and not much of it. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** A value as JSON that is the same for the same value: members of objects have no order. */
export function canonical(value: unknown): string {
  const inOrder = (_: string, part: unknown) =>
    isItem(part) ? Object.fromEntries(Object.entries(part).sort()) : part
  return JSON.stringify(value, inOrder) ?? 'nothing'
}

/** Whether a body came with all of its bytes; of one in a content coding, that it came at all. */
export function hasBytes({ received, headers }: Reply, bytes: number): boolean {
  return 'content-encoding' in headers && bytes > 0 ? received > 0 : received === bytes
}
