import type { AsyncStatus } from 'lull'
import type { NoteResponse } from '../../../server/api.ts'

/** The message about the note that the server has. */
export function returnWords(kept: NoteResponse | undefined): string {
  if (!kept) return 'Loading your note.'
  if (kept.ageMs === null) return 'Write, then leave at once: what is not saved yet is saved as you leave.'
  const age = `${Math.round(kept.ageMs / 1000)} s`
  return `Welcome back. The server had ${lengthWords(kept.text)}, saved ${age} before this page opened.`
}

/** The message about the state of the save. */
export function saveWords({
  status,
  data,
  error,
}: Pick<AsyncStatus<NoteResponse>, 'status' | 'data' | 'error'>): string {
  switch (status) {
    case 'idle':
      return 'Nothing to save.'
    case 'pending':
      return 'Not saved yet.'
    case 'success':
      return `Saved: ${lengthWords(data!.text)}.`
    case 'error':
      return `Not saved: ${failureWords(error)}. The next edit tries again, and so does leaving.`
  }
}

/** A fetch without a response rejects with a `TypeError`, whose message differs between browsers. */
const failureWords = (error: unknown): string =>
  error instanceof Error && !(error instanceof TypeError) ? error.message : 'the server cannot be reached'

const lengthWords = ({ length }: string): string => `${length} ${length === 1 ? 'character' : 'characters'}`
