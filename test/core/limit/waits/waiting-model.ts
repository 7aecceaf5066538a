/** A wait, or a reservation with its instant, in order of arrival. */
interface Entry {
  id: number
  cost: number
  /** The deadline of a wait. */
  latest: number
  /** The instant of a reservation. */
  at?: number | undefined
}

export type ModelKind = 'bucket' | 'fixedWindow' | 'slidingWindowLog' | 'slidingWindowCounter'

/**
 * A naive model of a limiter with waits: time advances ms by ms, and the first entry resolves when there is
 * room. It checks each ms just after its start. Whole rates, bursts and costs.
 */
export class WaitingModel {
  now = 0
  line: Entry[] = []
  /** The resolved waits and their ms, in order. */
  went: [id: number, at: number][] = []
  private passed: { at: number; cost: number }[] = []
  private thousandths: number
  private readonly kind: ModelKind
  private readonly windowMs: number
  private rate = 10
  private burst: number

  constructor(kind: ModelKind, burst: number) {
    this.kind = kind
    this.windowMs = burst * 100
    this.burst = burst
    this.thousandths = burst * 1000
  }

  private usedSince(isIn: (at: number) => boolean): number {
    return this.passed.reduce((used, { at, cost }) => (isIn(at) ? used + cost : used), 0)
  }

  /** What could be taken without entries in the queue. */
  private room(): number {
    const { kind, now, windowMs, burst } = this
    const start = now - (now % windowMs)
    if (kind === 'bucket') return this.thousandths / 1000
    if (kind === 'slidingWindowLog') return burst - this.usedSince((at) => now - at < windowMs)
    const current = this.usedSince((at) => at >= start)
    if (kind === 'fixedWindow') return burst - current
    const previous = this.usedSince((at) => at < start && at >= start - windowMs)
    // Just after the start of a ms, a falling whole estimate is below the whole number.
    const left = Math.ceil((previous * (start + windowMs - now)) / windowMs)
    return burst - current - (previous > 0 ? left - 1 : 0)
  }

  private take(cost: number): void {
    this.thousandths -= cost * 1000
    this.passed.push({ at: this.now, cost })
  }

  private serve(): void {
    for (let first = this.line[0]; first; first = this.line[0]) {
      if (first.at === undefined ? this.room() < first.cost : first.at > this.now) return
      this.line.shift()
      this.take(first.cost)
      if (first.at === undefined) this.went.push([first.id, this.now])
    }
  }

  tick(): void {
    this.now++
    this.thousandths = Math.min(this.thousandths + this.rate, this.burst * 1000)
    this.serve()
  }

  allow(cost: number): boolean {
    const isAllowed = this.line.length === 0 && this.room() >= cost
    if (isAllowed) this.take(cost)
    return isAllowed
  }

  /** The ms at which `cost` would be admitted behind the first `ahead` entries. */
  turnAt(cost: number, ahead = this.line.length): number {
    if (cost > this.burst) return Infinity
    const then = new WaitingModel(this.kind, 1)
    Object.assign(then, this, { went: [], passed: [...this.passed] })
    then.line = [...this.line.slice(0, ahead), { id: -1, cost, latest: Infinity }]
    then.serve()
    while (then.went.at(-1)?.[0] !== -1) then.tick()
    return then.now
  }

  /** Returns false if the wait is refused. */
  wait(id: number, cost: number, timeoutMs: number): boolean {
    const turnAt = this.turnAt(cost)
    if (turnAt === Infinity || turnAt > this.now + timeoutMs) return false
    this.line.push({ id, cost, latest: this.now + timeoutMs })
    this.serve()
    return true
  }

  reserve(id: number, cost: number): number {
    const at = this.turnAt(cost)
    if (at < Infinity) this.line.push({ id, cost, latest: Infinity, at })
    this.serve()
    return at
  }

  /** Removes a wait, or cancels a reservation before its instant. */
  leave(id: number): void {
    this.line = this.line.filter((other) => other.id !== id)
    this.serve()
  }

  /** Returns the ids of rejected waits. */
  configure({ rate, burst }: { rate: number; burst: number }): number[] {
    Object.assign(this, { rate, burst })
    this.thousandths = Math.min(this.thousandths, burst * 1000)
    const rejected: number[] = []
    for (const { id, cost, latest, at } of this.line) {
      const ahead = this.line.findIndex((other) => other.id === id)
      const turnAt = at ?? this.turnAt(cost, ahead)
      if (turnAt < Infinity && turnAt <= latest) continue
      rejected.push(id)
      this.line = this.line.filter((other) => other.id !== id)
    }
    this.serve()
    return rejected
  }

  get waiting(): number {
    return this.line.filter(({ at }) => at === undefined).length
  }
}
