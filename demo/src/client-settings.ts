/** What a change of the text leads to, in three rhythms: any of them may send the requests. */
export const drivers = ['keystroke', 'debounced', 'throttled'] as const
export type Driver = (typeof drivers)[number]

/** How this page treats what is typed. */
export interface ClientSettings {
  driver: Driver
  /** Of the debounced and of the throttled runs, in ms. */
  wait: number
  leading: boolean
  trailing: boolean
  /** In ms; Infinity is none. */
  maxWait: number
  /** The client's own pace; Infinity is none. */
  ratePerSecond: number
  burst: number
}

export const initialSettings: ClientSettings = {
  driver: 'debounced',
  wait: 300,
  leading: false,
  trailing: true,
  maxWait: Infinity,
  ratePerSecond: Infinity,
  burst: 3,
}
