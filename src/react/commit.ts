/** How a value is set: `startTransition` of React lets what is shown stay while a slow or suspended view of the new one is made. */
export type Commit = (set: () => void) => void

export const commitAtOnce: Commit = (set) => set()
