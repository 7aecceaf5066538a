/** The members of `AbortSignal` that queues use. To make and abort a real one costs ten times what is measured. */
export class PlainSignal {
  aborted = false
  reason = undefined
  #listener = undefined

  addEventListener(_, listener) {
    if (this.#listener) throw new Error('A plain signal has one listener')
    this.#listener = listener
  }

  removeEventListener(_, listener) {
    if (listener === this.#listener) this.#listener = undefined
  }

  throwIfAborted() {
    if (this.aborted) throw this.reason
  }

  abort(reason) {
    const listener = this.#listener
    this.#listener = undefined
    this.aborted = true
    this.reason = reason
    listener?.call(this, { type: 'abort', target: this })
  }
}
