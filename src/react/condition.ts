/** Something that holds for a while, and tells when that changes. */
export interface Condition {
  isOn: () => boolean
  /** Calls `listener` whenever `isOn` may have changed; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}
