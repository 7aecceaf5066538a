/** What a change of the text leads to, in three rhythms: any of them may send the requests. */
export const drivers = ['keystroke', 'debounced', 'throttled'] as const
export type Driver = (typeof drivers)[number]
