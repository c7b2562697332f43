/**
 * A map whose methods nobody can change: a function shares its realm with the guest's code, and
 * what it makes of `Map.prototype` must not see whom processor time is charged to.
 */
class OwnMap<Key, Value> extends Map<Key, Value> {}

for (const name of Reflect.ownKeys(Map.prototype))
  Object.defineProperty(
    OwnMap.prototype,
    name,
    Object.getOwnPropertyDescriptor(Map.prototype, name)!
  )
Object.freeze(Object.setPrototypeOf(OwnMap.prototype, null))

/** What of a map the guest uses: nothing that goes through an iterator, which could be changed. */
export type Own<Key, Value> = Pick<Map<Key, Value>, 'get' | 'set' | 'has' | 'delete' | 'size'> & {
  forEach(each: (value: Value, key: Key) => void): void
}

/** Begins with nothing in it. */
export const createMap = <Key, Value>(): Own<Key, Value> => new OwnMap<Key, Value>()

/** What waits its turn, in order; like `createMap`, of nobody's making but its own. */
export function createQueue<Value>(): {
  push(value: Value): void
  shift(): Value | undefined
  size(): number
} {
  const waiting = createMap<number, Value>()
  let [first, next] = [0, 0]
  return {
    push: (value) => void waiting.set(next++, value),
    shift() {
      const value = waiting.get(first)
      if (waiting.delete(first)) first++
      return value
    },
    size: () => waiting.size
  }
}
