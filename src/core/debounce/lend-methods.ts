/** Where a function keeps the object whose methods it lends. */
const OWNER = Symbol()

type Owner = Record<PropertyKey, (...args: unknown[]) => unknown>
type Lender = Record<typeof OWNER, Owner>

/**
 * The prototype of functions that have the methods `names` of an object each. One is bound when it is first asked for, and is
 * the same from then on: of a hundred thousand functions hardly one is cancelled, and none carries a closure for it.
 */
export function createLending(names: readonly PropertyKey[]): object {
  const lending = Object.create(Function.prototype) as object
  for (const name of names) {
    const method = function (this: Lender, ...args: unknown[]): unknown {
      return this[OWNER][name]!(...args)
    }
    const keep = (on: object, value: unknown): unknown => {
      Object.defineProperty(on, name, { value, writable: true, enumerable: true, configurable: true })
      return value
    }
    Object.defineProperty(lending, name, {
      // What spies on methods asks the getter without a function, and inspectors ask the prototype.
      get(this: Lender | undefined) {
        return this?.[OWNER] ? keep(this, method.bind(this)) : method
      },
      set(value) {
        keep(this as object, value)
      },
    })
  }
  return lending
}

/** Gives `fn` the methods of `owner` that `lending` names. */
export function lend<Fn extends object, Lent>(fn: Fn, owner: Lent, lending: object): Fn & Lent {
  ;(fn as Fn & Lender)[OWNER] = owner as Owner
  return Object.setPrototypeOf(fn, lending) as Fn & Lent
}
