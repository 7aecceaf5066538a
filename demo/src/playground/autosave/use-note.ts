import { useEffect, useState } from 'react'
import type { NoteResponse } from '../../../server/api.ts'
import { callServer } from '../../server/call-server.ts'

export interface Note {
  text: string
  /** Increases with each edit, starting from the revision that the server has. */
  revision: number
}

export interface KeptNote {
  /** The server's note when the page was opened; undefined until it is loaded. */
  kept: NoteResponse | undefined
  note: Note
  /** Replaces the text and returns the new note. */
  edit: (text: string) => Note
}

/** The note at `url`, and its local edits. */
export function useNote(url: string): KeptNote {
  const [kept, setKept] = useState<NoteResponse>()
  const [edited, setEdited] = useState<Note>()
  const note = edited ?? kept ?? { text: '', revision: 0 }

  useEffect(() => {
    const controller = new AbortController()
    callServer<NoteResponse>(url, { signal: controller.signal }).then(setKept, () => {
      // Start with an empty note. If the server is unreachable, the next save reports it.
      if (!controller.signal.aborted) setKept({ text: '', revision: 0, ageMs: null })
    })
    return () => controller.abort()
  }, [url])

  return {
    kept,
    note,
    edit(text) {
      const next = { text, revision: note.revision + 1 }
      setEdited(next)
      return next
    },
  }
}
