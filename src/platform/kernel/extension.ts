/** A place where parts offer what other parts use; whoever uses it declares it. */
export type ExtensionPoint<Value> = { readonly name: string; readonly kind?: Value }

/** Declares an extension point; the name is for messages. */
export function extensionPoint<Value>(name: string): ExtensionPoint<Value> {
  return { name }
}

/** What the parts of one platform offer each other. */
export type Extensions = {
  offer<Value>(point: ExtensionPoint<Value>, value: Value): void
  /** Everything offered at a point so far, in the order of the parts. */
  all<Value>(point: ExtensionPoint<Value>): readonly Value[]
  /** The one thing offered at a point; throws where no part listed before offers it. */
  one<Value>(point: ExtensionPoint<Value>): Value
}

/** Begins with nothing offered. */
export function createExtensions(): Extensions {
  const offered = new Map<ExtensionPoint<unknown>, unknown[]>()
  const all = (point: ExtensionPoint<unknown>): any[] => {
    const values = offered.get(point) ?? []
    offered.set(point, values)
    return values
  }
  return {
    all,
    offer: (point, value) => void all(point).push(value),
    one(point) {
      const [value] = all(point)
      if (value === undefined)
        throw new Error(`no part that was opened before offers ${point.name}`)
      return value
    }
  }
}
